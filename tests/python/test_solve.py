"""problem.solve and hannan.solve: certified mixtures, frames and labels, solutions checked again."""
import json
import unittest

import hannan
import numpy as np

try:
    import pandas
except ImportError:
    pandas = None


def rows(count=300, seed=2):
    rng = np.random.default_rng(seed)
    region = rng.choice(["north", "south"], count)
    losses = 0.2 * rng.random((count, 3))
    losses[region == "north", 0] += 0.6
    losses[region == "south", 1] += 0.6
    losses[:, 2] += 0.5
    return losses, region


class SolveTest(unittest.TestCase):
    def test_all_outcomes_are_the_scenarios_of_a_game(self):
        solved = hannan.problem("finite-game", losses=[[0.5, 1, 0], [0, 0.5, 1], [1, 0, 0.5]]).solve()
        self.assertAlmostEqual(solved.lower, 0.5, 6)
        self.assertAlmostEqual(solved.upper, 0.5, 6)
        np.testing.assert_allclose(solved.probabilities, [1 / 3] * 3, atol=1e-6)
        self.assertTrue(solved.closed and solved.verify().verified)
        self.assertEqual(json.loads(solved.to_json())["stopped"], "closed")
        self.assertIn("Solution", repr(solved))

    def test_groups_of_rows_are_checked_against_the_same_rows(self):
        losses, region = rows()
        problem = hannan.problem("experts", experts=3)
        solved = hannan.solve(problem, losses, group=region)
        self.assertEqual(set(solved.losses), {"north", "south"})
        self.assertAlmostEqual(max(solved.losses.values()), solved.upper, 7)
        self.assertLess(solved.upper, solved.best_average["worst"] - 0.1)
        self.assertTrue(solved.verify(losses, group=region).verified)
        with self.assertRaises(hannan.DataError) as refused:
            solved.verify(losses[::-1].copy(), group=region)
        self.assertEqual(refused.exception.code, "H601")
        held = problem.solve(losses, group=region, hold=0.3)
        self.assertGreater(held.gain["held"]["worst_best_average"], held.gain["held"]["worst"])
        self.assertTrue(held.verify(losses, group=region).verified)
        many = problem.solve(losses)
        self.assertEqual(len(many["losses"]), 300)

    def test_scenarios_budgets_and_options(self):
        game = hannan.problem("finite-game", losses=[[0, 1], [1, 0], [0.6, 0.6]])
        listed = [{"name": "a", "data": [{"weight": 1, "outcome": 0}]}, {"name": "b", "data": [{"weight": 1, "outcome": 1}]}]
        self.assertAlmostEqual(hannan.solve(game, listed).upper, 0.5, 6)
        self.assertAlmostEqual(game.solve(worst=2).upper, 0.5, 6)
        self.assertAlmostEqual(game.solve(regret=True).upper, 0.5, 6)
        town = hannan.problem("routing", edges=[[0, 1], [1, 3], [0, 2], [2, 3]], source=0, target=3)
        route = town.solve(budget=1, base=np.zeros(4), rise=np.ones(4))
        self.assertAlmostEqual(route.upper, 0.25, 6)
        self.assertTrue(route.verify().verified)

    def test_what_contradicts_itself_is_refused(self):
        game = hannan.problem("finite-game", losses=[[0, 1], [1, 0]])
        for code, options in (("H100", dict(worst=1, budget=1)), ("H105", dict(cap=0.2)), ("H105", dict(tolerance=0)),
                              ("H206", dict(scenarios=[])), ("H103", dict(colour=1)), ("H108", dict(budget=1)),
                              ("H100", dict(group=["a", "b"]))):
            with self.assertRaises(hannan.UsageError if code != "H206" else hannan.DataError, msg=options) as refused:
                game.solve(**options)
            self.assertEqual(refused.exception.code, code)
        losses, region = rows(10)
        with self.assertRaises(hannan.Error) as refused:
            hannan.problem("experts", experts=3).solve(losses, group=region[:-1])
        self.assertEqual(refused.exception.code, "H203")

    @unittest.skipIf(pandas is None, "pandas is not installed")
    def test_frames_name_actions_and_groups(self):
        losses, region = rows()
        frame = pandas.DataFrame(losses, columns=["a", "b", "c"])
        problem = hannan.problem("experts", experts=3)
        by_column = problem.solve(frame.assign(region=region), group="region")
        self.assertEqual(set(by_column.actions) - {"a", "b", "c"}, set())
        self.assertEqual(by_column.upper, problem.solve(losses, group=region).upper)
        self.assertTrue(by_column.verify(frame.assign(region=region), group="region").verified)
        table = by_column.to_frame()
        self.assertAlmostEqual(table["probability"].sum(), 1)

    def test_an_oracle_in_python_serves_and_its_claims_are_named(self):
        class Search:
            exact = True
            signed = True

            def best(self, outcomes, weights):
                return int(np.argmin(np.asarray(weights) @ np.asarray(outcomes, dtype=float)))

        hannan.register_oracle("sums", Search())
        problem = hannan.problem("experts", experts=3)
        losses, region = rows(60)
        solved = problem.solve(losses, group=region, oracle="own:sums")
        self.assertTrue(solved.claims)
        self.assertAlmostEqual(solved.upper, problem.solve(losses, group=region).upper, 7)
        self.assertTrue(solved.verify(losses, group=region).verified)


if __name__ == "__main__":
    unittest.main()
