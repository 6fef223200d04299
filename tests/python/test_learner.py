"""Learners: a batch equals its loop, and both equal the program, to the byte."""

import copy
import json
import os
import pickle
import tempfile
import unittest

import hannan
import numpy as np
from instances import ROWS, pipe, program, recorded, rows

LEARNERS = ["leader", "flipflop", "gftpl", "ada"]


class Batches(unittest.TestCase):
    def test_a_batch_equals_its_loop_to_the_byte(self):
        for kind, params in ROWS.items():
            problem = hannan.problem(kind, **params)
            data = rows(problem._core.row_width, 200)
            for name in LEARNERS:
                with self.subTest(problem=kind, learner=name):
                    batch, loop = problem.learner(name, seed=3), problem.learner(name, seed=3)
                    run = batch.play(data, actions=True)
                    for t, row in enumerate(data):
                        action = loop.act()
                        self.assertTrue(np.array_equal(action, run.actions[t]))
                        step = loop.observe(row)
                        self.assertEqual(step.loss, run.losses[t])
                        self.assertEqual(step.total, run.totals[t])
                        self.assertEqual(step.regret, run.regret[t])
                    self.assertEqual(batch.save(), loop.save())

    def test_arrays_lists_and_generators_give_the_same_rounds(self):
        data = rows(3, 3000)
        states = set()
        for given in (data, data.tolist(), iter(data.tolist()), (row for row in data)):
            learner = hannan.problem("experts", experts=3).learner("flipflop", seed=5)
            self.assertEqual(len(learner.play(given)), 3000)
            states.add(learner.save())
        self.assertEqual(len(states), 1)

    def test_every_problem_plays_as_in_the_pipe(self):
        for kind, (_, _, tested) in hannan._core.problem_kinds().items():
            params = tested[-1]
            problem = hannan.problem(kind, **params)
            outcomes = (problem.outcomes(20) * 20)[:20]
            learner = "flipflop"
            requests = [
                {"op": "problem", "as": "p", "kind": kind, "params": params},
                {"op": "learner", "as": "l", "in": "p", "kind": learner, "params": {"seed": 2}},
            ]
            for outcome in outcomes:
                requests += [{"op": "act", "in": "l"}, {"op": "observe", "in": "l", "outcome": outcome}]
            with self.subTest(problem=kind):
                answers = pipe(*requests, {"op": "save", "in": "l"})
                ours, batch = problem.learner(learner, seed=2), problem.learner(learner, seed=2)
                run = batch.play(outcomes, actions=True)
                for t, outcome in enumerate(outcomes):
                    told = answers[2 + 2 * t]["action"]
                    action = ours.act()
                    self.assertEqual(action.tolist() if isinstance(action, np.ndarray) else action, told)
                    self.assertTrue(np.array_equal(run.actions[t], told))
                    self.assertEqual(ours.observe(outcome).loss, answers[3 + 2 * t]["loss"])
                self.assertEqual(json.loads(ours.save()), answers[-1]["state"])
                self.assertEqual(ours.save(), batch.save())

    def test_losses_and_states_are_those_of_the_pipe(self):
        data = rows(5, 50)
        requests = [
            {"op": "problem", "as": "p", "kind": "experts", "params": {"experts": 5}},
            {"op": "learner", "as": "l", "in": "p", "kind": "flipflop", "params": {"seed": 9}},
        ]
        for row in data.tolist():
            requests += [{"op": "act", "in": "l"}, {"op": "observe", "in": "l", "outcome": row}]
        answers = pipe(*requests, {"op": "save", "in": "l"})
        learner = hannan.problem("experts", experts=5).learner("flipflop", seed=9)
        run = learner.play(data, actions=True)
        self.assertEqual([a["loss"] for a in answers[3:-1:2]], run.losses.tolist())
        self.assertEqual([a["action"] for a in answers[2:-1:2]], run.actions.tolist())
        self.assertEqual(answers[-1]["state"], json.loads(learner.save()))

    def test_records_are_those_of_the_program_but_for_the_name_of_the_data(self):
        data = rows(3, 300)
        with tempfile.TemporaryDirectory() as folder:
            table, theirs, ours = (os.path.join(folder, name) for name in ("d.npy", "a.jsonl", "b.jsonl"))
            np.save(table, data)
            for name in LEARNERS:
                program("run", "vcg-reserves", "--param", "levels=5", "-d", table, "-l", name, "--seed", "4",
                        "--record", theirs, "-q")
                problem = hannan.problem("vcg-reserves", like=data, levels=5)
                run = problem.learner(name, seed=4).play(data, record=ours)
                self.assertEqual(recorded(ours), (None, recorded(theirs)[1]))
                self.assertEqual(recorded(theirs)[0]["file"], "d.npy")
                self.assertEqual(run.verify().rounds, 300)

    def test_act_is_a_pure_read(self):
        learner = hannan.problem("vcg-reserves", bidders=2, levels=5).learner("ada", seed=1)
        learner.play(rows(2, 20))
        first, state = learner.act(), learner.save()
        self.assertTrue(np.array_equal(first, learner.act()))
        self.assertEqual(state, learner.save())
        into = np.zeros(2, dtype=np.int32)
        learner.action_row(into)
        self.assertTrue(np.array_equal(first, into))


class Values(unittest.TestCase):
    def test_vectors_are_int32_arrays_and_indices_are_ints(self):
        self.assertIs(type(hannan.problem("experts", experts=3).learner("leader").act()), int)
        action = hannan.problem("vcg-reserves", bidders=2, levels=3).learner("leader").act()
        self.assertEqual(action.dtype, np.int32)
        self.assertEqual(action.shape, (2,))

    def test_arrays_are_not_copied(self):
        data = np.zeros((200_000, 50))
        learner = hannan.problem("experts", experts=50).learner("leader", track="end")
        before = data.__array_interface__["data"]
        self.assertIs(hannan._values.rows_of(data, 50), data)
        learner.play(data[:10])
        self.assertEqual(before, data.__array_interface__["data"])

    def test_other_types_are_converted_and_float32_warns_when_strict(self):
        data = rows(3, 20).round(1)
        states = set()
        for given in (data, np.asfortranarray(data)):
            learner = hannan.problem("experts", experts=3).learner("leader")
            learner.play(given)
            states.add(learner.save())
        self.assertEqual(len(states), 1)
        hannan.options.strict = True
        try:
            with self.assertWarns(UserWarning):
                hannan.problem("experts", experts=3).learner("leader").play(data.astype(np.float32))
        finally:
            hannan.options.strict = False

    def test_decision_names_its_parts(self):
        learner = hannan.problem("experts", experts=3).learner("flipflop", seed=2)
        decision = learner.decision
        self.assertEqual((decision.round, decision.action), (1, learner.act()))
        self.assertIsNotNone(hannan.problem("experts", experts=3).learner("adahedge").decision.weights)


class Errors(unittest.TestCase):
    def test_errors_have_code_place_and_message(self):
        with self.assertRaises(hannan.UsageError) as caught:
            hannan.problem("vcg-reserves", bidders=2, levels=0)
        self.assertEqual(caught.exception.code, "H105")
        self.assertIn("levels", caught.exception.at)
        self.assertIsInstance(caught.exception, ValueError)
        with self.assertRaises(hannan.UsageError):
            hannan.problem("no-such-kind")
        again = pickle.loads(pickle.dumps(caught.exception))
        self.assertEqual(again.code, "H105")

    def test_a_bad_row_names_row_and_column_and_keeps_what_was_played(self):
        data = rows(3, 10)
        for bad, code in ((np.nan, "H204"), (np.inf, "H204"), (1.5, "H205")):
            broken = data.copy()
            broken[6, 2] = bad
            learner = hannan.problem("experts", experts=3).learner("leader")
            with self.assertRaises(hannan.DataError) as caught:
                learner.play(broken)
            self.assertEqual((caught.exception.code, caught.exception.at), (code, "outcomes[6, 2]"))
            self.assertEqual(learner.rounds, 6)
            state = learner.save()
            with self.assertRaises(hannan.DataError):
                learner.observe(broken[6])
            self.assertEqual(state, learner.save())
            learner.play(data[6:])
            whole = hannan.problem("experts", experts=3).learner("leader")
            whole.play(data)
            self.assertEqual(whole.save(), learner.save())

    def test_lists_and_generators_keep_what_was_played_and_count_from_the_beginning(self):
        data = [[0.1, 0.2, 0.3]] * 2500

        def broken():
            yield from data[:2100]
            raise OSError("the stream is gone")

        for bad in ([0.1, 2.0, 0.3], [0.1, "x", 0.3], [0.1, {1}, 0.3]):
            outcomes = data[:2100] + [bad] + data[2100:]
            for given in (outcomes, iter(outcomes)):
                learner = hannan.problem("experts", experts=3).learner("leader")
                with self.subTest(bad=bad, given=type(given).__name__), self.assertRaises(hannan.Error) as caught:
                    learner.play(given)
                self.assertRegex(caught.exception.at, r"^outcomes\[2100\]")
                self.assertEqual(learner.rounds, 2100)
        with tempfile.TemporaryDirectory() as folder:
            for more in ({}, {"record": os.path.join(folder, "run.jsonl")}):
                learner = hannan.problem("experts", experts=3).learner("leader")
                with self.assertRaisesRegex(OSError, "the stream is gone"):
                    learner.play(broken(), **more)
                self.assertEqual(learner.rounds, 2100)

    def test_a_width_that_does_not_fit_is_refused(self):
        learner = hannan.problem("experts", experts=3).learner("leader")
        for given in (np.zeros((4, 2)), np.zeros(3), np.zeros((2, 2, 3))):
            with self.assertRaises(hannan.DataError):
                learner.play(given)
        with self.assertRaises(hannan.Error):
            learner.observe(np.zeros(2))
        with self.assertRaises(hannan.Error):
            learner.observe("text")
        self.assertEqual(learner.rounds, 0)

    def test_rounds_and_contexts_are_refused_where_there_are_none(self):
        learner = hannan.problem("experts", experts=3).learner("leader")
        for call in (lambda: learner.act(round=1), lambda: learner.observe([0, 0, 0], round=1),
                     lambda: learner.act(context="a"), lambda: learner.play([], contexts=[])):
            with self.assertRaises(hannan.UsageError):
                call()


class Copies(unittest.TestCase):
    def test_pickles_and_copies_go_on_exactly(self):
        data = rows(3, 100)
        learner = hannan.problem("vcg-reserves", bidders=3, levels=5).learner("flipflop", seed=7)
        learner.play(data[:50])
        twins = [pickle.loads(pickle.dumps(learner)), copy.deepcopy(learner), hannan.load(learner.save())]
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "state.json")
            learner.save(path)
            twins.append(hannan.Learner.load(path))
        learner.play(data[50:])
        for twin in twins:
            twin.play(data[50:])
            self.assertEqual(twin.save(), learner.save())
        problem = pickle.loads(pickle.dumps(learner.problem))
        self.assertEqual(problem, learner.problem)

    def test_a_damaged_state_is_refused(self):
        state = hannan.problem("experts", experts=3).learner("leader").save()
        with self.assertRaises(hannan.Error):
            hannan.load(state.replace(b'"experts":3', b'"experts":4'))
        with self.assertRaises(hannan.Error):
            hannan.load(state[:-5])

    def test_unpickling_starts_no_program_unless_allowed(self):
        import zlib

        packed = zlib.compress(b'{"learner":{"params":{"oracle":"external:touch x"}}}')
        with self.assertRaises(hannan.UsageError):
            hannan._learner._unpickled(hannan.Learner, packed)

    def test_repr_is_one_line_that_can_be_pasted_back(self):
        learner = hannan.problem("vcg-reserves", bidders=3, levels=5).learner("ada", seed=7)
        self.assertEqual(eval(repr(learner)).save(), learner.save())


if __name__ == "__main__":
    unittest.main()
