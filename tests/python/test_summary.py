"""Summaries: parts add up exactly, in any order, between processes."""

import concurrent.futures
import itertools
import multiprocessing
import pickle
import unittest

import hannan
import numpy as np
from instances import rows


def part(numbers):
    """In a process of its own."""
    return pickle.dumps(hannan.problem("vcg-reserves", bidders=3, levels=8).summary(numbers))


class Summaries(unittest.TestCase):
    def setUp(self):
        self.problem = hannan.problem("vcg-reserves", bidders=3, levels=8)
        self.data = (rows(3, 400) * 8).round() / 8

    def test_parts_of_several_processes_equal_the_whole_to_the_byte(self):
        parts = np.array_split(self.data, 5)
        context = multiprocessing.get_context("spawn")
        with concurrent.futures.ProcessPoolExecutor(2, mp_context=context) as pool:
            made = [pickle.loads(text) for text in pool.map(part, parts, timeout=120)]
        whole = self.problem.summary(self.data)
        self.assertEqual(sum(made), whole)
        for order in itertools.islice(itertools.permutations(made), 10):
            self.assertEqual(sum(order).best(keep=5), whole.best(keep=5))

    def test_the_best_is_that_of_the_outcomes_themselves(self):
        ours, theirs = self.problem.summary(self.data).best(), self.problem.best(self.data)
        self.assertEqual(ours.action, theirs.action)
        self.assertAlmostEqual(ours.value, theirs.value, places=9)
        self.assertLess(self.problem.summary(self.data).distinct, 400)

    def test_weights_add_exactly_and_cancel(self):
        problem = hannan.problem("experts", experts=2)
        tenths = [problem.summary([[0.25, 0.5]], weights=[0.1]) for _ in range(10)]
        self.assertEqual(sum(tenths), sum(reversed(tenths)))
        minus = problem.summary([[0.25, 0.5]] * 10, weights=[-0.1] * 10)
        self.assertEqual((sum(tenths) + minus + problem.summary([[1.0, 0.0]])).best().value, 0.0)

    def test_lists_and_arrays_are_the_same_and_faults_are_refused(self):
        self.assertEqual(self.problem.summary(self.data.tolist()), self.problem.summary(self.data))
        summary = self.problem.summary(self.data)
        for bad in ([[2.0, 0.0, 0.0]], [[0.5, 0.5]]):
            with self.assertRaises(hannan.Error):
                summary.add(bad)
        self.assertEqual(summary, self.problem.summary(self.data))
        with self.assertRaises(hannan.UsageError):
            summary + hannan.problem("experts", experts=3).summary(self.data)
        game = hannan.problem("classification", predictions=[[1, 0], [0, 1]])
        told = game.summary([{"point": 0, "label": 1}, {"label": 1, "point": 0}])
        self.assertEqual((told.distinct, told.rounds, told.best().action), (1, 2, 0))


if __name__ == "__main__":
    unittest.main()
