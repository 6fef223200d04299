"""10^6 calls leave memory flat."""

import gc
import unittest

import hannan
import numpy as np


def resident():
    with open("/proc/self/status") as status:
        for line in status:
            if line.startswith("VmRSS"):
                return int(line.split()[1])
    raise unittest.SkipTest("this system does not say how much memory is used")


class Ends(hannan.Problem):
    """0 or 1 against a number between them."""

    def actions(self):
        return [0, 1]

    def loss(self, x, y):
        return abs(x - y)


class Memory(unittest.TestCase):
    def grown(self, call, calls):
        for _ in range(calls // 10):
            call()
        gc.collect()
        before = resident()
        for _ in range(calls):
            call()
        gc.collect()
        return resident() - before

    def test_acting_and_observing_a_million_times_keeps_memory_flat(self):
        learner = hannan.problem("vcg-reserves", bidders=2, levels=4, rule="lazy").learner("leader")
        row = np.array([0.5, 0.7])

        def call():
            learner.act()
            learner.observe(row)

        self.assertLess(self.grown(call, 500_000), 2048)  # kB; a leak of 8 bytes a call would be 4000

    def test_errors_copies_and_batches_keep_memory_flat(self):
        problem = hannan.problem("experts", experts=3)
        learner = problem.learner("leader")
        data = np.zeros((50, 3))

        def call():
            learner.play(data, actions=True)
            hannan.load(learner.save())
            (problem.summary(data) + problem.summary(data)).to_bytes()
            for bad in ([2.0, 0.0, 0.0], "text"):
                try:
                    learner.observe(bad)
                except hannan.Error:
                    pass

        self.assertLess(self.grown(call, 2000), 2048)

    def test_new_outcomes_of_a_problem_of_ones_own_do_not_pile_up(self):
        learner = hannan.custom(Ends()).learner("leader")
        numbers = iter(range(10**6))

        def call():
            learner.observe(next(numbers) / 1e6)

        for _ in range(20_000):  # more than the 16,384 that are kept
            call()
        self.assertLess(self.grown(call, 40_000), 6144)  # kB; 0.45 kB a round would be 18,000


if __name__ == "__main__":
    unittest.main()
