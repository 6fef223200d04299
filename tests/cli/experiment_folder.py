"""A plan, a folder to play it in, and the ways to play it: what the tests of `hannan experiment` share."""
import os
import pathlib
import subprocess
import time

from program import BINARY, FolderTest, csv_text, hannan, losses

PLAN = """
name = "mixed"
seeds = 6
seed = 3

[[streams]]
name = "iid"
kind = "iid"
experts = 16
rounds = {rounds}

[[streams]]
name = "file"
data = "losses.csv"

[[learners]]
name = "leader"
kind = "leader"

[[learners]]
name = "gftpl"
kind = "gftpl"
set = {{ c = [0.5, "=sqrt(1+2*M/gamma)"], perturbation = "one-hot" }}

[[learners]]
name = "off"
kind = "off"
set = {{ estimator = "regret", mc = 16 }}

[[tables]]
title = "All"
baseline = "leader"
show = ["regret", "difference", "ratio", "bound", "best", "calls", "nodes", "bounds"]
"""


def outputs(folder):
    """Everything but the folder of finished runs, whose order is that of the work."""
    return {file.name: file.read_bytes() for file in pathlib.Path(folder).iterdir() if file.is_file()}


class ExperimentFolder(FolderTest):
    def setUp(self):
        super().setUp()
        self.file("losses.csv", csv_text(losses(200, 16)))
        self.quick = self.file("plan.toml", PLAN.format(rounds=300).encode())

    def slow(self):
        return self.file("slow.toml", PLAN.format(rounds=60000).encode())

    def play(self, plan, out, *args, env=None, status=0):
        done = subprocess.run([BINARY, "experiment", str(plan), "-o", str(self.folder / out), "-q", *args], capture_output=True, timeout=300,
                              env={**os.environ, **(env or {})})
        self.assertEqual(done.returncode, status, done.stderr)
        return outputs(self.folder / out) if status == 0 else done.stderr.decode()

    def start(self, plan, out, *args, env=None):
        return subprocess.Popen([BINARY, "experiment", str(plan), "-o", str(self.folder / out), "-q", *args], stderr=subprocess.PIPE,
                                env={**os.environ, **(env or {})})

    def finished(self, out):
        files = (self.folder / out / "finished").glob("*.jsonl")
        return [line for file in files for line in file.read_bytes().split(b"\n") if line]

    def wait_for_some(self, out, process):
        while process.poll() is None and len(self.finished(out)) < 3:
            time.sleep(0.01)

    def refuse(self, text, code, *words):
        plan = self.file("bad.toml", text.encode())
        out = self.folder / "bad.out"
        done = hannan("experiment", plan, "-o", out)
        said = done.err.decode()
        self.assertIn(done.status, (2, 3), text)
        self.assertEqual((said.count("\n"), done.out), (1, b""), said)
        self.assertIn(f"hannan: {code}: ", said)
        for word in words:
            self.assertIn(word, said)
        self.assertFalse(out.exists(), "work was begun")
