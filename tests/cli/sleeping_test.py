"""Experts whose losses are missing: refused, the worst, or asleep; in the pipe, in tables and in records."""
import json
import pathlib
import random
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "vectors"))
from pipe_client import Pipe, PipeError  # noqa: E402
from program import BINARY, hannan  # noqa: E402

SENTENCE = "experts that sleep need adahedge, flipflop-hedge or adanormalhedge, or missing = worst"
KINDS = ("adahedge", "flipflop-hedge", "adanormalhedge")


def table(rounds, experts, seed=4, scale=1.0):
    """Some asleep, some rounds without anybody."""
    coins = random.Random(seed)
    rows = []
    for t in range(rounds):
        often = 0.0 if t % 17 == 5 else 0.7
        rows.append([scale * round(coins.random(), 3) if coins.random() < often else None for _ in range(experts)])
    return rows


def run(*args, ok=True):
    """Standard output where it should work, the complaint where it should not."""
    done = hannan(*args)
    assert (done.status == 0) == ok, (args, done.status, done.out[-500:], done.err[-500:])
    return (done.out if ok else done.err).decode()


def csv_of(rows):
    return "".join(",".join("" if x is None else repr(x) for x in row) + "\n" for row in rows)


class Sleeping(unittest.TestCase):
    def setUp(self):
        self.pipe = Pipe(BINARY)
        self.addCleanup(self.pipe.close)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def make(self, missing, kind="adahedge", **params):
        self.pipe.ask("problem", **{"as": "p", "kind": "experts", "params": {"experts": 3, "missing": missing, **params}})
        return self.pipe.ask("learner", **{"as": "l", "of": "p", "kind": kind, "params": {}})

    def refused(self, code, at, op, **fields):
        with self.assertRaises(PipeError) as caught:
            self.pipe.ask(op, **fields)
        self.assertEqual((caught.exception.error["code"], caught.exception.error["at"]), (code, at))
        return caught.exception.error["message"]

    def test_refuse_names_the_cell_and_the_remedies(self):
        self.make("refuse")
        message = self.refused("H104", "outcome[1]", "observe", of="l", outcome=[0.5, None, 0.25])
        for remedy in ("--missing sleep", "--missing worst", "fill the cell in"):
            self.assertIn(remedy, message)
        file = self.folder / "gaps.csv"
        file.write_text("a,b,c\n0.5,0.25,1\n0.5,,1\n")
        complaint = run("run", "experts", "-d", file, "-l", "adahedge", ok=False)
        self.assertIn("gaps.csv:3:5", complaint)
        self.assertIn("--missing sleep", complaint)

    def test_worst_fills_in_the_worst_loss(self):
        self.make("worst")
        seen = self.pipe.ask("observe", of="l", outcome=[0.5, None, 0.25])
        self.assertAlmostEqual(seen["loss"], (0.5 + 1 + 0.25) / 3)
        self.make("worst", kind="ada", range="unknown")
        self.pipe.ask("observe", of="l", outcome=[-8, None, 30])
        self.assertEqual(self.pipe.ask("report", of="l")["range"], 38)
        self.pipe.ask("observe", of="l", outcome=[None, None, None])  # no loss at all: all alike
        self.assertEqual(self.pipe.ask("report", of="l")["range"], 38)

    def test_other_learners_are_refused_with_the_sentence(self):
        self.pipe.ask("problem", **{"as": "p", "kind": "experts", "params": {"experts": 3, "missing": "sleep"}})
        for kind in ("leader", "ada", "flipflop", "gftpl", "off", "fpl", "hedge"):
            with self.subTest(kind=kind):
                self.assertEqual(self.refused("H108", "kind", "learner", **{"as": "l", "of": "p", "kind": kind, "params": {}}), SENTENCE)
        self.refused("H108", "missing", "best", of="p", data=[{"weight": 1, "outcome": [0, None, 1]}])

    def test_the_pattern_is_that_of_the_decision(self):
        self.make("sleep")
        self.refused("H105", "awake[1]", "act", of="l", awake=[0, 3])
        act = self.pipe.ask("act", of="l", awake=[0, 2])
        self.assertEqual(act["weights"], [0.5, 0, 0.5])
        self.refused("H301", "outcome[1]", "observe", of="l", outcome=[0.5, 0.5, 0.5])
        self.refused("H301", "outcome[2]", "observe", of="l", outcome=[0.5, None, None])
        self.pipe.ask("observe", of="l", outcome=[0.25, None, 0.75])
        # Without act, the outcome says who was awake.
        seen = self.pipe.ask("observe", of="l", outcome=[None, 0.5, None])
        self.assertEqual(seen["loss"], 0.5)

    def test_a_round_without_anybody_is_counted(self):
        for kind in KINDS:
            with self.subTest(kind=kind):
                self.make("sleep", kind=kind)
                self.assertIsNone(self.pipe.ask("act", of="l", awake=[])["action"])
                self.assertEqual(self.pipe.ask("observe", of="l", outcome=[None] * 3)["loss"], 0)
                report = self.pipe.ask("report", of="l")
                self.assertEqual((report["rounds"], report["skipped"], report["awake"]), (1, 1, [0, 0, 0]))

    def test_tables_play_verify_and_resume(self):
        for kind, scale in [(kind, 1.0) for kind in KINDS] + [("adahedge", 900.0), ("flipflop-hedge", 1e-9)]:
            with self.subTest(kind=kind, scale=scale):
                rows, file = table(200, 4, scale=scale), self.folder / "losses.csv"
                file.write_text(csv_of(rows))
                lines = self.folder / "losses.jsonl"
                lines.write_text("".join(json.dumps(row) + "\n" for row in rows))
                settings = [] if scale == 1 else ["--param", "range=unknown"]
                record = self.folder / f"run-{kind}-{scale}.jsonl"
                run("run", "experts", *settings, "--missing", "sleep", "-d", file, "-l", kind, "--record", record)
                checked = run("verify", record)
                self.assertIn("200 rounds", checked)
                end = json.loads(record.read_text().splitlines()[-1])["end"]
                self.assertEqual(end["awake"], [sum(row[k] is not None for row in rows) for k in range(4)])
                self.assertEqual(end["skipped"], sum(all(x is None for x in row) for row in rows))
                other = self.folder / "other.jsonl"
                run("run", "experts", *settings, "--param", "experts=4", "--missing", "sleep", "-d", lines, "-l", kind, "--record", other)
                self.assertEqual(json.loads(other.read_text().splitlines()[-1])["end"], end)
                # A run saved half-way goes on as if it had not been.
                state, halves = self.folder / "state.json", self.folder / "halves.jsonl"
                run("run", "experts", *settings, "--missing", "sleep", "-d", file, "-l", kind, "--rounds", 90, "--save", state, "--record", halves)
                run("run", "experts", "--resume", state, "-d", file, "--record", halves)
                self.assertEqual(halves.read_text(), record.read_text())
                for leftover in (state, halves, other):
                    leftover.unlink()
                # Any number of the record that is changed is found.
                for change in (("loss", lambda x: x + 0.001 * scale), ("eta", lambda x: x if x in (None, "inf") else 1.01 * x)):
                    text = record.read_text().splitlines()
                    line = json.loads(text[60])
                    line[change[0]], before = change[1](line[change[0]]), line[change[0]]
                    if line[change[0]] == before:
                        continue
                    text[60] = json.dumps(line, separators=(",", ":"))
                    changed = self.folder / "changed.jsonl"
                    changed.write_text("\n".join(text) + "\n")
                    self.assertIn("changed.jsonl:61", run("verify", changed, ok=False))

    def test_the_guarantee_holds_on_hostile_tables(self):
        coins = random.Random(8)
        for kind in KINDS:
            for trial in range(20):
                self.make("sleep", kind=kind)
                for _ in range(60):
                    awake = [k for k in range(3) if coins.random() < 0.6] or [coins.randrange(3)]
                    weights = self.pipe.ask("act", of="l", awake=awake)["weights"]
                    # The heaviest loses: the worst for a learner that follows.
                    heavy = max(awake, key=lambda k: weights[k])
                    self.pipe.ask("observe", of="l", outcome=[None if k not in awake else float(k == heavy) for k in range(3)])
                report = self.pipe.ask("report", of="l")
                self.assertTrue(all(bound["holds"] for bound in report["certificate"]["bounds"]), (kind, trial, report))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
