"""Rounds that are seen in part, from Python: looks, elements, replays that hide, states and records."""
import os
import random
import tempfile
import unittest

import numpy as np

import hannan


def rows(rounds, experts=3, seed=1):
    draw = random.Random(seed)
    return np.array([[draw.random() * (k + 1) / experts for k in range(experts)] for _ in range(rounds)])


class Part(unittest.TestCase):
    def setUp(self):
        self.problem = hannan.problem("experts", experts=3)

    def test_a_look_shows_the_whole_outcome_and_other_rounds_nothing(self):
        learner = self.problem.learner("flipflop", feedback="looks", look=2, share=0.3, seed=3)
        looks = 0
        for row in rows(60):
            decision = learner.act()
            self.assertEqual(decision.share, 0.3)
            self.assertEqual(decision.action, 2 if decision.look else decision.choice)
            step = learner.observe(row if decision.look else None, raw=float(row[decision.action]))
            looks += decision.look
            self.assertEqual(step.looks, looks)
            self.assertIsNone(step.regret)
        self.assertEqual((learner.total, learner.best, learner.regret, learner.bound), (None, None, None, None))
        report = learner.report()
        self.assertEqual((report["looks"], report["rounds"]), (looks, 60))
        self.assertIsNone(report["regret"])
        self.assertLess(report["against"][0]["low"], report["against"][0]["high"])

    def test_what_the_coin_does_not_allow_is_refused_and_changes_nothing(self):
        learner = self.problem.learner("ada", feedback="looks", look=None, share=0.5, coins=[0.9, 0.1])
        learner.act()
        before = learner.save()
        with self.assertRaises(hannan.Error) as raised:
            learner.observe([0.1, 0.2, 0.3])
        self.assertEqual(raised.exception.code, "H301")
        self.assertEqual(learner.save(), before)
        learner.observe(None)
        learner.act()
        self.assertEqual(learner.observe(None, lost=True).lost, 1)

    def test_the_own_elements_are_enough(self):
        roads = hannan.problem("routing", edges=[[0, 1], [0, 2], [1, 2], [1, 3], [2, 3]], source=0, target=3)
        learner = roads.learner("ada", feedback="elements", seed=4)
        for row in rows(40, experts=5):
            action = learner.act().action
            step = learner.observe(seen=row[list(action)])
            self.assertAlmostEqual(step.loss, row[list(action)].sum(), places=12)
        self.assertIsNone(step.best)
        with self.assertRaises(hannan.Error) as raised:
            learner.observe(seen=[0.5] * 9)
        self.assertEqual(raised.exception.code, "H301")

    def test_a_replay_hides_what_would_be_hidden_and_its_record_verifies(self):
        data = rows(80)
        for params in ({"feedback": "looks", "look": None, "share": 0.25}, {"feedback": "elements"}):
            by_hand = self.problem.learner("ada", seed=5, **params)
            for row in data:
                decision = by_hand.act()
                if params["feedback"] == "elements":
                    by_hand.observe(seen=[row[decision.action]])
                else:
                    by_hand.observe(row if decision.look else None)
            replayed = self.problem.learner("ada", seed=5, **params)
            with tempfile.TemporaryDirectory() as folder:
                run = replayed.play(data, record=os.path.join(folder, "run.jsonl"), actions=True)
                self.assertTrue(run.verify().verified)
            self.assertEqual(replayed.save(), by_hand.save())
            self.assertEqual(len(run), 80)
            total = float(data[np.arange(80), np.asarray(run.actions)].sum())
            self.assertAlmostEqual(run.hindsight.total, total, places=9)
            self.assertAlmostEqual(run.hindsight.best, float(data.sum(axis=0).min()), places=9)

    def test_a_log_with_a_control_group_is_learned_from(self):
        learner = self.problem.learner("leader", feedback="looks", look=None, share="logged", against=[0, 1])
        for t, row in enumerate(rows(200)):
            look = t % 5 == 0
            learner.observe(row if look else None, share=0.2, look=look)
        learner.observe(None, share=0.2, look=False, rounds=4)
        report = learner.report()
        self.assertEqual((report["rounds"], report["looks"]), (204, 40))
        self.assertEqual(len(report["against"]), 2)

    def test_a_saved_learner_goes_on(self):
        data = rows(50)
        whole = self.problem.learner("ada", feedback="elements", seed=8)
        parts = self.problem.learner("ada", feedback="elements", seed=8)
        for row in data:
            whole.observe(seen=[row[whole.act().action]])
            parts.observe(seen=[row[parts.act().action]])
            parts = hannan.load(parts.save())
            self.assertIsInstance(parts, hannan.PartLearner)
        self.assertEqual(whole.save(), parts.save())


if __name__ == "__main__":
    unittest.main()
