"""Losses that are missing: experts that sleep, and the worst loss of a round."""

import unittest

import hannan
import numpy as np
from instances import pipe

GAPS = [[0.5, 0.5, 0.6], [0.5, 0.5, 0.6], [0.5, None, 0.6]]
KINDS = ("adahedge", "flipflop-hedge", "adanormalhedge")


def sleeping(kind="adahedge", **params):
    return hannan.problem("experts", experts=3, missing="sleep").learner(kind, **params)


class Sleeping(unittest.TestCase):
    def test_best_regret_and_bound_are_those_of_the_report(self):
        for kind in KINDS:
            with self.subTest(kind=kind):
                learner = sleeping(kind)
                learner.play(GAPS)
                report = learner.report()
                self.assertIsNone(learner.best)
                self.assertEqual(learner.regret, max(report.regrets))
                self.assertEqual((learner.regret, learner.bound), (report.regret, report.bound))
                self.assertLessEqual(learner.regret, learner.bound)

    def test_who_is_awake_is_said_before_the_choice(self):
        learner = sleeping(seed=4)
        answers = pipe(
            {"op": "problem", "as": "p", "kind": "experts", "params": {"experts": 3, "missing": "sleep"}},
            {"op": "learner", "as": "l", "in": "p", "kind": "adahedge", "params": {"seed": 4}},
            {"op": "act", "in": "l", "awake": [0, 2]},
            {"op": "observe", "in": "l", "outcome": [0.1, None, 0.3]},
            {"op": "act", "in": "l", "awake": []},
        )
        self.assertEqual(learner.act(awake=np.array([0, 2])), answers[2]["action"])
        self.assertEqual(learner.act(), answers[2]["action"])
        with self.assertRaises(hannan.DataError):
            learner.observe([0.1, 0.2, 0.3])
        self.assertEqual(learner.observe([0.1, None, 0.3]).loss, answers[3]["loss"])
        self.assertEqual(learner.act(awake=[]), answers[4]["action"])
        with self.assertRaises(hannan.UsageError) as caught:
            learner.act(awake=[3])
        self.assertEqual(caught.exception.at, "awake[0]")

    def test_without_act_the_outcome_says_who_is_awake(self):
        for kind in KINDS:
            with self.subTest(kind=kind):
                batch, loop = sleeping(kind, seed=2), sleeping(kind, seed=2)
                losses = batch.play(GAPS).losses.tolist()
                self.assertEqual([loop.observe(row).loss for row in GAPS], losses)
                self.assertEqual(loop.save(), batch.save())

    def test_other_learners_take_no_list_of_the_awake(self):
        for learner in (hannan.problem("experts", experts=3).learner("leader"),
                        hannan.problem("experts", experts=3).learner("leader", by=["site"])):
            with self.assertRaises(hannan.UsageError) as caught:
                learner.act(awake=[0])
            self.assertEqual(caught.exception.at, "awake")


class Arrays(unittest.TestCase):
    rows = np.array([[np.nan if loss is None else loss for loss in row] for row in GAPS])
    masked = np.ma.masked_invalid(rows)

    def test_nan_and_masked_numbers_are_losses_that_are_missing(self):
        for missing, kind in (("sleep", "adahedge"), ("worst", "leader")):
            problem = hannan.problem("experts", experts=3, missing=missing)
            expected = problem.learner(kind)
            losses = expected.play(GAPS).losses.tolist()
            for given in (self.rows, self.masked, self.rows.tolist(), iter(self.rows), iter(self.masked)):
                with self.subTest(missing=missing, given=type(given).__name__):
                    learner = problem.learner(kind)
                    self.assertEqual(learner.play(given).losses.tolist(), losses)
                    self.assertEqual(learner.save(), expected.save())
            for given in (self.rows, self.masked, self.rows.tolist()):
                learner = problem.learner(kind)
                self.assertEqual([learner.observe(row).loss for row in given], losses)
                self.assertEqual(learner.save(), expected.save())
        self.assertEqual(problem.best(self.masked), problem.best(GAPS))
        self.assertEqual(problem.summary(self.rows), problem.summary(GAPS))

    def test_they_are_refused_where_no_loss_may_be_missing(self):
        whole = np.ma.masked_greater(np.array([[0, 1, 0]]), 0)
        for given in (self.rows, self.masked, self.rows.tolist(), whole):
            learner = hannan.problem("experts", experts=3).learner("leader")
            with self.assertRaises(hannan.Error):
                learner.play(given)
            with self.assertRaises(hannan.Error):
                learner.observe(given[-1])

    def test_infinities_are_refused_everywhere(self):
        for missing, kind in (("sleep", "adahedge"), ("worst", "leader")):
            learner = hannan.problem("experts", experts=3, missing=missing).learner(kind)
            with self.assertRaises(hannan.DataError) as caught:
                learner.play(np.array([[0.1, np.inf, np.nan]]))
            self.assertEqual(caught.exception.at, "outcomes[0, 1]")


if __name__ == "__main__":
    unittest.main()
