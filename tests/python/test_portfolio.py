"""Portfolios from Python: kinds, learners and objects of one's own as strategies."""
import random
import unittest

import numpy as np

import hannan


def rows(rounds, experts=3, seed=1):
    draw = random.Random(seed)
    return np.array([[draw.random() * (0.5 + 0.25 * k) for k in range(experts)] for _ in range(rounds)])


class Second:
    """Always the second expert, and nothing in every fifth round."""

    def __init__(self):
        self.asked, self.seen = 0, []

    def act(self, context=None):
        self.asked += 1
        return None if len(self.seen) % 5 == 4 else 1

    def observe(self, outcome):
        self.seen.append(outcome)


class Portfolio(unittest.TestCase):
    def setUp(self):
        self.problem = hannan.problem("experts", experts=3)

    def test_objects_of_ones_own_are_strategies(self):
        own = Second()
        play = hannan.portfolio(self.problem, today=2, strategies=[own, "flipflop", hannan.learner("leader")], risk=3.0)
        data = rows(40)
        run = play.play(data, actions=True)
        self.assertEqual((len(run), len(own.seen), own.asked), (40, 40, 40))
        report = run.report()
        self.assertAlmostEqual(report["total"], run.losses.sum(), places=9)
        self.assertGreaterEqual(report["low"], -3.0)
        frame = run.strategies
        self.assertEqual(list(frame["name"]), ["today", "Second", "flipflop", "leader"])
        self.assertEqual(frame["proposed"][1], 32)
        self.assertAlmostEqual(frame["total"][0], data[:, 2].sum(), places=9)
        self.assertEqual([b["name"] for b in report["certificate"]["bounds"] if b["holds"] is False], [])

    def test_default_strategies_play_an_array_and_its_record_verifies(self):
        import os
        import tempfile
        play = hannan.portfolio(self.problem, today=2, risk=2)
        with tempfile.TemporaryDirectory() as folder:
            run = play.play(rows(30), record=os.path.join(folder, "run.jsonl"))
            self.assertTrue(run.verify().verified)
        again = hannan.portfolio(self.problem, today=2, risk=2)
        for t, row in enumerate(rows(30)):
            again.act()
            self.assertAlmostEqual(again.observe(row).loss, run.losses[t], places=12)

    def test_a_bad_proposal_changes_nothing(self):
        class Wrong(Second):
            def act(self, context=None):
                return 7

        play = hannan.portfolio(self.problem, today=0, strategies=[Wrong(), "leader"])
        before = play._save()
        with self.assertRaises(hannan.Error) as raised:
            play.observe([0.1, 0.2, 0.3])
        self.assertEqual(raised.exception.code, "H302")
        self.assertIn("Wrong", str(raised.exception))
        self.assertEqual(play._save(), before)

    def test_a_logged_today_is_told_its_loss(self):
        play = hannan.portfolio(self.problem, today="logged", strategies=["leader"], risk=2)
        with self.assertRaises(hannan.Error) as raised:
            play.observe([0.1, 0.2, 0.3])
        self.assertEqual(raised.exception.code, "H102")
        self.assertEqual(play.observe([0.1, 0.2, 0.3], today=0.25).losses[0], 0.25)

    def test_rehearsed_rounds_are_not_charged(self):
        play = hannan.portfolio(self.problem, today=0, strategies=["leader"], risk=2)
        play.observe([0.9, 0.2, 0.3], warm=True)
        self.assertEqual((play.rounds, play.report()["total"]), (1, 0))
        play.observe([0.9, 0.2, 0.3])
        with self.assertRaises(hannan.Error) as raised:
            play.observe([0.9, 0.2, 0.3], warm=True)
        self.assertEqual(raised.exception.code, "H105")


class Compared(unittest.TestCase):
    """The portfolio of ``hannan.compare``."""

    def setUp(self):
        self.problem = hannan.problem("experts", experts=3)
        self.data = rows(200)

    def test_it_is_first_where_something_is_done_today(self):
        self.assertEqual(list(hannan.compare(self.problem, self.data))[:2], ["leader", "flipflop"])
        self.assertIsNone(hannan.compare(self.problem, self.data).portfolio)
        found = hannan.compare(self.problem, self.data, fixed={"today": 2})
        self.assertEqual(list(found)[:3], ["portfolio", "leader", "flipflop"])
        lost = self.data[:, 2].sum()
        self.assertAlmostEqual(found.portfolio["risk"], 0.01 * lost, places=9)
        self.assertAlmostEqual(found.portfolio["gain"], lost - found["portfolio"]["loss"], places=9)
        self.assertGreaterEqual(found.portfolio["low"], -found.portfolio["risk"])
        self.assertEqual(found.strategies.index[0], "today")
        self.assertAlmostEqual(found.strategies["weight"].sum(), 1, places=9)
        self.assertEqual(list(hannan.compare(self.problem, self.data, ["leader"], fixed={"today": 2}))[0], "leader")

    def test_the_risk_is_an_amount_or_a_share_and_proposals_join(self):
        proposed = [0 if t % 2 else None for t in range(200)]
        found = hannan.compare(self.problem, self.data, fixed={"today": 2}, risk=3, propose={"team": proposed})
        self.assertEqual(found.portfolio["risk"], 3)
        team = found.portfolio["strategies"][-1]
        self.assertEqual((team["name"], team["kind"]), ("team", "given"))
        shadow = hannan.compare(self.problem, self.data, fixed={"today": 2}, risk="1%", propose={"team": proposed},
                                shadows=["team"])
        plain = hannan.compare(self.problem, self.data, fixed={"today": 2})
        self.assertEqual(shadow["portfolio"]["loss"], plain["portfolio"]["loss"])
        for options, code in (({"risk": 0}, "H105"), ({"risk": "much"}, "H105"), ({"propose": {"team": [7]}}, "H302"),
                              ({"shadows": ["other"]}, "H106")):
            with self.assertRaises(hannan.Error) as caught:
                hannan.compare(self.problem, self.data, fixed={"today": 2}, **options)
            self.assertIn(code, str(caught.exception))
        with self.assertRaises(hannan.Error):
            hannan.compare(self.problem, self.data, ["leader"], fixed={"today": 2}, risk=3)


if __name__ == "__main__":
    unittest.main()
