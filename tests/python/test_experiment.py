"""Plans of runs: the same bytes from Python, from the program, and from a cluster that loses a worker."""

import os
import pathlib
import signal
import tempfile
import threading
import time
import unittest

import hannan
import numpy as np
from instances import program

try:
    import distributed
except ImportError:
    distributed = None

PLAN = {
    "name": "two",
    "seeds": 6,
    "streams": [{"name": "iid", "kind": "iid", "experts": 8, "rounds": 400},
                {"name": "hostile", "kind": "killer", "rounds": 400}],
    "learners": [{"name": "leader", "kind": "leader"}, {"name": "gftpl", "kind": "gftpl", "set": {"c": 0.5}}],
    "tables": [{"title": "all", "streams": ["iid", "hostile"], "learners": ["leader", "gftpl"]}],
}


class Experiments(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def test_files_are_the_same_bytes_as_those_of_the_program(self):
        plan = pathlib.Path(os.environ["HANNAN_SOURCE"], "plans", "first.toml")
        program("experiment", str(plan), "--small", "-o", str(self.folder / "theirs"), "-q")
        for threads in (1, 2):
            ours = hannan.experiment(plan, small=True, threads=threads)
            self.assertIn("results.csv", ours.files)
            for name, content in ours.files.items():
                self.assertEqual((self.folder / "theirs" / name).read_bytes(), content, name)

    def test_a_plan_may_be_a_dict_and_goes_on_from_its_folder(self):
        first = hannan.experiment(PLAN, folder=self.folder / "kept")
        start = time.process_time()
        again = hannan.experiment(PLAN, folder=self.folder / "kept")
        self.assertEqual(first.files, again.files)
        self.assertLess(time.process_time() - start, 5)
        first.save(self.folder / "out")
        self.assertEqual((self.folder / "out" / "results.json").read_bytes(), first.files["results.json"])

    def test_a_dict_may_hold_any_text_numbers_of_numpy_and_names_of_files(self):
        np.save(self.folder / "losses.npy", np.tile([0.0, 1.0, 0.5], (20, 1)))
        plan = {
            "name": "\U0001f600 plan \x7f", "about": None, "seeds": np.int64(2),
            "problems": [{"kind": "experts", "params": {"experts": np.int32(3)}}],
            "streams": [{"name": "file", "data": "losses.npy"}],
            "learners": [{"name": "gftpl", "kind": "gftpl", "set": {"c": np.array([0.5, 1.0])}}],
            "tables": [{"title": "all"}],
        }
        before = os.getcwd()
        os.chdir(self.folder)
        self.addCleanup(os.chdir, before)
        found = hannan.experiment(plan)
        self.assertEqual(found.results["plan"], plan["name"])
        self.assertIn(repr(plan["name"]), repr(found))
        self.assertEqual(len(found.to_frame()), 4)
        kept = hannan.experiment(plan, folder="kept")
        self.assertEqual(kept.files, found.files)
        with self.assertRaises(hannan.UsageError):
            hannan.experiment({**plan, "no such": 1})

    def test_mistakes_in_a_plan_are_errors_with_their_line(self):
        with self.assertRaises(hannan.Error) as caught:
            hannan.experiment({**PLAN, "learners": [{"name": "leader", "kind": "no such"}]})
        self.assertIn("plan.toml", caught.exception.at)

    @unittest.skipIf(distributed is None or "LD_PRELOAD" in os.environ, "dask.distributed is not there")
    def test_a_cluster_that_loses_a_worker_gives_the_same_bytes(self):
        streams = [{**stream, "rounds": 2000} for stream in PLAN["streams"]]
        plan, total = {**PLAN, "seeds": 100, "streams": streams}, 400
        alone = hannan.experiment(plan)
        finished = self.folder / "shared" / "finished"
        found = []

        def kill_in_the_middle(worker):
            for _ in range(20_000):
                done = sum(file.read_bytes().count(b"\n") for file in finished.glob("*")) if finished.exists() else 0
                if done > 0:
                    os.kill(worker, signal.SIGKILL)
                    found.append(done)
                    return
                time.sleep(0.002)

        with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None,
                                      silence_logs=50) as cluster, distributed.Client(cluster) as client:
            victim = next(iter(client.run(os.getpid).values()))
            killer = threading.Thread(target=kill_in_the_middle, args=(victim,))
            killer.start()
            ours = hannan.experiment(plan, folder=self.folder / "shared", client=client)
            killer.join()
        self.assertEqual(alone.files, ours.files)
        self.assertTrue(found and found[0] < total, found)


if __name__ == "__main__":
    unittest.main()
