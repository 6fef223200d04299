"""`ada` with a discount: what it plays, what it reports, what it refuses."""
import json
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "vectors"))
from pipe_client import Pipe, PipeError  # noqa: E402
from program import BINARY, losses  # noqa: E402


def game(pipe, kind="experts", **params):
    pipe.ask("problem", **{"as": "p", "kind": kind, "params": params or {"experts": 4}})


def learner(pipe, name="l", **params):
    return pipe.ask("learner", **{"as": name, "of": "p", "kind": "ada", "params": params})["params"]


def play(pipe, outcomes, name="l"):
    return [(pipe.ask("act", of=name), pipe.ask("observe", of=name, outcome=y)) for y in outcomes]


class Discount(unittest.TestCase):
    def setUp(self):
        self.pipe = Pipe(BINARY)
        self.addCleanup(self.pipe.close)

    def refused(self, code, at, kind="ada", **params):
        with self.assertRaises(PipeError) as caught:
            self.pipe.ask("learner", **{"as": "l", "of": "p", "kind": kind, "params": params})
        self.assertEqual((caught.exception.error["code"], caught.exception.error["at"]), (code, at))

    def test_a_discount_of_one_is_the_plain_learner(self):
        game(self.pipe)
        data = losses(80, 4)
        self.assertNotIn("discount", learner(self.pipe, discount=1, seed=3))
        plain = play(self.pipe, data)
        learner(self.pipe, seed=3)
        self.assertEqual(play(self.pipe, data), plain)
        self.assertNotIn("discounted", plain[-1][1])

    def test_half_life_is_the_age_at_which_a_round_counts_half(self):
        game(self.pipe)
        self.assertAlmostEqual(learner(self.pipe, half_life=10)["discount"] ** 10, 0.5, places=14)

    def test_regret_is_reported_both_ways(self):
        game(self.pipe)
        data, beta = losses(60, 4), 0.9
        learner(self.pipe, discount=beta, seed=5)
        rounds = play(self.pipe, data)
        total, plain, sums, plain_sums = 0.0, 0.0, [0.0] * 4, [0.0] * 4
        for y, (act, seen) in zip(data, rounds):
            total = beta * total + y[act["action"]]
            plain += y[act["action"]]
            sums = [beta * s + loss for s, loss in zip(sums, y)]
            plain_sums = [s + loss for s, loss in zip(plain_sums, y)]
            self.assertAlmostEqual(seen["discounted"]["total"], total, places=10)
            self.assertAlmostEqual(seen["discounted"]["best"], min(sums), places=10)
            self.assertAlmostEqual(seen["discounted"]["regret"], total - min(sums), places=10)
            self.assertAlmostEqual(seen["total"], plain, places=10)
            self.assertAlmostEqual(seen["best"], min(plain_sums), places=10)
            self.assertIsNone(seen["limit"])
        self.assertEqual(rounds[-1][1]["oracle_calls"], 2 * len(data))
        report = self.pipe.ask("report", of="l")
        bounds = {b["name"]: b for b in report["certificate"]["bounds"]}
        self.assertEqual(set(bounds), {"run", "discounted"})
        self.assertTrue(bounds["run"]["discounted"])
        M, gamma = report["certificate"]["assumptions"]["M"], report["certificate"]["assumptions"]["gamma"]
        closed = self.pipe.ask("bound", name="discounted",
                               params={"M": M, "gamma": gamma, "discount": beta, "rounds": len(data)})["value"]
        self.assertAlmostEqual(bounds["discounted"]["value"], closed, places=9)
        self.assertAlmostEqual(report["discounted"]["regret"], total - min(sums), places=10)
        self.assertEqual(report["best_action"], plain_sums.index(min(plain_sums)))
        self.assertIsNone(report["measured"])

    def test_it_follows_a_change_that_the_plain_learner_misses(self):
        game(self.pipe, experts=2)
        data = [[0, 1]] * 150 + [[1, 0]] * 100
        learner(self.pipe, half_life=10)
        learner(self.pipe, name="plain")
        discounted, plain = play(self.pipe, data)[-1][1], play(self.pipe, data, "plain")[-1][1]
        self.assertLess(discounted["total"], 30)
        self.assertGreater(plain["total"], 80)

    def test_a_saved_run_goes_on_with_the_same_bits(self):
        pools = ({"pool": 0}, {"pool": 8})
        for kind, params, data in (
                ("experts", {"experts": 4}, losses(60, 4)),
                ("vcg-reserves", {"bidders": 3, "levels": 4}, [[b / 2 for b in row] for row in losses(60, 3)]),
                ("classification", {"points": [[0, 1], [1, 2], [2, 0], [3, 3]], "hypotheses": "stumps"},
                 [{"point": t * 7 % 4, "label": t * t % 3 % 2} for t in range(60)])):
            for more in pools:
                with self.subTest(kind=kind, **more):
                    game(self.pipe, kind, **params)
                    learner(self.pipe, discount=0.8, **more)
                    play(self.pipe, data[:31])
                    self.pipe.ask("act", of="l")
                    state = self.pipe.ask("save", of="l")["state"]
                    rest = play(self.pipe, data[31:])
                    self.pipe.ask("load", **{"as": "m", "state": json.loads(json.dumps(state))})
                    self.assertEqual(play(self.pipe, data[31:], "m"), rest)

    def test_a_pool_changes_no_decision(self):
        game(self.pipe, "vcg-reserves", bidders=3, levels=4)
        data = [[b / 2 for b in row] for row in losses(120, 3)]
        runs = []
        for pool in (0, 4, 16):
            learner(self.pipe, discount=0.9, pool=pool, seed=2)
            runs.append([(a["action"], round(o["discounted"]["best"], 9)) for a, o in play(self.pipe, data)])
        self.assertEqual(runs[1], runs[0])
        self.assertEqual(runs[2], runs[0])

    def test_what_cannot_be_is_refused(self):
        game(self.pipe)
        self.refused("H108", "params.half_life", half_life=3, discount=0.5)
        self.refused("H108", "params.gap", discount=0.5, gap="loss")
        self.refused("H108", "params.delayed", discount=0.5, delayed=True)
        self.refused("H105", "params.discount", discount=0)
        self.refused("H105", "params.discount", discount=1.5)
        self.refused("H103", "params.discount", kind="flipflop", discount=0.5)
        program = pathlib.Path(__file__).parent / "oracles" / "faulty.py"
        self.refused("H108", "params.oracle", discount=0.5, oracle=f"external:{sys.executable} {program} none")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
