"""Problems of the user's own whose actions cannot be listed: rules and an oracle, audited."""

import itertools
import json
import math
import threading
import unittest

import hannan
import numpy as np
from test_custom import DEMAND, Kiosk, Scan, Wrong


class Orders:
    """The kiosk without a list of its actions."""

    ln_size = math.log(21)

    def loss(self, x, y):
        return Kiosk().loss(x, y)

    def outcomes(self):
        return range(21)


class Paths:
    """Eight ways left or right: 256 actions that nothing here lists. An outcome is what each step to the right costs."""

    ln_size = 8 * math.log(2)

    def loss(self, x, y):
        return float(sum(cost for step, cost in zip(x, y) if step == "right")) / 8

    def allows(self, x):
        return len(x) == 8 and set(x) <= {"left", "right"}


class Walk:
    """Each step is chosen alone."""

    signed, exact = True, True

    def best(self, outcomes, weights):
        totals = np.zeros(8) if len(outcomes) == 0 else np.asarray(weights) @ np.asarray(outcomes)
        return ["right" if total < 0 else "left" for total in totals], None


class Floors(Scan):
    """Knows what it found, and claims a floor below it."""

    exact = False

    def best(self, outcomes, weights):
        x, value = super().best(outcomes, weights)
        return x, value - 0.01


class Away(Scan):
    fails = False

    def best(self, outcomes, weights):
        if self.fails:
            raise ValueError("solver is away")
        return super().best(outcomes, weights)


class Crash(Scan):
    def __init__(self, after):
        super().__init__()
        self.after = after

    def best(self, outcomes, weights):
        if self.calls >= self.after:
            raise ValueError(f"solver crashed after {self.after}")
        return super().best(outcomes, weights)


def unlisted(oracle=None, **more):
    return hannan.custom(Orders(), oracle=oracle or Scan(), perturbation="outcomes", **more)


def listed():
    return hannan.custom(Kiosk(), outcomes=range(21), oracle=Scan(), perturbation="outcomes")


ROWS = np.random.default_rng(5).random((60, 8))


class SameAsListed(unittest.TestCase):
    def test_an_exact_oracle_makes_the_same_decisions_and_losses(self):
        for kind, params in (("leader", {}), ("gftpl", {"c": 1, "seed": 3}), ("flipflop", {"seed": 3}), ("ada", {"seed": 4})):
            with self.subTest(kind=kind):
                without = unlisted().learner(kind, **params).play(DEMAND[:40], actions=True)
                with_list = listed().learner(kind, **params).play(DEMAND[:40], actions=True)
                self.assertEqual(without.actions, with_list.actions)
                self.assertEqual(without.losses.tolist(), with_list.losses.tolist())
                self.assertEqual(without.best.tolist(), with_list.best.tolist())
                ours, theirs = without.report(), with_list.report()
                self.assertEqual([dict(bound) for bound in ours.bounds], [dict(bound) for bound in theirs.bounds])
                self.assertEqual(ours.certificate["assumptions"], theirs.certificate["assumptions"])

    def test_a_batch_equals_its_loop(self):
        batch, loop = unlisted().learner("gftpl", seed=4), unlisted().learner("gftpl", seed=4)
        batch.play(DEMAND[:30])
        for y in DEMAND[:30]:
            loop.act()
            loop.observe(y)
        self.assertEqual(batch.total, loop.total)
        ours, theirs = (json.loads(learner.save())["state"] for learner in (batch, loop))
        self.assertEqual(ours, theirs)

    def test_best_and_what_a_problem_without_a_list_cannot_do(self):
        problem = unlisted()
        self.assertEqual(problem.best(DEMAND[:9]).action, listed().best(DEMAND[:9]).action)
        self.assertAlmostEqual(problem.ln_actions, math.log(21))
        for call in (problem.actions, lambda: problem.losses(3), lambda: problem.summary([3]), problem.check,
                     lambda: problem.learner("adahedge"), lambda: hannan.compare(problem, [3])):
            with self.assertRaises(hannan.UsageError) as caught:
                call()
            self.assertEqual(caught.exception.code, "H108")

    def test_what_it_needs_is_asked_for(self):
        class Sizeless(Orders):
            ln_size = None

        for make, at in ((lambda: hannan.custom(Orders()), "oracle"),
                         (lambda: hannan.custom(Sizeless(), oracle=Scan()), "ln_size"),
                         (lambda: hannan.custom(Paths(), oracle=Walk()).learner("gftpl"), "outcomes")):
            with self.assertRaises(hannan.UsageError) as caught:
                make()
            self.assertEqual((caught.exception.code, caught.exception.at), ("H102", at))
        with self.assertRaises(hannan.DataError) as caught:
            unlisted().learner("leader").observe(21)
        self.assertEqual(caught.exception.code, "H301")


class RowsAndTuples(unittest.TestCase):
    """Outcomes that are not listed, actions that are tuples, noise from data sets of the user's own."""

    def problem(self):
        columns = [[(1.0, row.tolist())] for row in np.eye(8)]
        return hannan.custom(Paths(), oracle=Walk(), columns=columns)

    def test_actions_are_tuples_and_outcomes_rows(self):
        learner = self.problem().learner("gftpl", gamma=8, c=1, seed=2)
        run = learner.play(ROWS, actions=True)
        self.assertTrue(all(isinstance(x, tuple) and len(x) == 8 for x in run.actions))
        expected = [Paths().loss(x, y) for x, y in zip(run.actions, ROWS)]
        self.assertEqual(run.losses.tolist(), expected)
        every = list(itertools.product(("left", "right"), repeat=8))
        totals = [sum(Paths().loss(x, y) for y in ROWS) for x in every]
        self.assertAlmostEqual(learner.best, min(totals), places=9)
        self.assertEqual(learner.best_action, every[int(np.argmin(totals))])

    def test_a_loaded_learner_goes_on(self):
        problem = self.problem()
        learner = problem.learner("gftpl", gamma=8, seed=2)
        learner.play(ROWS[:20])
        for again in (problem.load(learner.save()), hannan.load(learner.save())):
            self.assertEqual(again.act(), learner.act())
            self.assertEqual(again.save(), learner.save())
            self.assertIs(again.problem, problem)
        other = self.problem().load(learner.save())
        self.assertEqual(other.play(ROWS[20:], actions=True).actions, learner.play(ROWS[20:], actions=True).actions)

    def test_an_answer_that_is_no_action_is_refused(self):
        class Lost(Walk):
            def best(self, outcomes, weights):
                return ["up"] * 8, None

        with self.assertRaises(hannan.OracleError) as caught:
            hannan.custom(Paths(), oracle=Lost()).learner("leader").play(ROWS[:3])
        self.assertEqual(caught.exception.code, "H704")

    def test_actions_may_be_any_objects_that_the_rules_write_as_json(self):
        class Sets(Paths):
            def loss(self, x, y):
                return float(sum(y[i] for i in x)) / 8

            def allows(self, x):
                return isinstance(x, frozenset)

            def action_to_json(self, x):
                return sorted(x)

            def action_from_json(self, value):
                return frozenset(value)

        class Positive(Walk):
            def best(self, outcomes, weights):
                steps, _ = super().best(outcomes, weights)
                return frozenset(i for i, step in enumerate(steps) if step == "right"), None

        learner = hannan.custom(Sets(), oracle=Positive()).learner("leader")
        learner.play(ROWS[:5] - 0.0)
        self.assertEqual(learner.act(), frozenset())
        self.assertEqual(hannan.load(learner.save()).act(), frozenset())


class Distrust(unittest.TestCase):
    def test_a_lie_is_refuted_and_the_round_taken_back(self):
        learner = unlisted(Wrong()).learner("leader")
        with self.assertRaises(hannan.OracleError) as caught:
            learner.play(DEMAND)
        self.assertEqual(caught.exception.code, "H705")
        sound = unlisted().learner("leader")
        sound.play(DEMAND[: learner.rounds])
        self.assertEqual(learner.total, sound.total)

    def test_a_floor_that_is_too_high_is_refuted(self):
        class High(Floors):
            def best(self, outcomes, weights):
                x, value = Scan.best(self, outcomes, weights)
                return x, value + 0.5

        with self.assertRaises(hannan.OracleError) as caught:
            unlisted(High()).learner("leader").play(DEMAND)
        self.assertEqual(caught.exception.code, "H705")

    def test_an_exception_takes_the_round_back_and_is_the_cause(self):
        learner = unlisted(Crash(6)).learner("leader")
        with self.assertRaises(hannan.OracleError) as caught:
            learner.play(DEMAND)
        self.assertIsInstance(caught.exception.__cause__, ValueError)
        played = learner.rounds
        self.assertGreater(played, 0)
        before = learner.save()
        with self.assertRaises(hannan.OracleError):
            learner.observe(DEMAND[played])
        self.assertEqual(learner.save(), before)
        learner.problem._oracle.after = 10**9
        learner.play(DEMAND[played:50])
        sound = unlisted().learner("leader")
        sound.play(DEMAND[:50])
        self.assertEqual((learner.total, learner.rounds), (sound.total, 50))

    def test_losses_are_checked_and_what_they_raise_is_the_cause(self):
        class Wide(Orders):
            def loss(self, x, y):
                return 2.0 if y == 4 else Kiosk().loss(x, y)

        class Failing(Orders):
            def loss(self, x, y):
                if y == 4:
                    raise KeyError("no price")
                return Kiosk().loss(x, y)

        learner = hannan.custom(Wide(), oracle=Scan()).learner("leader")
        learner.observe(3)
        with self.assertRaises(hannan.DataError) as caught:
            learner.observe(4)
        self.assertEqual(caught.exception.code, "H205")
        self.assertEqual(learner.rounds, 1)
        learner = hannan.custom(Failing(), oracle=Scan()).learner("leader")
        with self.assertRaises(hannan.OracleError) as refused:
            learner.observe(4)
        self.assertIsInstance(refused.exception.__cause__, KeyError)
        self.assertEqual(learner.rounds, 0)

    def test_an_inexact_oracle_gets_an_upper_limit_of_the_noise(self):
        oracle = Floors()
        problem = unlisted(oracle)
        size = problem.noise_size("outcomes")
        self.assertEqual((size.method, oracle.calls), ("upper-limit", 0))
        # The mean of the positive parts of 21 Laplace numbers is 21/2; the interval has level 99.9 %.
        self.assertTrue(size.low <= 10.5 <= size.high)
        exact = listed().noise_size("outcomes")
        self.assertGreater(size.low, exact.high)
        run = problem.learner("gftpl", c=1, seed=1).play(DEMAND[:30])
        self.assertEqual(run.report().certificate["assumptions"]["oracle"], "claimed floors")

    def test_threads_have_their_own_errors_and_do_not_deadlock(self):
        found = {}

        def play(number):
            try:
                unlisted(Crash(10 + number)).learner("leader").play(DEMAND)
            except hannan.OracleError as error:
                found[number] = (str(error), str(error.__cause__))

        def sound(number):
            found[number] = unlisted().learner("gftpl", seed=number).play(DEMAND[:30]).losses.tolist()

        threads = [threading.Thread(target=play, args=(n,), daemon=True) for n in range(4)]
        threads += [threading.Thread(target=sound, args=(n,), daemon=True) for n in range(4, 8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(timeout=120)
            self.assertFalse(thread.is_alive())
        for number in range(4):
            self.assertIn(f"solver crashed after {10 + number}", found[number][0])
            self.assertEqual(found[number][1], f"solver crashed after {10 + number}")
        for number in range(4, 8):
            self.assertEqual(found[number], unlisted().learner("gftpl", seed=number).play(DEMAND[:30]).losses.tolist())


class Check(unittest.TestCase):
    def test_a_sound_problem_passes_and_it_says_what_it_could_not_check(self):
        found = hannan.check_problem(Orders(), oracle=Scan())
        self.assertEqual(found.outcomes, 21)
        self.assertGreater(found.actions, 1)
        self.assertEqual(len(found.unchecked), 2)
        self.assertEqual(hannan.check_problem(Kiosk(), outcomes=range(21), oracle=Scan()).unchecked, [])
        self.assertGreater(hannan.check_problem(Paths(), outcomes=ROWS.tolist(), oracle=Walk()).actions, 1)

    def test_each_fault_is_found(self):
        class Moody(Orders):
            calls = 0

            def loss(self, x, y):
                Moody.calls += 1
                return min(1.0, Kiosk().loss(x, y) + 1e-10 * Moody.calls)

        class Fickle(Scan):
            def best(self, outcomes, weights):
                x, _ = super().best(outcomes, weights)
                return (x + self.calls % 2) % 21, None

        class HighFloor(Scan):
            exact = False

            def best(self, outcomes, weights):
                x, value = super().best(outcomes, weights)
                return x, value + 0.5

        class Picky(Orders):
            def allows(self, x):
                return x < 3

        class Opaque(Scan):
            def best(self, outcomes, weights):
                return {1, 2}, None

        class Distracted(Scan):
            """Exact for some questions and not for others, the same each time."""

            def best(self, outcomes, weights):
                x, value = super().best(outcomes, weights)
                return ((x + 9) % 21 if weights[0] > 0 else x), None

        for rules, oracle in ((Moody(), Scan()), (Orders(), Fickle()), (Orders(), HighFloor()), (Picky(), Scan()),
                              (Orders(), Distracted()), (Orders(), Opaque())):
            with self.subTest(rules=type(rules).__name__, oracle=type(oracle).__name__):
                with self.assertRaises(AssertionError):
                    hannan.check_problem(rules, oracle=oracle)


if __name__ == "__main__":
    unittest.main()
