"""Prices drawn at random in Python: the words, figures and refusals of ``hannan compare --randomised``."""

import json
import os
import random
import subprocess
import tempfile
import unittest

import pandas as pd

import hannan

PROGRAM = os.environ["HANNAN_PROGRAM"]
COLUMNS = {"payment": "posted", "round": "visitor", "bid": "price", "won": "sold", "currency": "EUR"}


def offers(demand, rounds, seed):
    coins = random.Random(seed)
    prices = [coins.choice(sorted(demand)) for _ in range(rounds)]
    return pd.DataFrame({"visitor": range(rounds), "price": prices, "sold": [int(coins.random() < demand[p]) for p in prices]})


class PriceTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "test.csv")

    def program(self, frame, *flags):
        frame.to_csv(self.path, index=False)
        words = [word for name, value in COLUMNS.items() for word in ("--" + name, value)]
        return subprocess.run([PROGRAM, "compare", "item-pricing", "-d", self.path, "--format", "long", *words, "--randomised", *flags],
                              capture_output=True, text=True, timeout=120)

    def compared(self, frame, **options):
        return hannan.compare(None, hannan.convert(frame, "item-pricing", randomised=True, **COLUMNS, **options))

    def test_it_says_what_the_program_says(self):
        frame = offers({4: 0.5, 6: 0.5, 8: 0.2}, 3000, 1)
        for options, flags in (({}, []), ({"today": 4}, ["--today", "4"])):
            with self.subTest(**options):
                theirs = json.loads(self.program(frame, "--json", *flags).stdout)
                for log in (frame, self.path):
                    found = self.compared(log, **({"format": "long"} if log is self.path else {}), **options)
                    self.assertEqual(list(found), [player["name"] for player in theirs["players"]])
                    for name in ("players", "price_test", "baseline", "best", "rounds", "currency", "slots", "as_logged", "doubts"):
                        self.assertEqual(json.loads(json.dumps(found.result[name])), theirs[name], name)
                self.assertEqual((found["price 6"].verdict, found["price 8"].verdict), ("deploy", "keep"))
                self.assertTrue(found["price 6"]["judgement"]["says"].startswith("deploy price 6: it would have earned"))

    def test_the_price_is_handed_on_as_the_program_writes_it(self):
        frame = offers({4: 0.5, 6: 0.5}, 2000, 2)
        decisions = os.path.join(os.path.dirname(self.path), "d.json")
        self.assertEqual(self.program(frame, "-q", "--decisions", decisions).returncode, 0)
        with open(decisions) as file:
            theirs = json.load(file)
        found = self.compared(frame)
        self.assertEqual(hannan.decisions(found["price 6"]), theirs)
        page = os.path.join(os.path.dirname(self.path), "page.html")
        found.to_html(page)
        with open(page) as file:
            self.assertIn("price 6", file.read())

    def test_a_price_that_loses_is_refused_unless_it_is_wanted_anyway(self):
        found = self.compared(offers({4: 0.5, 6: 0.2}, 2000, 3), today=4)
        with self.assertRaisesRegex(hannan.DataError, "H212.*anyway=True writes it"):
            hannan.decisions(found["price 6"])
        self.assertEqual(hannan.decisions(found["price 6"], anyway=True)["decisions"][0]["verdict"], "keep")

    def test_too_few_offers_say_why(self):
        found = self.compared(offers({4: 0.5, 6: 0.5}, 50, 4))
        self.assertEqual((list(found), found["as logged"].verdict), (["as logged"], "cannot tell"))
        self.assertIn("no price has the 40 offers and 10 sales that a test needs", found["as logged"]["judgement"]["says"])

    def test_refusals_are_those_of_the_program_in_words_of_python(self):
        frame = offers({4: 0.5, 6: 0.5}, 400, 5)
        with self.assertRaisesRegex(hannan.UsageError, "H105: today: .*fewer than 40 offers"):
            self.compared(frame, today=5)
        with self.assertRaisesRegex(hannan.Error, "today.*randomised=True"):
            hannan.convert(frame, "item-pricing", today=4, **COLUMNS)
        bids = pd.DataFrame({"round": [1, 1], "bidder": ["a", "b"], "bid": [2, 3]})
        with self.assertRaisesRegex(hannan.Error, "randomised.*posted prices"):
            hannan.convert(bids, randomised=True, cap=5)
        twice = pd.concat([frame, frame])
        with self.assertRaisesRegex(hannan.DataError, "two offers of one good"):
            self.compared(twice.sort_values("visitor", kind="stable"))
        log = hannan.convert(frame, "item-pricing", randomised=True, **COLUMNS)
        with self.assertRaisesRegex(hannan.UsageError, "prices drawn at random are judged, not played"):
            hannan.compare(None, log, learners=["leader"])

    def test_other_logs_are_played_as_before(self):
        log = hannan.convert(offers({4: 0.5, 6: 0.5}, 400, 6), "item-pricing", **COLUMNS)
        self.assertIsNone(log.tested)
        with self.assertRaisesRegex(hannan.UsageError, "expected a problem"):
            hannan.compare(None, log)


if __name__ == "__main__":
    unittest.main()
