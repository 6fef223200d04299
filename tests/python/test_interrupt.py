"""Ctrl-C during every call that may take long: KeyboardInterrupt comes out, soon, whenever the signal comes."""

import os
import signal
import tempfile
import threading
import time
import unittest

import hannan
import numpy as np

MOMENTS = (0.01, 0.06, 0.25, 0.6)  # seconds into the call
SOON = 20.0  # seconds; loaded machines and sanitizers included


class Interrupted(unittest.TestCase):
    """Every call would take many times as long as the latest moment."""

    def interrupts(self, call, moments=MOMENTS):
        for moment in moments:
            with self.subTest(moment=moment):
                sender = threading.Timer(moment, os.kill, (os.getpid(), signal.SIGINT))
                begun = time.monotonic()
                with self.assertRaises(KeyboardInterrupt):
                    sender.start()
                    try:
                        call()
                        while sender.is_alive():  # a call that was too short proves nothing
                            time.sleep(0.01)
                        self.fail("the call ended before the signal, or went on as if there was none")
                    finally:
                        sender.join()
                self.assertLess(time.monotonic() - begun, moment + SOON)

    @classmethod
    def setUpClass(cls):
        cls.rows = np.random.default_rng(1).random((2_000_000, 4))
        cls.experts = hannan.problem("experts", experts=4)
        cls.reserves = hannan.problem("vcg-reserves", bidders=8, levels=64)
        cls.bids = np.random.default_rng(2).random((2000, 8))

    def test_a_comparison_is_ended(self):
        self.interrupts(lambda: hannan.compare(self.experts, self.rows, learners=["flipflop", "gftpl", "ada"]))

    def test_a_comparison_is_ended_in_its_second_pass_too(self):
        # The first pass of one cheap learner is short: signals fall into the passes after it.
        rows = self.rows[:300_000]
        begun = time.monotonic()
        hannan.compare(self.experts, rows, learners=["leader"], rivals=False)
        whole = time.monotonic() - begun
        self.interrupts(lambda: [hannan.compare(self.experts, rows, learners=["leader"], rivals=False) for _ in range(50)],
                        [whole * part for part in (0.3, 0.6, 0.8, 0.9, 0.95)])

    def test_a_run_is_ended_between_two_rounds_and_goes_on(self):
        for moment in MOMENTS:
            learner = self.experts.learner("flipflop", seed=1)

            def play():  # a fast machine plays the rows before the signal comes: then again
                while True:
                    learner.play(self.rows)

            self.interrupts(play, [moment])
            whole, part = divmod(learner.rounds, len(self.rows))
            self.assertGreater(part, 0)
            fresh = self.experts.learner("flipflop", seed=1)
            for _ in range(whole):
                fresh.play(self.rows)
            fresh.play(self.rows[:part])
            self.assertEqual(learner.save(), fresh.save())

    def test_a_search_is_ended(self):
        self.interrupts(lambda: self.reserves.best(self.bids))

    def test_a_search_on_two_threads_is_ended(self):
        def search():
            with hannan.search_threads(2):
                self.reserves.best(self.bids)

        self.interrupts(search, MOMENTS[-2:])

    def test_a_check_is_ended(self):
        problem = hannan.problem("vcg-reserves", bidders=3, levels=12)
        self.interrupts(lambda: problem.check(pairs=10_000_000))

    def test_a_summary_is_ended_and_unchanged(self):
        summary = self.experts.summary([[0.0, 0.5, 1.0, 0.25]])
        before = summary.to_bytes()
        many = np.concatenate([self.rows] * 4)
        self.interrupts(lambda: [summary.add(many) for _ in range(100)], MOMENTS[:2])
        self.assertEqual(self.experts.summary([[0.0, 0.5, 1.0, 0.25]]).to_bytes(), before)

    def test_the_search_of_a_summary_is_ended(self):
        summary = self.reserves.summary(self.bids)
        self.interrupts(lambda: summary.best())

    def test_a_verification_is_ended(self):
        with tempfile.TemporaryDirectory() as folder:
            record = os.path.join(folder, "run.jsonl")
            self.experts.learner("flipflop", seed=1).play(self.rows[:60_000], record=record)
            self.interrupts(lambda: [hannan.verify(record) for _ in range(50)])

    def test_an_experiment_is_ended_on_one_thread_and_on_two(self):
        plan = {"name": "long", "seed": 1, "problems": [{"name": "e"}],
                "streams": [{"name": "s", "kind": "uniform", "experts": 50, "rounds": 200_000}],
                "learners": [{"name": "f", "kind": "flipflop"}, {"name": "g", "kind": "gftpl"}],
                "tables": [{"title": "t", "problems": ["e"], "streams": ["s"], "learners": ["f", "g"], "seeds": 50}]}
        for threads in (1, 2):
            with self.subTest(threads=threads):
                self.interrupts(lambda: hannan.experiment(plan, threads=threads))

    def test_a_log_that_is_read_is_ended(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "log.csv")
            with open(path, "w") as file:
                file.write("auction,buyer,amount\n")
                file.writelines(f"{i // 3},{'abc'[i % 3]},{i % 97}\n" for i in range(60_000))
            self.interrupts(lambda: [hannan.convert(path, round="auction", bidder="buyer", bid="amount", cap=100)
                                     for _ in range(50)])


if __name__ == "__main__":
    unittest.main()
