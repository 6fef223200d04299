"""Columns of frames go by their names: order, other names, actions; and what holds them across states and pickles."""

import copy
import os
import pickle
import tempfile
import unittest

import hannan
import numpy as np

try:
    import pandas as pd
except ImportError:
    pd = None


def losses(rounds=60, seed=3):
    draw = np.random.default_rng(seed)
    return pd.DataFrame({"ann": 0.5 + draw.random(rounds) / 2, "bob": draw.random(rounds) / 2, "cy": draw.random(rounds)})


@unittest.skipIf(pd is None, "pandas is not there")
class Columns(unittest.TestCase):
    def setUp(self):
        self.frame = losses()
        self.turned = self.frame[["cy", "ann", "bob"]]
        self.problem = hannan.problem("experts", like=self.frame)

    def test_a_second_batch_in_another_order_is_learned_as_the_first(self):
        for kind in ("leader", "flipflop", "adahedge"):
            with self.subTest(kind=kind):
                straight = hannan.problem("experts", experts=3).learner(kind, seed=1)
                mixed = hannan.problem("experts", experts=3).learner(kind, seed=1)
                for learner, second in ((straight, self.frame), (mixed, self.turned)):
                    learner.play(self.frame[:30])
                    learner.play(second[30:])
                self.assertEqual(straight.save(), mixed.save())
                self.assertEqual(mixed.best_action, "bob")

    def test_a_problem_made_like_a_frame_keeps_its_order_from_the_first_round(self):
        self.assertEqual(self.problem.columns, ("ann", "bob", "cy"))
        self.assertEqual(self.problem.actions(), ["ann", "bob", "cy"])
        one, other = self.problem.learner("leader"), self.problem.learner("leader")
        one.play(self.frame)
        other.play(self.turned)
        self.assertEqual(one.save(), other.save())
        self.assertEqual(self.problem.best(self.turned), self.problem.best(self.frame))
        self.assertEqual(self.problem.best(self.turned).action, "bob")
        self.assertEqual(self.problem.loss("cy", [0.1, 0.2, 0.75]), 0.75)

    def test_other_names_are_refused_and_named(self):
        learner = self.problem.learner("leader")
        learner.play(self.frame)
        state = learner.save()
        for other, words in ((self.frame.rename(columns={"cy": "dee"}), ("cy missing", "dee not known")),
                             (self.frame.assign(eve=0.5), ("eve not known",)),
                             (self.frame[["ann", "bob"]], ("cy missing",))):
            with self.assertRaises(hannan.DataError) as caught:
                learner.play(other)
            self.assertEqual((caught.exception.code, caught.exception.at), ("H203", "outcomes"))
            for word in words:
                self.assertIn(word, str(caught.exception))
            for call in (self.problem.best, self.problem.summary, lambda data: hannan.compare(self.problem, data)):
                with self.assertRaises(hannan.DataError):
                    call(other)
        self.assertEqual(learner.save(), state)

    def test_a_first_frame_that_is_refused_names_nothing(self):
        learner = hannan.problem("experts", experts=3).learner("leader")
        with self.assertRaises(hannan.DataError):
            learner.play(pd.DataFrame({"x": [1.5], "y_": [0.0], "z": [0.0]}))
        self.assertIsNone(learner.columns)
        learner.play(self.frame)
        self.assertEqual(learner.columns, ("ann", "bob", "cy"))

    def test_actions_go_by_name(self):
        learner = self.problem.learner("flipflop", seed=2)
        plain = hannan.problem("experts", experts=3).learner("flipflop", seed=2)
        self.assertEqual(learner.act(), "ann")
        run = learner.play(self.frame, actions=True)
        numbers = plain.play(self.frame.to_numpy(), actions=True).actions
        names = np.array(["ann", "bob", "cy"], dtype=object)
        self.assertEqual(run.actions.tolist(), names[numbers].tolist())
        self.assertEqual(learner.act(), names[plain.act()])
        self.assertEqual(learner.decision.action, learner.act())
        self.assertEqual(learner.best_action, "bob")
        self.assertEqual(learner.report().best_action, "bob")
        self.assertEqual(run.to_frame()["action"].iloc[-1], run.actions[-1])
        best = self.problem.best(self.frame, keep=2)
        self.assertEqual([member["action"] for member in best.pool][0], "bob")
        found = hannan.compare(self.problem, self.turned, learners=["leader"], fixed={"today": "cy"}, rivals=False)
        self.assertEqual(found["best fixed"]["final_action"], "bob")
        self.assertAlmostEqual(found["today"]["loss"], self.frame["cy"].sum())
        for call in (lambda: hannan.compare(self.problem, self.frame, fixed={"today": "bop"}),
                     lambda: self.problem.loss("bop", [0.1, 0.2, 0.3])):
            with self.assertRaises(hannan.UsageError) as caught:
                call()
            self.assertIn('did you mean "bob"', str(caught.exception))

    def test_a_learner_with_contexts_or_late_outcomes_answers_by_name(self):
        sites = [["north"] if i % 2 else ["south"] for i in range(len(self.frame))]
        tree = self.problem.learner("leader", by=["site"])
        run = tree.play(self.turned, contexts=sites, actions=True)
        self.assertLessEqual(set(run.actions), {"ann", "bob", "cy"})
        self.assertEqual(tree.act(context=["north"]), "bob")
        self.assertLessEqual({node.action for node in tree.nodes(["north"])}, {"ann", "bob", "cy"})
        late = self.problem.learner("ada", delayed=True, seed=1)
        self.assertIn(late.act(round=1), ("ann", "bob", "cy"))
        self.assertLessEqual(set(late.play(self.turned, actions=True).actions), {"ann", "bob", "cy"})

    def test_experts_that_are_awake_may_be_named(self):
        problem = hannan.problem("experts", like=self.frame, missing="sleep")
        learner = problem.learner("adahedge")
        self.assertEqual(learner.act(awake=["cy"]), "cy")
        with self.assertRaises(hannan.UsageError) as caught:
            problem.learner("adahedge").act(awake=["cyy"])
        self.assertIn('"cy"', str(caught.exception))

    def test_a_row_of_a_frame_is_put_in_order(self):
        straight, mixed = self.problem.learner("leader"), self.problem.learner("leader")
        for i in range(10):
            straight.observe(self.frame.iloc[i])
            mixed.observe(self.turned.iloc[i])
        self.assertEqual(straight.save(), mixed.save())
        with self.assertRaises(hannan.DataError):
            mixed.observe(self.frame.iloc[0].rename({"cy": "dee"}))
        plain = hannan.problem("experts", experts=3).learner("leader")
        for i in range(10):
            plain.observe(self.frame.iloc[i].tolist())
        self.assertEqual(plain.total, mixed.total)

    def test_names_outlive_states_copies_and_pickles(self):
        learner = self.problem.learner("leader")
        learner.play(self.frame)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "state")
            learner.save(path)
            loaded = hannan.load(path)
        for again in (loaded, hannan.load(learner.save()), pickle.loads(pickle.dumps(learner)), copy.deepcopy(learner)):
            self.assertEqual(again.columns, ("ann", "bob", "cy"))
            self.assertEqual(again.act(), learner.act())
            self.assertEqual(again.play(self.turned).totals[-1], copy.copy(learner).play(self.frame).totals[-1])
        self.assertEqual(pickle.loads(pickle.dumps(self.problem)).columns, self.problem.columns)

    def test_summaries_are_in_one_order(self):
        parts = self.problem.summary(self.frame[:20]) + self.problem.summary(self.turned[20:])
        self.assertEqual(parts, self.problem.summary(self.frame))
        self.assertEqual(parts.best().action, "bob")
        self.assertEqual(pickle.loads(pickle.dumps(parts)).best().action, "bob")
        free = hannan.problem("experts", experts=3)
        self.assertEqual(free.summary(self.frame).add(self.turned), free.summary(pd.concat([self.frame, self.frame])))
        with self.assertRaises(hannan.DataError):
            free.summary(self.frame) + free.summary(self.turned)

    def test_columns_without_names_are_taken_as_they_lie_and_numbered_ones_in_order(self):
        plain = pd.DataFrame(self.frame.to_numpy())
        learner = hannan.problem("experts", like=plain).learner("leader")
        self.assertIsNone(learner.columns)
        learner.play(plain)
        again = hannan.problem("experts", experts=3).learner("leader")
        again.play(plain[[2, 0, 1]])
        self.assertEqual(learner.save(), again.save())
        self.assertEqual(learner.act(), 1)

    def test_a_log_with_its_bidders_in_another_order_is_learned_as_the_first(self):
        rows = pd.DataFrame([(t, who, 1 + (t * step) % 7) for t in range(40) for who, step in (("ann", 1), ("bob", 2))],
                            columns=["auction", "buyer", "amount"])
        named = {"round": "auction", "bidder": "buyer", "bid": "amount", "cap": 10}
        first = hannan.convert(rows, names=["ann", "bob"], **named)
        second = hannan.convert(rows, names=["bob", "ann"], **named)
        self.assertNotEqual(first.slots, second.slots)
        problem = hannan.problem("vcg-reserves", levels=8, like=first)
        one, other = problem.learner("leader"), problem.learner("leader")
        one.play(first)
        other.play(second)
        self.assertEqual(one.save(), other.save())


if __name__ == "__main__":
    unittest.main()
