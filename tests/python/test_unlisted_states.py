"""States, copies and records of problems of the user's own whose actions cannot be listed."""

import copy
import gc
import json
import os
import pickle
import subprocess
import sys
import tempfile
import unittest
import weakref

import hannan
from instances import PROGRAM
from test_custom import DEMAND, Scan
from test_unlisted import Away, Orders, Paths, Walk, listed, unlisted


class SavedAndRecorded(unittest.TestCase):
    def test_a_state_goes_on_in_the_middle(self):
        whole = unlisted().learner("flipflop", seed=3)
        expected = whole.play(DEMAND[:40], actions=True)
        problem = unlisted()
        first = problem.learner("flipflop", seed=3)
        first.play(DEMAND[:17])
        rest = problem.load(first.save()).play(DEMAND[17:40], actions=True)
        self.assertEqual(rest.actions, expected.actions[17:])
        self.assertEqual(rest.losses.tolist(), expected.losses[17:].tolist())

    def test_segments_and_reports_have_actions_as_act_gives_them(self):
        learner = hannan.custom(Paths(), oracle=Walk()).learner("leader", by=["site"])
        learner.play([[1.0] * 8, [0.5] * 8], contexts=[["a"], ["b"]])
        action = learner.act(["a"])
        self.assertEqual(action, ("left",) * 8)
        self.assertEqual([one.action for one in learner.segments() + learner.nodes(["a"])], [action] * 5)
        self.assertEqual((learner.report().best_action, learner.report()["map"][0]["action"]), (action, action))

    def test_a_damaged_state_and_one_of_another_problem_are_refused(self):
        class Fewer(Orders):
            def outcomes(self):
                return range(20)

        learner = unlisted().learner("leader")
        learner.play(DEMAND[:5])
        state = learner.save()
        damaged = state.replace(b'"rounds":5', b'"rounds":4')
        self.assertNotEqual(damaged, state)
        for problem, bad in ((unlisted(), damaged), (hannan.custom(Fewer(), oracle=Scan()), state)):
            with self.assertRaises(hannan.DataError) as caught:
                problem.load(bad)
            self.assertEqual(caught.exception.code, "H401")

    def test_copies_and_pickles_go_on(self):
        for problem in (unlisted(), listed()):
            learner = problem.learner("gftpl", seed=4)
            learner.play(DEMAND[:15])
            twins = [copy.copy(learner), copy.deepcopy(learner), pickle.loads(pickle.dumps(learner))]
            expected = learner.play(DEMAND[15:30], actions=True)
            for twin in twins:
                run = twin.play(DEMAND[15:30], actions=True)
                self.assertEqual((run.actions, run.losses.tolist()), (expected.actions, expected.losses.tolist()))

    def test_a_pickle_goes_on_in_another_process(self):
        learner = unlisted().learner("gftpl", seed=4)
        learner.play(DEMAND[:15])
        code = ("import pickle, sys; learner = pickle.load(sys.stdin.buffer); "
                "from test_custom import DEMAND; print(learner.play(DEMAND[15:30], actions=True).actions)")
        folder = os.path.dirname(os.path.abspath(__file__))
        environment = {**os.environ, "PYTHONPATH": os.environ.get("PYTHONPATH", "") + os.pathsep + folder}
        done = subprocess.run([sys.executable, "-B", "-c", code], input=pickle.dumps(learner), capture_output=True,
                              env=environment, timeout=120)
        self.assertEqual(done.stderr, b"")
        self.assertEqual(json.loads(done.stdout), learner.play(DEMAND[15:30], actions=True).actions)

    def test_a_record_verifies_where_the_rules_are_and_says_what_it_cannot_check(self):
        with tempfile.TemporaryDirectory() as folder:
            record = os.path.join(folder, "run.jsonl")
            run = unlisted(Away()).learner("gftpl", c=1, seed=1).play(DEMAND[:40], record=record)
            found = run.verify()
            self.assertEqual(found.rounds, 40)
            self.assertEqual(len(found.unchecked), 2)
            run._learner.problem._oracle.fails = True
            with self.assertRaises(hannan.OracleError) as failed:
                run.verify()
            self.assertEqual(str(failed.exception.__cause__), "solver is away")
            run._learner.problem._oracle.fails = False
            trusted = " ".join(found.trusted)
            self.assertFalse(found.verified)
            self.assertIn("on trust", found.verdict)
            self.assertIn("no other search", trusted)
            self.assertIn("cannot be listed", trusted)
            # In a process without the rules.
            done = subprocess.run([PROGRAM, "verify", record], capture_output=True, text=True, timeout=60)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn("H108", done.stderr)
            self.assertIn("rules are Python code", done.stderr)
            with open(record, encoding="utf-8") as file:
                lines = file.read().splitlines()
            changed = json.loads(lines[7])
            changed["loss"] = changed["loss"] + 0.01
            lines[7] = json.dumps(changed)
            with open(record, "w", encoding="utf-8") as file:
                file.write("\n".join(lines) + "\n")
            with self.assertRaises(hannan.DataError) as caught:
                run.verify()
            self.assertEqual(caught.exception.code, "H601")

    def test_a_record_of_a_listed_problem_with_an_own_oracle_is_checked_anywhere_but_for_its_ties(self):
        with tempfile.TemporaryDirectory() as folder:
            record = os.path.join(folder, "run.jsonl")
            run = listed().learner("gftpl", c=1, seed=1).play(DEMAND[:40], record=record)
            found = run.verify()
            self.assertEqual((found.rounds, found.unchecked, found.verdict), (40, [], "is consistent, in part on trust"))
            # Leaders tie in these rounds, and an oracle of the user's own may choose any of them. This one chose the smallest,
            # which gives the regret of the leader alone; the moves of "run" are not told apart.
            self.assertEqual(len(found.trusted), 1)
            self.assertRegex(found.trusted[0], '^the certificate "run", which lies from ')
            done = subprocess.run([PROGRAM, "verify", record], capture_output=True, text=True, timeout=60)
            self.assertEqual(done.returncode, 1, done.stderr)
            for one in found.trusted:
                self.assertIn("on trust: " + one, done.stdout)
            self.assertNotIn("no other search", done.stdout)

    def test_a_dropped_problem_drops_its_rules_and_its_name(self):
        problem = unlisted(name="dropped")
        gone = weakref.ref(problem)
        learner = problem.learner("leader")
        learner.play(DEMAND[:3])
        state = learner.save()
        action = learner.act()
        del problem, learner
        gc.collect()
        self.assertIsNone(gone())
        with self.assertRaises(hannan.UsageError) as caught:
            hannan.load(state)
        self.assertEqual(caught.exception.code, "H107")
        again = unlisted(name="dropped")
        self.assertEqual(hannan.load(state).act(), action)
        self.assertIs(hannan.load(state).problem, again)

    def test_a_name_of_the_users_own_is_found_by_load(self):
        problem = unlisted(name="kiosk")
        learner = problem.learner("leader")
        learner.play(DEMAND[:3])
        self.assertEqual(json.loads(learner.save())["problem"]["params"]["name"], "kiosk")
        self.assertIs(hannan.load(learner.save()).problem, problem)


if __name__ == "__main__":
    unittest.main()
