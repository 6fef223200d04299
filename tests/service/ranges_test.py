"""A best fixed choice that is not proven is a range wherever the service speaks of it, and no verdict is given on it."""
import json
import random
import tempfile
import time
import unittest

from server import Server, main

BIDS = {"kind": "vcg-reserves", "params": {"bidders": 4, "levels": 20}}
MONEY = {"slots": ["a", "b", "c", "*"], "cap": 5.0, "currency": "USD"}
SHORT = {"problem": BIDS, "learner": {"params": {"oracle": "branch_bound:1"}}, **MONEY}
WHOLE = {"problem": BIDS, **MONEY}
SMALL = {"problem": {"kind": "vcg-reserves", "params": {"bidders": 2, "levels": 4}}, "slots": ["a", "b"], "cap": 5.0, "currency": "USD"}


def outcomes(rounds, seed=3):
    coins = random.Random(seed)
    return [[round(coins.betavariate(2, 3), 4) if coins.random() < 0.8 else 0 for _ in range(4)] for _ in range(rounds)]


def blocks(gains):
    """The interval of eight consecutive blocks, as docs/judgement.md has it."""
    totals, begin = [], 0
    for i in range(8):
        length = len(gains) // 8 + (i < len(gains) % 8)
        totals.append(sum(gains[begin:begin + length]))
        begin += length
    mean = sum(totals) / 8
    half = 2.3646242510102993 * (sum((x - mean) ** 2 for x in totals) / 7) ** 0.5 * 8 ** 0.5
    return sum(totals) - half, sum(totals) + half


class Ranges(unittest.TestCase):
    """One service for all: the search for the best of 160,000 reserves takes most of the time."""

    ROUNDS = 40

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.server = Server(folder.name)
        cls.addClassCleanup(lambda: cls.server.process.poll() is None and cls.server.kill())
        cls.answers = {}
        for name, body in (("short", SHORT), ("whole", WHOLE), ("small", SMALL)):
            assert cls.server.ask("PUT", "/v1/learners/" + name, body)[0] == 201
        for name in ("short", "whole"):
            cls.answers[name] = cls.tell(name, outcomes(cls.ROUNDS))
        cls.tell("small", [row[:2] for row in outcomes(600, seed=4)])
        cls.best = cls.server.json("GET", "/v1/learners/whole")["best"]

    @classmethod
    def tell(cls, name, rows, first=0):
        body = {"outcomes": [{"id": str(first + i), "outcome": row} for i, row in enumerate(rows)]}
        return cls.server.json("POST", f"/v1/learners/{name}/outcomes", body)

    def expect_range(self, answer):
        low, high = answer["best_range"]
        self.assertEqual((answer["best_proven"], high), (False, answer["best"]))
        self.assertLess(low, high - 1e-3)
        self.assertLessEqual(low, self.best + 1e-9)
        self.assertGreaterEqual(high, self.best - 1e-9)
        self.assertEqual(answer["regret_range"], [answer["total"] - high, answer["total"] - low])

    def test_answers_lists_and_reports_state_the_same_range(self):
        report = self.server.json("GET", "/v1/learners/short/report")
        one = self.server.json("GET", "/v1/learners/short")
        row, = [row for row in self.server.json("GET", "/v1/learners")["learners"] if row["name"] == "short"]
        for answer in (self.answers["short"], one, row):
            self.expect_range(answer)
            for name in ("best_proven", "best_range", "regret_range"):
                self.assertEqual(answer[name], report[name], name)
        low, high = one["money"]["best_range"]
        self.assertLess(low, high)
        self.assertAlmostEqual(low, 5 * (self.ROUNDS - one["best_range"][1]))  # what was found earns less than what may be
        self.assertAlmostEqual(high, 5 * (self.ROUNDS - one["best_range"][0]))

    def test_a_best_that_is_proven_is_one_number(self):
        one = self.server.json("GET", "/v1/learners/whole")
        self.assertEqual((one["best_proven"], one["best_range"]), (True, [one["best"]] * 2))
        self.assertEqual(one["regret_range"], [one["regret"]] * 2)
        self.assertEqual(one["money"]["best_range"], [one["money"]["best"]] * 2)
        curve = self.server.json("GET", "/v1/learners/whole/curve?points=20")
        self.assertEqual([low for low, _ in curve["regret_range"]], [high for _, high in curve["regret_range"]])

    def test_the_course_of_the_run_has_the_range_of_every_stretch(self):
        curve = self.server.json("GET", "/v1/learners/short/curve?points=12")
        self.assertEqual(len(curve["regret_range"]), len(curve["rounds"]))
        self.assertTrue(any(low < high - 1e-3 for low, high in curve["regret_range"]))
        for low, high, (first, second) in zip(curve["least"], curve["greatest"], curve["regret_range"]):
            self.assertLessEqual(low, first)
            self.assertLessEqual(second, high)
        self.assertEqual(curve["regret_range"][-1], self.server.json("GET", "/v1/learners/short")["regret_range"])

    def test_the_page_without_scripts_has_it_too(self):
        page = self.server.ask("GET", "/")[2].decode()
        low, high = self.server.json("GET", "/v1/learners/short")["regret_range"]
        self.assertIn(f"<td>from {low:.2f} to {high:.2f}, not proven</td>", page)

    def test_no_verdict_rests_on_a_best_that_is_not_proven(self):
        for name, doubts in (("short", ["unproven best"]), ("whole", [])):
            judged = self.server.json("GET", "/v1/learners/" + name)["judgement"]
            self.assertEqual([doubt["doubt"] for doubt in judged["doubts"]], doubts, judged)
        self.assertEqual(self.server.json("GET", "/v1/learners/short")["judgement"]["recommendation"], "cannot tell")

    def test_the_gain_is_judged_as_a_comparison_judges_it(self):
        one = self.server.json("GET", "/v1/learners/small")
        judged, rounds = one["judgement"], one["judgement"]["round"]
        self.assertGreaterEqual(rounds, one["rounds"] / 1.03 - 1)
        lines = [json.loads(line) for line in self.server.ask("GET", "/v1/learners/small/record")[2].splitlines()][1:-1]
        gains = [5 * (1 - line["loss"]) - 5 * sorted(line["outcome"])[-2] for line in lines[:rounds]]
        self.assertAlmostEqual(judged["gain"], sum(gains), places=6)
        low, high = blocks(gains)
        self.assertLessEqual(judged["range"][0], low + 25)  # blocks end at the nearest stretch of two rounds
        self.assertGreaterEqual(judged["range"][1], high - 25)
        self.assertEqual([one["gain"]["low"], one["gain"]["high"]], judged["range"])
        self.assertIn(judged["recommendation"], ("deploy", "keep", "cannot tell"))
        self.assertTrue(judged["says"].startswith({"deploy": "deploy ", "keep": "keep ", "cannot tell": "this log cannot tell"}[judged["recommendation"]]))
        usd, = self.server.json("GET", "/v1/learners")["summary"]["money"]
        self.assertEqual(sum(usd["verdicts"].values()), usd["learners"])
        self.assertNotIn("low", usd)

    def test_a_restart_from_a_snapshot_says_the_same(self):
        before = [self.server.json("GET", "/v1/learners/" + name) for name in ("short", "whole")]
        curve = self.server.json("GET", "/v1/learners/short/curve?points=20")
        self.server.stop()
        self.server.start()
        for _ in range(300):  # the search for the best of the last round is made again
            if all("rounds" in self.server.json("GET", "/v1/learners/" + one["name"]) for one in before):
                break
            time.sleep(0.2)
        for one in before:
            again = self.server.json("GET", "/v1/learners/" + one["name"])
            for name in ("best_proven", "best_range", "regret_range", "promise", "judgement", "gain"):
                self.assertEqual(again[name], one[name], name)
        self.assertEqual(self.server.json("GET", "/v1/learners/short/curve?points=20"), curve)

    def test_an_event_has_the_range_of_its_round(self):
        connection = self.server.connection()
        connection.request("GET", "/v1/learners/short/events")
        answer = connection.getresponse()
        rounds = [line for line in (answer.readline().decode() for _ in range(7)) if '"regret' in line]
        connection.close()
        self.expect_range(json.loads(rounds[0].split(":", 1)[1]))


if __name__ == "__main__":
    main()
