"""What a plan says is what is played: its numbers are those of single runs, and every mistake in it is one error before any work."""
import csv
import json
import math
import pathlib
import statistics

from experiment_folder import ExperimentFolder, PLAN
from program import csv_text, hannan, losses, main

PLANS = pathlib.Path(__file__).resolve().parents[2] / "plans"


class PlanTest(ExperimentFolder):
    def test_the_numbers_are_those_of_simulate(self):
        plan = self.file("few.toml", b"""
seeds = 5
seed = 9
[[streams]]
kind = "small-loss"
experts = 8
rounds = 500
hits = 3
[[learners]]
kind = "gftpl"
[[learners]]
kind = "ada"
""")
        cells = json.loads(self.ok("experiment", plan, "--json", "-o", self.folder / "out").out)["tables"][0]["cells"]
        means = json.loads(self.ok("simulate", "experts", "--stream", "small-loss", "--experts", 8, "--rounds", 500, "--hits", 3, "--seed", 9, "--runs", 5,
                                   "-l", "gftpl", "-l", "ada", "--json").out)["learners"]
        for cell, mean in zip(cells, means):
            self.assertAlmostEqual(cell["regret"]["mean"], mean["regret"], 12)
            self.assertAlmostEqual(cell["regret"]["error"], mean["standard_error"], 12)
            self.assertAlmostEqual(cell["bound"], mean["bound"], 9)
            self.assertAlmostEqual(cell["calls_a_round"], mean["calls_a_round"], 12)
            self.assertAlmostEqual(cell["quantiles"]["0.5"], sorted(mean["regrets"])[2], 12)

    def test_the_summary_is_that_of_the_runs(self):
        """Means, errors, quantiles and differences worked out again from the line of each run."""
        files = self.play(self.quick, "out")
        runs = {}
        for row in csv.DictReader(files["results.csv"].decode().splitlines()):
            runs.setdefault((row["stream"], row["learner"]), []).append(row)
        root = lambda values: statistics.stdev(values) / len(values) ** 0.5
        cells = json.loads(files["results.json"])["tables"][0]["cells"]
        self.assertEqual(len(cells), len(runs))
        for cell in cells:
            mine = [float(row["regret"]) for row in runs[cell["stream"], cell["learner"]]]
            base = [float(row["regret"]) for row in runs[cell["stream"], "leader"]]
            self.assertEqual(len(mine), 6)
            self.assertAlmostEqual(cell["regret"]["mean"], statistics.mean(mine), 9)
            self.assertAlmostEqual(cell["regret"]["error"], root(mine), 9)
            twentieths = statistics.quantiles(mine, n=20, method="inclusive")
            for p, place in (("0.05", 0), ("0.25", 4), ("0.5", 9), ("0.75", 14), ("0.95", 18)):
                self.assertAlmostEqual(cell["quantiles"][p], twentieths[place], 9)
            if cell["learner"] == "leader":
                self.assertIsNone(cell["difference"])
                continue
            less = [a - b for a, b in zip(mine, base)]
            self.assertAlmostEqual(cell["difference"]["mean"], statistics.mean(less), 9)
            self.assertAlmostEqual(cell["difference"]["error"], root(less), 9)
            for bound in ("bound", "printed", "corrected", "limit"):
                has = [row[bound] for row in runs[cell["stream"], cell["learner"]]]
                if cell[bound] is None:
                    self.assertIn("", has)
                else:
                    self.assertAlmostEqual(cell[bound], statistics.mean(map(float, has)), 9)

    def test_bounds_are_shown_beside_the_regret(self):
        # elimination, L* = 0, 64 experts, six bits: the printed and the mended bound by hand, with M = 3, gamma = 6.
        plan = self.file("bounds.toml", b"""
[[streams]]
kind = "elimination"
hits = 0
rounds = 700
[[learners]]
kind = "gftpl"
[[learners]]
kind = "ada"
[[learners]]
kind = "leader"
[[tables]]
show = ["bounds"]
""")
        shown = self.ok("experiment", plan, "-o", self.folder / "out").out.decode()
        rows = [line for line in shown.split("### Details")[0].split("\n") if line.startswith("| elimination")]
        m, e = 2 * math.log(64), math.e
        printed = (4 * 2 ** 0.5 * m + 24) + 48 * math.log(7) + 72 + 24 * 2 ** 0.5 * m
        mended = 18 + (e - 1) * 18
        regret = float(rows[0].split("|")[3])
        self.assertEqual([cell.strip() for cell in rows[0].split("|")[4:8]], [f"{printed:.1f}", f"{regret / printed:.3f}", f"{mended:.1f}", f"{regret / mended:.3f}"])
        self.assertEqual(len(rows), 1)

    def test_thresholds_are_the_same_as_a_class_and_as_experts(self):
        plan = """
seeds = 3
[[problems]]
name = "{name}"
kind = "{kind}"
params = {params}
[[streams]]
name = "flips"
kind = "threshold-flips"
hits = 5
rounds = 400
[[streams]]
name = "noise"
kind = "threshold-noise"
best = 0.3
rounds = 400
[[streams]]
name = "midpoint"
kind = "threshold-midpoint"
rounds = 400
[[learners]]
kind = "leader"
[[learners]]
kind = "adahedge"
[[learners]]
name = "prefix"
kind = "gftpl"
set = {{ perturbation = "{prefix}", gamma = 1 }}
[[learners]]
name = "off"
kind = "off"
set = {{ perturbation = "{prefix}", gamma = 1, estimator = "reused", draw = "once" }}
[[learners]]
name = "indicator"
kind = "gftpl"
set = {{ perturbation = "one-hot", draw = "once" }}
"""
        points = ", ".join(f"[{i}]" for i in range(16))
        both = []
        for values in ({"name": "class", "kind": "classification", "params": f'{{ hypotheses = "thresholds", points = [{points}] }}', "prefix": "outcomes"},
                       {"name": "list", "kind": "experts", "params": "{ experts = 17 }", "prefix": "thermometer"}):
            files = self.play(self.file("thresholds.toml", plan.format(**values).encode()), values["name"])
            both.append([float(row["regret"]) for row in csv.DictReader(files["results.csv"].decode().splitlines())])
        self.assertEqual(len(both[0]), 45)
        for a, b in zip(*both):
            self.assertAlmostEqual(a, b, 9)
        text = plan.format(name="class", kind="classification", params=f'{{ hypotheses = "thresholds", points = [{points}] }}', prefix="outcomes")
        self.refuse(text.replace("threshold-midpoint", "threshold-sweep"), "H108", "streams[2].kind", "rounds without a point")
        self.refuse(text.replace('kind = "threshold-midpoint"', 'kind = "threshold-midpoint"\nexperts = 9'), "H105", "streams[2].experts", "found 9, expected 17")

    def test_auctions_and_the_problem_of_a_file(self):
        self.file("streets.csv", b"home,mill\nmill,port\nhome,port\n")
        plan = self.file("auctions.toml", b"""
seeds = 2
[[problems]]
name = "reserves"
kind = "vcg-reserves"
params = { bidders = 2, levels = 4 }
[[problems]]
name = "streets"
kind = "routing"
from = "streets.csv"
params = { source = "home", target = "port" }
[[streams]]
kind = "uniform"
rounds = 50
[[streams]]
kind = "adversarial"
rounds = 50
[[learners]]
kind = "flipflop"
""")
        shown = self.ok("experiment", plan, "-o", self.folder / "out").out.decode()
        self.assertIn("| learner | reserves, uniform | reserves, adversarial | streets, uniform | streets, adversarial |", shown)

    def test_the_rows_of_a_labelled_file_are_a_stream(self):
        self.file("fruit.csv", b"size,good\n1.5,no\n3,yes\n2,yes\n4,yes\n2.5,no\n")
        plan = b"""
[[problems]]
kind = "classification"
from = "fruit.csv"
params = { label = "good", hypotheses = "stumps" }
[[streams]]
name = "rows"
recorded = true
[[learners]]
kind = "leader"
"""
        cells = json.loads(self.ok("experiment", self.file("rows.toml", plan), "--json", "-o", self.folder / "out").out)["tables"][0]["cells"]
        self.assertEqual((cells[0]["rounds"], cells[0]["best"]), (5, 1))
        self.refuse(plan.decode().replace("fruit", "none"), "H201", "bad.toml:2: ", "none.csv")
        self.refuse(plan.decode().replace('"good"', '"god"'), "H106", "bad.toml:2: problems[0]", '"god"')
        self.refuse(plan.decode().replace("recorded = true", 'kind = "uniform"'), "H108", "bad.toml:6: streams[0]")

    def test_check_says_what_a_plan_would_do_and_does_nothing(self):
        done = self.ok("experiment", self.quick, "--check", "-o", self.folder / "out")
        self.assertEqual(done.out, b"mixed: 1 tables, 8 cells, 48 runs, 12000 rounds\n")
        self.assertFalse((self.folder / "out").exists())

    def test_every_mistake_is_one_error_before_any_work(self):
        good = PLAN.format(rounds=300)
        def change(old, new):
            self.assertIn(old, good)
            return good.replace(old, new, 1)
        self.refuse(change('kind = "leader"', 'kind = "leadr"'), "H106", "bad.toml:18: learners[0].kind", '"leadr"', "flipflop")
        self.refuse(change("mc = 16", 'noise = "exponential"'), "H108", "bad.toml:28: learners[2].set.noise", "one-sided noise")
        self.refuse(change("mc = 16", "c = -1"), "H105", "bad.toml:28: learners[2].set.c")
        self.refuse(change("mc = 16", "sc = 1"), "H103", "bad.toml:28: learners[2].set.sc")
        self.refuse(change("mc = 16", "seed = 1"), "H103", "bad.toml:28: learners[2].set.seed")
        self.refuse(change("losses.csv", "nothing.csv"), "H201", "bad.toml:12", "nothing.csv")
        self.refuse(change("seeds = 6", "seeds = 0"), "H105", "bad.toml:3: seeds", "found 0")
        self.refuse(change('name = "file"', 'name = "iid"'), "H105", "bad.toml:12: streams[1]", '"iid" twice')
        self.refuse(change('kind = "iid"', 'kind = "idd"'), "H106", "bad.toml:8: streams[0].kind", '"idd"')
        self.refuse(change("rounds = 300", "rounds = 0"), "H105", "bad.toml:10: streams[0].rounds")
        self.refuse(change("experts = 16", "expert = 16"), "H103", "bad.toml:9: streams[0].expert")
        self.refuse(change('title = "All"', 'titel = "All"'), "H103", "tables[0].titel")
        self.refuse(change('baseline = "leader"', 'baseline = "nobody"'), "H106", "tables[0].baseline")
        self.refuse(change('baseline = "leader"', 'streams = ["nothing"]'), "H106", "tables[0].streams[0]", "iid, file")
        self.refuse(change('"bounds"]', '"bouns"]'), "H106", "tables[0].show")
        self.refuse(change("=sqrt(1+2*M/gamma)", "=sqrt(1+2*M/gama)"), "H106", "learners[1].set.c", '"gama"', "gamma")
        self.refuse(change("=sqrt(1+2*M/gamma)", "=sqrt(1+"), "H202", "learners[1].set.c")
        self.refuse(change("[[streams]]", "[[problems]]\nkind = \"expert\"\n[[streams]]"), "H106", "bad.toml:7: problems[0].kind")
        self.refuse(change("[[streams]]", "[[problems]]\nkind = \"experts\"\nparams = { experts = 8 }\n[[streams]]"), "H105", "problems[0].params.experts")
        self.refuse(change("[[streams]]", "[[problems]]\nkind = \"vcg-reserves\"\nparams = { bidders = 2 }\n[[streams]]"), "H102", "problems[0]")
        self.refuse(change("seed = 3", "seed = "), "H202", "bad.toml:4:")
        self.refuse(change("name = \"mixed\"", "name = \"mi<ed\""), "H105", "bad.toml:2: name")
        self.refuse("seeds = 2\n", "H102", "streams")
        self.file("losses.csv", csv_text(losses(20, 16)) + b"2" + b",0" * 15 + b"\n")
        self.refuse(good, "H205", "losses.csv:21:1")

    def test_flags_that_contradict(self):
        for flags in (["--rank", "1"], ["--rank", "2", "--ranks", "2"], ["--threads", "0"]):
            done = hannan("experiment", self.quick, "-o", self.folder / "out", *flags)
            self.assertEqual((done.status, done.err.count(b"\n")), (2, 1), done.err)
        self.assertEqual(hannan("experiment", self.folder / "none.toml").status, 3)

    def test_the_shipped_plans_run_to_their_end(self):
        for plan in sorted(PLANS.glob("*.toml")):
            with self.subTest(plan.name):
                self.ok("experiment", plan, "--check")
                self.play(plan, plan.stem, "--small", "--threads", "2")

    def test_checking_a_plan_starts_no_program(self):
        marker = self.folder / "started"
        text = """
seeds = 1
[[streams]]
kind = "iid"
experts = 4
rounds = 10
[[learners]]
kind = "gftpl"
set = {{ oracle = "{oracle}" }}
"""
        plan = self.file("external.toml", text.format(oracle=f"external:touch {marker}").encode())
        self.assertIn(b"1 runs, 10 rounds", self.ok("experiment", plan, "--check").out)
        self.assertFalse(marker.exists(), "the plan's program was started")
        done = hannan("experiment", plan, "-o", self.folder / "out")
        self.assertEqual(done.status, 3, done.err)  # played, it is started, and ends without an answer
        self.assertTrue(marker.exists())
        for oracle, code in (("external:", "H100"), ("external@0:true", "H105"), ("external@x:true", "H105")):
            plan = self.file("wrong.toml", text.format(oracle=oracle).encode())
            done = hannan("experiment", plan, "--check")
            self.assertIn(f"hannan: {code}: ".encode(), done.err, oracle)
            self.assertIn(b"wrong.toml:", done.err)


if __name__ == "__main__":
    main()
