"""bench_test.py BINARY [MICRO]: `hannan bench` prints what it promises; no time is asserted.

The signature covers every kind of problem and every learner, and is the same twice; every row of the table is
there, with a ratio or with the reason why there is none.
"""
import json
import os
import pathlib
import subprocess
import sys
import unittest

MICRO = sys.argv.pop(2) if len(sys.argv) > 2 and os.path.basename(sys.argv[2]).startswith("hannan_micro") else None
from program import FolderTest, hannan, main  # noqa: E402  (program reads sys.argv)

LEARNERS = ("leader", "gftpl", "ada", "flipflop", "adahedge", "flipflop-hedge")
FLAT = ("experts", "finite-game", "vcg-reserves", "multi-unit", "security-game", "threshold-bidding", "routing", "classification")
STREAMS = ("iid", "drift", "alternating", "adaptive")


class RealBids(FolderTest):
    """bench/real_bids.py turns the files of two kinds of auctions into rounds of eight bidders. The quantile of three bids is
    the second."""
    SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "bench" / "real_bids.py"
    FILES = {"ebay": ("auctionid,bid,bidder,item\n1,10,a,x\n1,20,b,x\n1,30,a,x\n2,40,c,x\n", [[1, 2 / 3], [1]]),
             "worldbank": ("contract,evaluated.price.amount\n1,100\n1,300\n2,50\n", [[0.75, 0.25]])}

    def test_rounds_are_searched(self):
        for kind, (text, rounds) in self.FILES.items():
            table, bids = self.folder / "log.csv", self.folder / f"{kind}.jsonl"
            table.write_text(text)
            subprocess.run([sys.executable, self.SCRIPT, kind, table, bids], check=True, timeout=60)
            found = [json.loads(line) for line in bids.read_text().splitlines()]
            self.assertEqual(found, [row + [0] * (8 - len(row)) for row in rounds])
            done = hannan("oracle", "vcg-reserves", "--param", "bidders=8", "--param", "levels=16", "-d", bids, "--json", "-q")
            self.assertTrue(json.loads(done.out)["proven"], done.err)


def kinds():
    """Every kind of problem, as the program itself lists them in the message about a wrong name."""
    said = hannan("oracle", "no-such-problem", "-d", "-").err.decode()
    return said.split("expected one of ")[1].strip().split(", ")


class BenchTest(FolderTest):
    def quick(self, *more):
        done = hannan("bench", "--quick", "--json", "-q", *more)
        self.assertEqual(done.status, 0, done.err)
        self.assertEqual(done.err, b"")
        return json.loads(done.out)

    def test_every_row_is_there_with_a_ratio_or_a_reason(self):
        answer = self.quick()
        rows = {row["name"]: row for row in answer["rows"]}
        self.assertEqual(len(rows), len(answer["rows"]), "names are unique")
        wanted = [f"experts/{learner}" for learner in LEARNERS] + ["argmin/plain", "argmin/perturbed"]
        wanted += [f"flat/{kind}" for kind in FLAT] + ["segments/vcg-reserves", "literal/thresholds/fresh", "literal/thresholds/once", "search/reserves", "search/pricing"]
        wanted += [f"reserves/{way}/{learner}" for way in ("listed", "broadcast") for learner in ("leader", "flipflop")]
        wanted += [f"reserves/pool/{learner}/{oracle}" for learner in ("leader", "flipflop") for oracle in ("tabulate", "branch_bound")]
        wanted += [f"certificate/{learner}" for learner in ("ada", "flipflop", "gftpl", "gftpl-run")]
        wanted += [f"calls/{kind}/{stream}/{draw}" for kind in kinds() for stream in STREAMS for draw in ("once", "fresh")]
        wanted += [f"proof/{stream}/3/64/50" for stream in ("lognormal", "uniform", "correlated")]
        for name in wanted:
            self.assertIn(name, rows)
        for row in rows.values():
            if row["ratio"] is None:
                self.assertNotEqual(row["note"], "", row)
            else:
                self.assertAlmostEqual(row["ratio"], row["ours"] / row["rival"], delta=1e-9 * row["ratio"])
            if row["goal"] is not None and row["ratio"] is not None:
                reached = row["ratio"] >= row["goal"] if row["sense"] == "at least" else row["ratio"] <= row["goal"]
                self.assertEqual(row["met"], reached, row)
            # A rival that plays another game would make the ratio worthless.
            self.assertNotIn("ANOTHER TOTAL LOSS", row["note"], row)
            self.assertNotIn("DECISIONS DIFFER", row["note"], row)

    def test_the_signature_is_the_same_twice_and_whatever_else_is_run(self):
        whole = self.quick("--only", "signature", "--only", "argmin")
        alone = hannan("bench", "--only", "signature", "--json", "-q")
        self.assertEqual(len(whole["signature"]), 16)
        self.assertEqual(whole["signature"], json.loads(alone.out)["signature"])
        # Every kind with every learner but for the few combinations that do not exist.
        self.assertGreaterEqual(whole["runs"], 10 * len(kinds()))

    def test_only_runs_what_it_names(self):
        answer = self.quick("--only", "argmin")
        self.assertIsNone(answer["signature"])
        self.assertEqual([row["name"] for row in answer["rows"]], ["argmin/plain", "argmin/perturbed"])
        self.assertEqual(hannan("bench", "--only", "nothing").status, 2)

    def test_without_rivals_the_rows_say_why(self):
        answer = self.quick("--only", "experts", "--rivals", self.folder)
        for row in answer["rows"]:
            self.assertIsNone(row["ratio"])
            self.assertIn("experts_loops.py", row["note"])

    def test_text_shows_progress_on_standard_error_alone(self):
        done = hannan("bench", "--quick", "--only", "argmin")
        self.assertEqual(done.status, 0)
        self.assertIn(b"argmin/plain", done.out)
        self.assertIn(b"pass 1 of", done.err)
        self.assertNotIn(b"pass 1 of", done.out)

    @unittest.skipIf(MICRO is None, "Google Benchmark is not here")
    def test_the_single_operations_run(self):
        done = subprocess.run([MICRO, "--benchmark_min_time=0.001", "--benchmark_format=json"], capture_output=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        found = json.loads(done.stdout)["benchmarks"]
        self.assertGreater(len(found), 10)
        self.assertEqual([b["name"] for b in found if b.get("error_occurred")], [])


if __name__ == "__main__":
    main()
