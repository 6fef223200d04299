"""A batch while it runs: threads, Ctrl-C, progress and errors of callbacks."""

import os
import signal
import tempfile
import threading
import time
import unittest

import hannan
import numpy as np
from instances import rows


class Running(unittest.TestCase):
    def test_a_second_thread_is_refused_and_other_learners_run_beside(self):
        problem = hannan.problem("experts", experts=50)
        data = rows(50, 200_000)
        learner, refused = problem.learner("ada", seed=1), []

        def play():
            learner.play(data)

        thread = threading.Thread(target=play)
        thread.start()
        while thread.is_alive() and not refused:
            try:
                learner.save()
            except RuntimeError as error:
                refused.append(error)
        other = problem.learner("leader")
        other.play(data[:10])
        thread.join()
        self.assertTrue(refused)
        self.assertEqual(learner.rounds, 200_000)

    def test_a_summary_may_be_added_to_while_another_thread_searches_it(self):
        problem = hannan.problem("experts", experts=500)
        summary, found = problem.summary(np.ones((1, 500))), []

        def search():
            for _ in range(300):
                found.append(summary.best().value)

        thread = threading.Thread(target=search)
        thread.start()
        while thread.is_alive():
            summary.add(np.ones((1, 500)))
        thread.join()
        # Every expert has lost 1 in every round: a search sees as many as there were when it began.
        self.assertEqual(found, sorted(found))
        self.assertTrue(all(value == int(value) for value in found))
        self.assertLessEqual(found[-1], summary.rounds)
        self.assertEqual(summary.best().value, summary.rounds)

    def test_searches_on_threads_answer_the_same(self):
        problem = hannan.problem("vcg-reserves", bidders=5, levels=32)
        data = rows(5, 60)

        def found():
            learner = problem.learner("flipflop", oracle="branch_bound:20000")
            return problem.best(data, keep=3), learner.play(data).losses.tolist(), learner.save()

        one = found()
        with hannan.search_threads(3):
            self.assertEqual(found(), one)
        for most in (0, 1025):
            with self.assertRaises(hannan.UsageError) as raised, hannan.search_threads(most):
                pass
            self.assertEqual((raised.exception.code, raised.exception.at), ("H105", "search_threads"))

    def test_control_c_ends_a_batch_between_rounds(self):
        learner = hannan.problem("experts", experts=50).learner("ada", seed=1)
        data = rows(50, 2000)
        whole = np.tile(data, (1000, 1))
        timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
        timer.start()
        start = time.monotonic()
        with self.assertRaises(KeyboardInterrupt):
            learner.play(whole)
        timer.join()
        self.assertLess(time.monotonic() - start, 20)
        played = learner.rounds
        self.assertGreater(played, 0)
        again = hannan.problem("experts", experts=50).learner("ada", seed=1)
        again.play(whole[:played])
        self.assertEqual(again.save(), learner.save())

    def test_progress_is_told_at_powers_of_two_and_at_the_end(self):
        seen = []
        learner = hannan.problem("experts", experts=3).learner("flipflop", seed=1)
        run = learner.play(rows(3, 10), progress=seen.append)
        self.assertEqual([row["round"] for row in seen], [1, 2, 4, 8, 10])
        self.assertEqual([row.round for row in run.progress], [1, 2, 4, 8, 10])

    def test_a_rehearsal_is_learned_from_and_is_no_part_of_the_run(self):
        problem, data = hannan.problem("experts", experts=4), rows(4, 60)
        whole = problem.learner("flipflop", seed=1).play(data, actions=True)
        with tempfile.TemporaryDirectory() as folder:
            learner = problem.learner("flipflop", seed=1)
            run = learner.play(data, actions=True, warm=20, record=os.path.join(folder, "run.jsonl"))
            self.assertTrue(run.verify().verified)
        np.testing.assert_array_equal(run.losses, whole.losses[20:])
        np.testing.assert_array_equal(run.totals, whole.totals[20:])
        np.testing.assert_array_equal(run.actions, whole.actions[20:])
        self.assertEqual((learner.report()["rehearsed"]["rounds"], learner.report()["rehearsed"]["played"]), (20, 40))
        one = problem.learner("flipflop", seed=1)
        for t, row in enumerate(data):
            one.observe(row, warm=t < 20)
        self.assertEqual(one.save(), learner.save())
        with self.assertRaises(hannan.Error):
            one.observe(data[0], warm=True)
        compared = hannan.compare(problem, data, ["leader"], rivals=False, fixed={"first": 0}, warm=20)
        self.assertEqual((compared.result["rehearsed"], compared.result["rounds"]), (20, 40))
        self.assertAlmostEqual(compared["first"]["loss"], float(data[20:, 0].sum()))

    def test_an_error_in_a_callback_reaches_the_caller(self):
        def fail(row):
            raise KeyError("stop here")

        learner = hannan.problem("experts", experts=3).learner("leader")
        with self.assertRaises(KeyError):
            learner.play(rows(3, 10), progress=fail)
        learner.observe([0.0, 0.0, 0.0])  # and the learner is free again


if __name__ == "__main__":
    unittest.main()
