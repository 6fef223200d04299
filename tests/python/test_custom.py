"""The fourth user: a problem and an oracle of one's own, audited."""

import copy
import gc
import math
import os
import pickle
import subprocess
import sys
import tempfile
import unittest

import hannan
import numpy as np
from instances import rows


class Kiosk(hannan.Problem):
    """Newspapers to order against those that are asked for."""

    ln_size = math.log(21)

    def loss(self, x, y):
        return (0.3 * (x - y) if x > y else y - x) / 20

    def actions(self):
        return range(21)


class Scan:
    """Tries every action."""

    signed, exact = True, True

    def __init__(self):
        self.calls = 0

    def best(self, outcomes, weights):
        self.calls += 1
        values = [sum(w * Kiosk().loss(x, y) for y, w in zip(outcomes, weights)) for x in range(21)]
        x = int(np.argmin(values))
        return x, values[x]


class Wrong(Scan):
    """Claims to be exact and answers with something else now and then."""

    def best(self, outcomes, weights):
        x, value = super().best(outcomes, weights)
        return (x, None) if self.calls % 5 else ((x + 7) % 21, None)


class Broken(Scan):
    def best(self, outcomes, weights):
        if self.calls >= 6:
            raise ValueError("solver crashed")
        return super().best(outcomes, weights)


DEMAND = np.random.default_rng(2).integers(0, 21, size=200)


class OwnProblem(unittest.TestCase):
    def test_actions_and_outcomes_are_the_users_own(self):
        learner = hannan.custom(Kiosk()).learner("flipflop", seed=1)
        run = learner.play(DEMAND, actions=True)
        expected = [Kiosk().loss(x, y) for x, y in zip(run.actions, DEMAND)]
        self.assertEqual(run.losses.tolist(), expected)
        totals = [sum(Kiosk().loss(x, y) for y in DEMAND) for x in range(21)]
        self.assertEqual(learner.best_action, int(np.argmin(totals)))
        self.assertAlmostEqual(learner.best, min(totals), places=9)
        self.assertTrue(run.report().holds)

    def test_a_batch_equals_its_loop_and_copies_go_on(self):
        problem = hannan.custom(Kiosk(), outcomes=range(21), perturbation="outcomes")
        batch, loop = problem.learner("gftpl", seed=4), problem.learner("gftpl", seed=4)
        batch.play(DEMAND)
        for y in DEMAND:
            loop.act()
            loop.observe(y)
        self.assertEqual(batch.save(), loop.save())
        for twin in (copy.deepcopy(loop), pickle.loads(pickle.dumps(loop))):
            self.assertEqual(twin.act(), loop.act())
            self.assertEqual(twin.save(), loop.save())

    def test_listed_outcomes_make_a_finite_game_whose_record_verifies(self):
        problem = hannan.custom(Kiosk(), outcomes=range(21), perturbation="outcomes")
        with tempfile.TemporaryDirectory() as folder:
            run = problem.learner("gftpl", c=1, seed=1).play(DEMAND, record=os.path.join(folder, "run.jsonl"))
            self.assertEqual(run.verify().rounds, len(DEMAND))
        self.assertTrue(run.report().holds)
        with self.assertRaises(hannan.DataError):
            problem.learner("leader").observe(21)

    def test_an_inexact_oracle_that_always_answers_the_same_leaves_its_choices_on_trust(self):
        class Zero(Scan):
            exact = False

            def best(self, outcomes, weights):
                return 0, None

        problem = hannan.custom(Kiosk(), outcomes=range(21), oracle=Zero())
        with tempfile.TemporaryDirectory() as folder:
            run = problem.learner("leader").play(DEMAND, record=os.path.join(folder, "run.jsonl"))
            found = run.verify()
        self.assertAlmostEqual(run.report().regret, 0, places=9)  # against the only action that the oracle ever found
        self.assertNotIn("every choice, against all actions", found.checked)
        self.assertFalse(found.verified)
        self.assertEqual(found.verdict, "is consistent, choices on trust")
        self.assertIn("above the best by", " ".join(found.trusted))
        self.assertGreater(found.regret, 0)  # all actions were added up
        self.assertLess(found.best, run.report().best)

    def test_a_record_of_arrays_names_no_data_file(self):
        problem = hannan.custom(Kiosk(), outcomes=range(21))
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "run.jsonl")
            found = problem.learner("leader").play(DEMAND, record=path).verify()
            self.assertEqual((found.verified, found.verdict, found.trusted, found.data), (True, "verifies", [], None))
            data = os.path.join(folder, "outcomes.csv")
            with open(data, "w", encoding="utf-8") as file:
                file.write("".join(f"{y}\n" for y in DEMAND))
            self.assertIn("the outcomes of all", hannan.verify(path, data=data).checked[-1])
            with open(data, "w", encoding="utf-8") as file:
                file.write("".join(f"{(y + 1) % 21}\n" for y in DEMAND))
            with self.assertRaises(hannan.DataError) as caught:
                hannan.verify(path, data=data)
            self.assertEqual(caught.exception.code, "H601")

    def test_losses_outside_the_unit_interval_are_refused_with_their_place(self):
        class Wide(Kiosk):
            def loss(self, x, y):
                return x - y

        with self.assertRaises(hannan.DataError) as caught:
            hannan.custom(Wide()).learner("leader").observe(3)
        self.assertEqual(caught.exception.code, "H205")
        self.assertEqual(caught.exception.at, "loss(0, 3)")

    def test_each_outcome_is_tabulated_once(self):
        class Counted(Kiosk):
            calls = 0

            def loss(self, x, y):
                Counted.calls += 1
                return super().loss(x, y)

        hannan.custom(Counted()).learner("leader").play([3, 5] * 50)
        self.assertEqual(Counted.calls, 2 * 21)


class Shelf:
    """Actions and outcomes that are no indices, in other orders."""

    def __init__(self, actions=(10, 20, 30, 40), outcomes=(20, 30, 40, 10)):
        self._actions, self._outcomes = actions, outcomes

    def actions(self):
        return list(self._actions)

    def outcomes(self):
        return list(self._outcomes)

    def loss(self, x, y):
        return abs(x - y) / 40


class Unseen(Shelf):
    """The same without a list of outcomes."""

    outcomes = None


SOLD = [20, 30, 20, 20, 40, 20]  # losses of 10, 20, 30 and 40: 1.75, 0.75, 1.25 and 2.25


class Compared(unittest.TestCase):
    def test_outcomes_and_actions_of_a_comparison_are_the_users_own(self):
        for problem in (hannan.custom(Shelf()), hannan.custom(Unseen())):
            with self.subTest(rules=type(problem.rules).__name__):
                found = hannan.compare(problem, SOLD, learners=["leader"], fixed={"last": 40})
                learner = problem.learner("leader")
                self.assertEqual(found["leader"]["loss"], learner.play(SOLD).totals[-1])
                self.assertEqual(found["leader"]["final_action"], learner.act())
                self.assertEqual(found["leader"]["series"]["action"][-1], 20)
                self.assertEqual((found["leader"]["report"]["best_action"], problem.best(SOLD).action), (20, 20))
                self.assertEqual((found["best fixed"]["loss"], found["last"]["loss"]), (0.75, 2.25))
                with tempfile.TemporaryDirectory() as folder:
                    found.to_html(os.path.join(folder, "page.html"))

    def test_a_comparison_plays_the_perturbation_and_oracle_of_the_problem(self):
        oracle = Scan()
        problem = hannan.custom(Kiosk(), oracle=oracle, perturbation="outcomes", outcomes=range(21))
        found = hannan.compare(problem, DEMAND[:40], learners=[("gftpl", {"c": 1})], seed=3)
        self.assertGreater(oracle.calls, 30)
        run = problem.learner("gftpl", c=1, seed=3).play(DEMAND[:40])
        self.assertEqual(found["gftpl:c=1"]["loss"], run.totals[-1])

    def test_reports_and_segments_name_the_users_own_actions(self):
        learner = hannan.custom(Shelf()).learner("leader", by=["site"])
        run = learner.play(SOLD, contexts=[["a"], ["b"]] * 3)
        report = run.report()
        self.assertEqual((report.best_action, learner.best_action), (20, 20))
        self.assertEqual([segment.action for segment in learner.segments()], [20, 20, 20])
        self.assertEqual(learner.segments(under=["b"])[0].action, 20)
        self.assertEqual([node.action for node in learner.nodes(["a"]) if node.picked], [learner.act(["a"])])
        for part in (report["map"], report["nodes"], report["prunings"][0]["segments"]):
            self.assertEqual({one["action"] for one in part}, {20})
        with tempfile.TemporaryDirectory() as folder:
            run.to_html(os.path.join(folder, "page.html"))

    def test_delays_do_not_change_what_is_played_in_turn(self):
        for rules in (Shelf(), Unseen()):
            problem = hannan.custom(rules)
            plain = problem.learner("ada", seed=2).play(SOLD * 5, actions=True)
            delayed = problem.learner("ada", seed=2, delayed=True).play(SOLD * 5, actions=True)
            self.assertEqual(delayed.actions, plain.actions)
            self.assertEqual(delayed.losses.tolist(), plain.losses.tolist())

    def test_outcomes_to_check_with_are_the_users_own(self):
        problem = hannan.custom(Shelf())
        found = problem.check(outcomes=[10])
        self.assertEqual(found.outcomes["count"], 1)
        witness = found.gamma["free"]["witness"]
        self.assertEqual(witness["outcome"], 10)
        self.assertEqual(witness["loss"], problem.loss(witness["action"], 10))
        with self.assertRaises(hannan.DataError):
            problem.check(outcomes=[0])


    def test_a_batch_that_fails_keeps_the_rounds_before_the_failure(self):
        learner = hannan.custom(Shelf()).learner("leader")
        with self.assertRaises(hannan.DataError) as caught:
            learner.play(SOLD + [11] + SOLD)
        self.assertEqual((caught.exception.at, learner.rounds), ("outcomes[6]", 6))
        learner = hannan.custom(Unseen()).learner("leader", by=["site"])
        with self.assertRaises(TypeError):
            learner.play(SOLD + ["none"], contexts=[["a"]] * 7)
        self.assertEqual(learner.rounds, 6)


class States(unittest.TestCase):
    def test_a_state_is_loaded_by_the_problem_and_by_nothing_else(self):
        for rules in (Shelf(), Unseen()):
            with self.subTest(rules=type(rules).__name__), tempfile.TemporaryDirectory() as folder:
                learner = hannan.custom(rules).learner("flipflop", seed=3)
                learner.play(SOLD)
                path = os.path.join(folder, "state.json")
                state = learner.save(path)
                for given in (state, path):
                    with self.assertRaises(hannan.UsageError) as caught:
                        hannan.load(given)
                    self.assertIn("hannan.custom(rules).load(state)", caught.exception.message)
                    again = hannan.custom(rules).load(given)
                    self.assertEqual((again.act(), again.save()), (learner.act(), state))
                    self.assertEqual(again.observe(40), copy.copy(learner).observe(40))

    def test_a_state_that_does_not_fit_the_problem_is_refused(self):
        learner = hannan.custom(Shelf()).learner("leader")
        learner.play(SOLD)
        other = hannan.custom(Shelf(actions=(10, 20, 30)))
        for state in (learner.save(), learner.save().replace(b'"rounds":6', b'"rounds":5'),
                      hannan.problem("experts", experts=3).learner("leader").save()):
            with self.assertRaises(hannan.DataError) as caught:
                other.load(state)
            self.assertEqual(caught.exception.code, "H401")


class OwnOracle(unittest.TestCase):
    def problem(self, oracle):
        return hannan.custom(Kiosk(), oracle=oracle, perturbation="outcomes", outcomes=range(21))

    def test_an_own_oracle_makes_the_decisions_of_the_built_in_one(self):
        oracle = Scan()
        ours = self.problem(oracle).learner("gftpl", c=1, seed=3).play(DEMAND[:40], actions=True)
        theirs = hannan.custom(Kiosk(), outcomes=range(21), perturbation="outcomes").learner("gftpl", c=1, seed=3)
        self.assertEqual(ours.actions, theirs.play(DEMAND[:40], actions=True).actions)
        self.assertGreater(oracle.calls, 30)
        self.assertEqual(ours.report().certificate["assumptions"]["oracle"], "claimed exact")

    def test_a_refuted_claim_is_an_error_and_takes_the_round_back(self):
        learner = self.problem(Wrong()).learner("leader")
        with self.assertRaises(hannan.OracleError) as caught:
            learner.play(DEMAND)
        self.assertEqual(caught.exception.code, "H705")
        state = learner.save()
        sound = self.problem(Scan()).learner("leader")
        sound.play(DEMAND[: learner.rounds])
        self.assertEqual(state.count(b'"outcome"'), sound.save().count(b'"outcome"'))
        self.assertEqual(learner.total, sound.total)

    def test_an_exception_is_raised_from_the_users_own(self):
        learner = self.problem(Broken()).learner("leader")
        with self.assertRaises(hannan.OracleError) as caught:
            learner.play(DEMAND)
        self.assertIsInstance(caught.exception.__cause__, ValueError)
        self.assertIn("solver crashed", str(caught.exception))
        played = learner.rounds
        self.assertGreater(played, 0)
        with self.assertRaises(hannan.OracleError):
            learner.play(DEMAND)
        self.assertEqual(learner.rounds, played)

    def test_an_answer_that_is_no_action_is_refused(self):
        class Silly(Scan):
            def best(self, outcomes, weights):
                return "nothing"

        with self.assertRaises(hannan.OracleError):
            self.problem(Silly()).learner("leader").play(DEMAND[:3])

    def test_built_in_problems_take_an_oracle_of_the_users_own_too(self):
        class First:
            signed = True

            def best(self, outcomes, weights):
                totals = np.zeros(4) if len(outcomes) == 0 else np.asarray(weights) @ outcomes
                return int(np.argmin(totals)), float(totals.min()) - 1e-9

        data = rows(4, 30)
        learner = hannan.problem("experts", experts=4).learner("leader", oracle=First())
        plain = hannan.problem("experts", experts=4).learner("leader")
        self.assertEqual(learner.play(data).losses.tolist(), plain.play(data).losses.tolist())
        name = hannan.register_oracle("first", First())
        named = hannan.problem("experts", experts=4).learner("leader", oracle=name)
        named.play(data[:15])
        again = hannan.load(named.save())
        self.assertEqual(again.play(data[15:]).losses.tolist(), named.play(data[15:]).losses.tolist())

    def test_a_registered_oracle_does_not_keep_the_interpreter_from_ending(self):
        code = "import hannan; hannan.register_oracle('last', lambda data: (0, None))"
        done = subprocess.run([sys.executable, "-B", "-c", code], capture_output=True, timeout=60)
        self.assertEqual((done.returncode, done.stderr), (0, b""))

    def test_a_dropped_learner_drops_its_oracle(self):
        import weakref

        oracle = Scan()
        gone = weakref.ref(oracle)
        learner = self.problem(oracle).learner("leader")
        learner.play(DEMAND[:3])
        del oracle, learner
        gc.collect()
        self.assertIsNone(gone())


class Check(unittest.TestCase):
    def test_a_sound_problem_and_oracle_pass(self):
        found = hannan.check_problem(Kiosk(), outcomes=range(21), oracle=Scan())
        self.assertEqual((found["actions"], found["outcomes"]), (21, 21))
        self.assertGreater(found["oracle_calls"], 20)

    def test_each_fault_is_found(self):
        class Size(Kiosk):
            ln_size = math.log(20)

        class Moody(Kiosk):
            calls = 0

            def loss(self, x, y):
                Moody.calls += 1
                return min(1.0, super().loss(x, y) + 1e-6 * Moody.calls / 1e4)

        class Twice(Kiosk):
            ln_size = None

            def actions(self):
                return [1, 1]

        class Inexact(Scan):
            def best(self, outcomes, weights):
                return 0, None

        class HighFloor(Scan):
            exact = False

            def best(self, outcomes, weights):
                x, value = super().best(outcomes, weights)
                return x, value + 0.5

        for rules, oracle in ((Size(), None), (Moody(), None), (Twice(), None), (Kiosk(), Inexact()),
                              (Kiosk(), HighFloor())):
            with self.subTest(rules=type(rules).__name__, oracle=type(oracle).__name__):
                with self.assertRaises(AssertionError):
                    hannan.check_problem(rules, outcomes=range(21), oracle=oracle)


if __name__ == "__main__":
    unittest.main()
