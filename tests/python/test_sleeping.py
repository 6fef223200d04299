"""Losses that are missing: experts that sleep, and the worst loss of a round."""

import unittest

import hannan

GAPS = [[0.5, 0.5, 0.6], [0.5, 0.5, 0.6], [0.5, None, 0.6]]
KINDS = ("adahedge", "flipflop-hedge", "adanormalhedge")


def sleeping(kind="adahedge", **params):
    return hannan.problem("experts", experts=3, missing="sleep").learner(kind, **params)


class Sleeping(unittest.TestCase):
    def test_best_regret_and_bound_are_those_of_the_report(self):
        for kind in KINDS:
            with self.subTest(kind=kind):
                learner = sleeping(kind)
                learner.play(GAPS)
                report = learner.report()
                self.assertIsNone(learner.best)
                self.assertEqual(learner.regret, max(report.regrets))
                self.assertEqual((learner.regret, learner.bound), (report.regret, report.bound))
                self.assertLessEqual(learner.regret, learner.bound)


if __name__ == "__main__":
    unittest.main()
