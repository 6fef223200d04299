"""What a learner is told beyond its name, and the bound that its report states."""

import os
import tempfile
import unittest

import hannan
import numpy as np
from instances import rows


class Settings(unittest.TestCase):
    def test_delayed_outcomes_come_in_any_order(self):
        learner = hannan.problem("experts", experts=3).learner("ada", delayed=True, seed=1)
        data = rows(3, 6)
        for t in (1, 2, 3):
            learner.act(round=t)
        for t in (3, 1, 2):
            learner.observe(data[t - 1], round=t)
        self.assertEqual(learner.rounds, 3)
        with self.assertRaises(hannan.UsageError):
            learner.act()
        in_turn = hannan.problem("experts", experts=3).learner("ada", delayed=True, seed=1)
        plain = hannan.problem("experts", experts=3).learner("ada", seed=1)
        self.assertEqual(in_turn.play(data).losses.tolist(), plain.play(data).losses.tolist())

    def test_a_delayed_run_has_a_record_and_progress(self):
        data = rows(3, 20)
        learner = hannan.problem("experts", experts=3).learner("ada", delayed=True, seed=1)
        shown = []
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "run.jsonl")
            run = learner.play(data, actions=True, progress=shown.append, record=path)
            found = run.verify()
            with self.assertRaises(hannan.UsageError):  # a record begins with the first round
                learner.play(data, record=os.path.join(folder, "more.jsonl"))
        self.assertEqual((found.rounds, found.total), (20, run.totals[-1]))
        self.assertEqual([row["round"] for row in shown], [1, 2, 4, 8, 16, 20])
        self.assertEqual(shown[-1]["regret"], learner.regret)
        loop = hannan.problem("experts", experts=3).learner("ada", delayed=True, seed=1)
        for t, row in enumerate(data, start=1):
            self.assertEqual(loop.act(round=t), run.actions[t - 1])
            loop.observe(row, round=t)
        self.assertEqual(loop.save(), learner.save())

    def test_a_refused_outcome_of_a_delayed_run_opens_no_round(self):
        learner = hannan.problem("experts", experts=3).learner("ada", delayed=True)
        with self.assertRaises(hannan.DataError) as caught:
            learner.play(np.array([[0.1, 0.2, 0.3], [0.1, 2.0, 0.3]]))
        self.assertEqual((learner.rounds, caught.exception.at), (1, "outcomes[1, 1]"))

    def test_discount_range_and_certificates_are_parameters(self):
        data = rows(4, 64)
        learner = hannan.problem("experts", experts=4).learner("ada", discount=0.9, seed=1)
        learner.play(data[:-1])
        self.assertIsNotNone(learner.observe(data[-1]).discounted)
        self.assertIn("discounted", learner.report())
        wide = hannan.problem("experts", experts=4, range="unknown").learner("ada", seed=1)
        wide.play(data * 50 - 25)
        self.assertGreater(wide.report().range, 1)
        report = hannan.problem("experts", experts=4).learner("ada", seed=1).play(data).report()
        self.assertIn("run", report)
        self.assertTrue(report.holds)
        self.assertGreater(report.bound, 0)


class Bounds(unittest.TestCase):
    def test_the_bound_of_a_run_is_its_limit_or_what_is_said_of_the_mean_under_that_name(self):
        problem = hannan.problem("experts", experts=4)
        for seed in range(20):
            report = problem.learner("ada", seed=seed).play(rows(4, 60)).report()
            self.assertEqual(report.bound, report["limit"])
            self.assertTrue(report.holds)
            self.assertEqual((report.bound_of, report.expected), ("limit", report["run"]))
            for name in ("run", "measured", "exact", "ada2"):
                self.assertEqual([bound.holds for bound in report.bounds if bound.name == name], [None], name)
            shown = report._repr_html_()
            self.assertIn("limit (95 %", shown)
            self.assertIn("expected regret, estimated bound", shown)
            self.assertNotIn("regret / bound", shown)
        self.assertEqual(problem.learner("gftpl", seed=1).play(rows(4, 60)).report().bound_of, "mean")
        self.assertEqual(problem.learner("adahedge").play(rows(4, 60)).report().bound_of, "path")
        self.assertIsNone(problem.learner("leader").play(rows(4, 60)).report().bound)

    def test_the_bound_of_a_report_is_that_of_the_learner(self):
        for name in hannan.learners():
            try:
                learner = hannan.problem("experts", experts=4).learner(name)
            except hannan.UsageError as error:
                self.assertEqual(error.code, "H102", name)  # it needs to be told something
                continue
            learner.play(rows(4, 30))
            self.assertEqual(learner.bound, learner.report().bound, name)


if __name__ == "__main__":
    unittest.main()
