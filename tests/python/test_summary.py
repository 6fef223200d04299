"""Summaries: parts add up exactly, in any order, between processes, and as `hannan fold` adds them up."""

import concurrent.futures
import fractions
import itertools
import json
import multiprocessing
import os
import pathlib
import pickle
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import hannan
import numpy as np
from instances import program, rows

try:
    import distributed
except ImportError:
    distributed = None


def part(numbers):
    """In a process of its own."""
    return pickle.dumps(hannan.problem("vcg-reserves", bidders=3, levels=8).summary(numbers))


def wide(count):
    """Losses from 1 down to 1e-60: two doubles do not hold their sums."""
    return rows(2, count) * 10.0 ** -np.floor(60 * rows(2, count, seed=9))


class SlowRows(list):
    """Outcomes that take a while, and leave a file that says that their part was begun."""

    def __init__(self, data, folder):
        super().__init__(data)
        self.folder = folder

    def __iter__(self):
        pathlib.Path(self.folder, str(os.getpid())).touch()
        time.sleep(0.3)
        return super().__iter__()

    def __reduce__(self):
        return (SlowRows, ([*super().__iter__()], self.folder))


class Summaries(unittest.TestCase):
    def setUp(self):
        self.problem = hannan.problem("vcg-reserves", bidders=3, levels=8)
        self.data = rows(3, 400)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def test_floors_and_checks_come_from_sums_too(self):
        problem = hannan.problem("vcg-reserves", bidders=3, levels=3)
        grid = np.round(self.data[:60], 1)
        parts = [problem.summary(part, oracle="outcomes") for part in np.array_split(grid, 4)]
        whole = sum(parts)
        self.assertEqual(len(whole.outcomes()), len(np.unique(grid, axis=0)))
        ours, theirs = whole.check(), problem.check(outcomes=grid.tolist())
        self.assertAlmostEqual(ours.gamma["free"]["value"], theirs.gamma["free"]["value"], places=9)
        self.assertEqual(pickle.loads(pickle.dumps(whole)).outcomes(), whole.outcomes())
        self.assertEqual(whole.best().action, problem.best(grid).action)
        with self.assertRaises(hannan.UsageError) as caught:
            problem.summary(grid).outcomes()
        self.assertEqual(caught.exception.code, "H108")
        log = hannan.convert(self.log(), round="auction", bidder="buyer", bid="amount", cap=3)
        sums = sum(problem.summary(part) for part in np.array_split(log.table, 3))
        run = problem.learner("leader").play(log)
        self.assertEqual(hannan.floors(sums, log), hannan.floors(run, log))

    def log(self):
        lines = [f"{t},{who},{self.data[t, i] * 3:.2f}" for t in range(50) for i, who in enumerate("abc")]
        path = self.folder / "log.csv"
        path.write_text("auction,buyer,amount\n" + "\n".join(lines) + "\n")
        return path

    def test_parts_of_several_processes_equal_the_whole_to_the_byte(self):
        parts = np.array_split(self.data, 5)
        context = multiprocessing.get_context("spawn")
        with concurrent.futures.ProcessPoolExecutor(2, mp_context=context) as pool:
            made = [pickle.loads(text) for text in pool.map(part, parts, timeout=120)]
        whole = self.problem.summary(self.data)
        for order in itertools.islice(itertools.permutations(made), 10):
            self.assertEqual(sum(order).to_bytes(), whole.to_bytes())
            self.assertEqual(sum(order).best(keep=5), whole.best(keep=5))
        self.assertEqual(pickle.loads(pickle.dumps(whole)), whole)

    def test_the_best_is_that_of_the_outcomes_themselves(self):
        for kind in ({}, {"rule": "lazy"}):
            problem = hannan.problem("vcg-reserves", bidders=3, levels=8, **kind)
            for oracle in problem.oracles:
                ours = problem.summary(self.data, oracle=oracle)
                self.assertEqual(ours.best(keep=3), problem.best(self.data, keep=3, oracle=oracle))
                self.assertEqual(ours.oracle, oracle)

    def test_sums_are_the_exact_ones_and_do_not_grow(self):
        problem = hannan.problem("experts", experts=2)
        data = wide(500)
        summary = problem.summary(data)
        for j, found in enumerate(json.loads(summary.to_bytes())["summary"]["numbers"]):
            exact = sum((fractions.Fraction(x) for x in data[:, j].tolist()), fractions.Fraction(0))
            self.assertGreater(len(found), 2)
            for number in found:
                self.assertEqual(number, float(exact))
                exact -= fractions.Fraction(number)
            self.assertEqual(exact, 0)
        self.assertEqual((summary.size, (summary + summary).size, len(summary + summary)), (2, 2, 1000))
        for cut in (1, 3, 77):
            self.assertEqual(sum(problem.summary(piece) for piece in np.array_split(data, cut)), summary)

    def test_bytes_are_those_of_hannan_fold(self):
        data = rows(3, 90)
        for i, piece in enumerate(np.array_split(data, 4)):
            np.savetxt(self.folder / f"part-{i}.csv", piece, fmt="%r", delimiter=",")
        names = sorted(str(path) for path in self.folder.glob("part-*.csv"))
        for oracle in self.problem.oracles:
            sums, merged = str(self.folder / f"sums-{oracle}"), self.folder / "merged.sums"
            program("fold", "vcg-reserves", "--param", "bidders=3", "--param", "levels=8", "--oracle", oracle, "-d",
                    str(self.folder / "part-*.csv"), "-o", sums, "-q")
            answer = program("oracle", "vcg-reserves", "--sums", sums, "--merged", str(merged), "--keep", "3", "--json")
            whole = self.problem.summary(data, oracle=oracle)
            self.assertEqual(merged.read_bytes(), whole.to_bytes())
            self.assertEqual(hannan.Summary.load(sums), whole)
            self.assertEqual(hannan.Summary.load(merged), whole)
            self.assertEqual(self.problem.summary(names, oracle=oracle), whole)
            self.assertEqual(json.loads(answer), whole.best(keep=3))
            whole.save(self.folder / "ours.sums")
            self.assertEqual(program("oracle", "vcg-reserves", "--sums", str(self.folder / "ours.sums"), "--keep", "3",
                                     "--json"), answer)
        (self.folder / f"sums-{self.problem.oracles[0]}" / "000002.sums").unlink()
        with self.assertRaises(hannan.DataError) as caught:
            hannan.Summary.load(self.folder / f"sums-{self.problem.oracles[0]}")
        self.assertEqual(caught.exception.code, "H411")
        self.assertIn("000002.sums", caught.exception.at)

    def test_weights_add_exactly_and_cancel(self):
        problem = hannan.problem("experts", experts=2)
        tenths = [problem.summary([[0.25, 0.5]], weights=[0.1]) for _ in range(10)]
        self.assertEqual(sum(tenths), sum(reversed(tenths)))
        minus = problem.summary([[0.25, 0.5]] * 10, weights=[-0.1] * 10)
        self.assertEqual((sum(tenths) + minus + problem.summary([[1.0, 0.0]])).best().value, 0.0)

    def test_lists_and_arrays_are_the_same_and_faults_change_nothing(self):
        self.assertEqual(self.problem.summary(self.data.tolist()), self.problem.summary(self.data))
        summary = self.problem.summary(self.data)
        for bad in ([[0.5, 0.5, 0.5], [2.0, 0.0, 0.0]], [[0.5, 0.5]], np.array([[0.5, 0.5, np.nan]])):
            with self.assertRaises(hannan.Error):
                summary.add(bad)
        with self.assertRaises(hannan.Error):
            summary.add(self.data, weights=[1.0])
        self.assertEqual(summary, self.problem.summary(self.data))
        with self.assertRaises(hannan.DataError) as caught:
            summary + hannan.problem("experts", experts=3).summary(self.data)
        self.assertEqual(caught.exception.code, "H414")
        with self.assertRaises(hannan.Error):
            hannan.problem("experts", experts=3).summary().best()
        game = hannan.problem("classification", predictions=[[1, 0], [0, 1]])
        told = game.summary([{"point": 0, "label": 1}, {"label": 1, "point": 0}])
        self.assertEqual((told.rounds, told.best().action), (2, 0))

    def test_a_problem_of_ones_own_is_summed_too(self):
        class Kiosk(hannan.Problem):
            def loss(self, x, y):
                return abs(x - y) / 20

            def actions(self):
                return range(5, 21)

        own = hannan.custom(Kiosk())
        demand = [7, 9, 9, 12]
        self.assertEqual((own.summary(demand[:2]) + own.summary(demand[2:])).best().action, own.best(demand).action)

    def test_dask_is_not_imported(self):
        code = "import sys, hannan; hannan.problem('experts', experts=2).summary([[0.0, 1.0]]).best(); assert 'distributed' not in sys.modules and 'dask' not in sys.modules and 'pandas' not in sys.modules"
        subprocess.run([sys.executable, "-c", code], check=True, timeout=60)

    @unittest.skipIf(distributed is None or "LD_PRELOAD" in os.environ, "dask.distributed is not there")
    def test_a_cluster_that_loses_a_worker_gives_the_same_bytes(self):
        pieces = np.array_split(self.data, 12)
        for i, piece in enumerate(pieces):
            np.savetxt(self.folder / f"part-{i:02}.csv", piece, fmt="%r", delimiter=",")
        names = sorted(str(path) for path in self.folder.glob("part-*.csv"))
        whole, begun, killed = self.problem.summary(self.data).to_bytes(), self.folder / "begun", []
        begun.mkdir()

        def kill_in_the_middle(worker):
            for _ in range(20_000):
                if (begun / str(worker)).exists():
                    os.kill(worker, signal.SIGKILL)
                    killed.append(worker)
                    return
                time.sleep(0.002)

        with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None,
                                      silence_logs=50) as cluster, distributed.Client(cluster) as client:
            self.assertEqual(self.problem.summary(names, client=client).to_bytes(), whole)
            victim = next(iter(client.run(os.getpid).values()))
            killer = threading.Thread(target=kill_in_the_middle, args=(victim,))
            killer.start()
            slow = [SlowRows(piece.tolist(), str(begun)) for piece in pieces]
            ours = self.problem.summary(slow, client=client)
            killer.join()
            self.assertEqual(ours.to_bytes(), whole)
            try:
                import dask.dataframe
                import pandas
            except ImportError:
                pass
            else:
                frame = dask.dataframe.from_pandas(pandas.DataFrame(self.data), npartitions=5)
                self.assertEqual(self.problem.summary(frame, client=client).to_bytes(), whole)
        self.assertEqual(killed, [victim])


if __name__ == "__main__":
    unittest.main()
