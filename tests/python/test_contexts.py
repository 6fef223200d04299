"""Learners with a decision for every segment: a batch equals its loop, and both equal the pipe and the program."""

import copy
import json
import os
import tempfile
import unittest

import hannan
import numpy as np
from instances import pipe, program, recorded, rows

SITES = ["north", "south", "a/b", ""]


def data(count):
    outcomes = rows(3, count)
    contexts = [[SITES[t % 4], t % 3] for t in range(count)]
    return outcomes, contexts


def learner(**params):
    return hannan.problem("experts", experts=3).learner("flipflop", by=["site", "hour"], seed=4, **params)


class Rounds(unittest.TestCase):
    def test_a_batch_equals_its_loop_and_the_pipe(self):
        outcomes, contexts = data(120)
        batch, loop = learner(), learner()
        run = batch.play(outcomes, contexts=contexts, actions=True)
        requests = [
            {"op": "problem", "as": "p", "kind": "experts", "params": {"experts": 3}},
            {"op": "learner", "as": "l", "in": "p", "kind": "flipflop", "params": {"by": ["site", "hour"], "seed": 4}},
        ]
        for t, (outcome, context) in enumerate(zip(outcomes, contexts)):
            self.assertEqual(loop.act(context), run.actions[t])
            self.assertEqual(loop.act(context), loop.act(context))
            step = loop.observe(outcome, context)
            self.assertEqual((step.loss, step.total), (run.losses[t], run.totals[t]))
            requests.append({"op": "observe", "in": "l", "outcome": outcome.tolist(), "context": context})
        answers = pipe(*requests, {"op": "save", "in": "l"})
        self.assertEqual([answer["loss"] for answer in answers[2:-1]], run.losses.tolist())
        self.assertEqual(batch.save(), loop.save())
        self.assertEqual(json.loads(batch.save()), answers[-1]["state"])

    def test_frames_give_the_columns_by_name(self):
        pandas = __import__("pandas")
        outcomes, contexts = data(40)
        frame = pandas.DataFrame({"hour": [c[1] for c in contexts], "other": 0, "site": [c[0] for c in contexts]})
        given, named = learner(), learner()
        given.play(outcomes, contexts=contexts)
        named.play(outcomes, contexts=frame)
        self.assertEqual(given.save(), named.save())
        with self.assertRaisesRegex(hannan.DataError, "H102.*site"):
            learner().play(outcomes, contexts=frame.drop(columns="site"))

    def test_the_record_is_that_of_the_program_and_verifies(self):
        outcomes, contexts = data(60)
        with tempfile.TemporaryDirectory() as folder:
            table, ours, theirs = (os.path.join(folder, name) for name in ("t.csv", "ours.jsonl", "theirs.jsonl"))
            run = learner().play(outcomes, contexts=contexts, record=ours)
            self.assertTrue(run.verify())
            with open(table, "w") as file:
                file.write("site,hour,a,b,c\n")
                for outcome, (site, hour) in zip(outcomes.tolist(), contexts):
                    file.write(",".join([site, str(hour), *map(repr, outcome)]) + "\n")
            program("run", "experts", "--data", table, "--by", "site,hour", "--seed", "4", "--record", theirs, "-q")
            self.assertEqual(recorded(ours), (None, recorded(theirs)[1]))
            self.assertEqual(recorded(theirs)[0]["file"], "t.csv")

    def test_reserves_are_arrays(self):
        one = hannan.problem("vcg-reserves", bidders=2, levels=5).learner("leader", by=["site"])
        one.observe([0.3, 0.7], context=["x"])
        action = one.act(["x"])
        self.assertEqual((action.dtype, action.shape), (np.int32, (2,)))

    def test_copies_and_states_go_on_alike(self):
        outcomes, contexts = data(50)
        first = learner()
        first.play(outcomes[:25], contexts=contexts[:25])
        copies = [copy.deepcopy(first), hannan.Learner.load(first.save())]
        first.play(outcomes[25:], contexts=contexts[25:])
        for one in copies:
            one.play(outcomes[25:], contexts=contexts[25:])
            self.assertEqual(one.save(), first.save())


class Segments(unittest.TestCase):
    def test_segments_and_nodes_say_what_was_learned(self):
        outcomes, contexts = data(120)
        one = learner()
        one.play(outcomes, contexts=contexts)
        segments = one.segments()
        self.assertEqual(segments[0].segment, [])
        self.assertEqual(segments[0].rounds, 120)
        self.assertEqual([s.segment for s in one.segments(["north"])][0], ["north"])
        nodes = one.nodes(["north", 0])
        self.assertEqual([len(node.segment) for node in nodes], [0, 1, 2])
        self.assertAlmostEqual(sum(node.weight for node in nodes), 1)
        self.assertEqual([n.action for n in nodes if n.picked], [one.act(["north", 0])])
        with self.assertWarnsRegex(UserWarning, "more than 2 segments"):
            self.assertEqual(len(one.segments(limit=2)), 2)

    def test_the_report_has_the_bounds_of_the_tree(self):
        outcomes, contexts = data(60)
        one = learner()
        one.play(outcomes, contexts=contexts)
        report = one.report()
        self.assertTrue(report.holds)
        self.assertEqual(report["segments"]["open"], len(one.segments()))
        self.assertAlmostEqual(one.total, report["total"])

    def test_bounds_on_the_loss_are_not_shown_as_bounds_on_the_regret(self):
        outcomes, contexts = data(60)
        for kind in ("leader", "flipflop"):
            one = hannan.problem("experts", experts=outcomes.shape[1]).learner(kind, by=["country", "site"])
            run = one.play(outcomes, contexts=contexts)
            self.assertGreater(len(run.report().bounds), 0)
            self.assertEqual((one.bound, run.bound, run.report().bound), (None, None, None))
            self.assertNotIn("limit", one._repr_html_())
            self.assertNotIn("bound", one._repr_html_())


class Refused(unittest.TestCase):
    def test_contexts_that_do_not_fit_change_nothing(self):
        outcomes, contexts = data(10)
        one = learner()
        before = one.save()
        for call in (
            lambda: one.act(),
            lambda: one.observe(outcomes[0]),
            lambda: one.observe(outcomes[0], context=["north"]),
            lambda: one.observe(outcomes[0], context=["north", {}]),
            lambda: one.observe(outcomes[0], context=["a\0b", 1]),
            lambda: one.play(outcomes),
            lambda: one.play(outcomes, contexts=contexts[:9]),
            lambda: one.play(outcomes, contexts=[*contexts[:9], ["north"]]),
        ):
            with self.assertRaises(hannan.Error):
                call()
            self.assertEqual(one.save(), before)

    def test_a_learner_without_columns_takes_none(self):
        one = hannan.problem("experts", experts=2).learner("leader")
        for call in (
            lambda: one.act(["x"]),
            lambda: one.play([[0, 1]], contexts=[["x"]]),
            lambda: one.nodes(["x"]),
            lambda: one.segments(),
        ):
            with self.assertRaises(hannan.Error):
                call()
        self.assertEqual(one.rounds, 0)


if __name__ == "__main__":
    unittest.main()
