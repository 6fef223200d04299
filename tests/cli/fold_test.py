"""hannan fold and hannan oracle --sums: parts of a log add up exactly, whoever summed which, or it is an error."""
import fractions
import json
import os
import random
import shutil
import signal
import subprocess
import time
import unittest

from program import BINARY, FolderTest, csv_text, gzipped, hannan, jsonl_text, losses, main, npy_bytes


def bids(rounds, seed):
    coins = random.Random(seed)
    return [[coins.random() for _ in range(3)] for _ in range(rounds)]


def wide_losses(rounds, seed):
    """Losses from 1 down to 1e-60: two doubles do not hold their sums."""
    coins = random.Random(seed)
    return [[coins.random() * 10.0 ** -coins.randrange(60) for _ in range(2)] for _ in range(rounds)]


def rounded(exact):
    """Value, carry and all that is left, each the nearest double to what the ones before it leave."""
    parts = []
    while exact != 0:
        parts.append(float(exact))
        exact -= fractions.Fraction(parts[-1])
    return parts


class FoldTest(FolderTest):
    def fold(self, *args, folder="sums"):
        self.ok("fold", *args, "-o", self.folder / folder, "-q")
        return {path.name: path.read_bytes() for path in (self.folder / folder).iterdir()}

    def pattern(self, name):
        return str(self.folder / name)

    def write(self, data, cuts, name="part"):
        """The rows in files of these lengths."""
        paths = []
        for i, cut in enumerate(cuts):
            paths.append(self.file(f"{name}-{i:02}.csv", csv_text(data[:cut])))
            data = data[cut:]
        self.assertEqual(data, [])
        return paths

    def merged(self, *problem, folder="sums"):
        path = self.folder / "merged.sums"
        self.ok("oracle", *problem, "--sums", self.folder / folder, "--merged", path, "-q")
        return path.read_bytes()

    def refused(self, code, *args, words=(), status=3):
        done = hannan(*args)
        self.assertEqual(done.status, status, done.err)
        for word in (code, *words):
            self.assertIn(str(word).encode(), done.err)

    def test_sums_are_the_exact_ones_rounded_once(self):
        for data in (losses(300, 2), wide_losses(300, 5)):
            shutil.rmtree(self.folder / "sums", ignore_errors=True)
            self.write(data, [100, 1, 150, 49])
            self.fold("experts", "-d", self.pattern("part-*.csv"))
            sums = json.loads(self.merged("experts"))["summary"]
            self.assertEqual(sums["rounds"], 300)
            for j, found in enumerate(sums["numbers"]):
                exact = sum(fractions.Fraction(row[j]) for row in data)
                self.assertEqual(found if isinstance(found, list) else [found], rounded(exact))

    def test_any_cut_gives_the_same_bytes(self):
        data, whole = wide_losses(120, 6), None
        for k, cuts in enumerate([[120], [1, 119], [40, 40, 40], [7, 3, 100, 10]]):
            folder = f"sums-{k}"
            self.write(data, cuts, name=f"cut{k}")
            self.fold("experts", "-d", self.pattern(f"cut{k}-*.csv"), folder=folder)
            whole = whole or self.merged("experts", folder=folder)
            self.assertEqual(self.merged("experts", folder=folder), whole)

    def test_sums_and_carries_are_those_of_one_run(self):
        """Bit for bit, as the leader saves them: tables of actions, curves, and lists of distinct outcomes."""
        data = bids(400, 7)
        self.write(data, [100, 100, 100, 100])
        one = self.file("whole.csv", csv_text(data))
        for k, more in enumerate(([], ["--param", "rule=lazy"], ["--oracle", "branch_bound"])):
            problem = ["vcg-reserves", "--param", "bidders=3", "--param", "levels=10", *[m for m in more if "branch" not in m and m != "--oracle"]]
            oracle = more if "--oracle" in more else []
            learner = ["--set", "oracle=branch_bound"] if oracle else []
            self.ok("run", *problem, "-d", one, "-l", "leader", *learner, "--save", self.folder / "state.json", "-q")
            history = json.loads((self.folder / "state.json").read_text())["state"]["history"]
            self.fold(*problem, *oracle, "-d", self.pattern("part-*.csv"), folder=f"sums-{k}")
            sums = json.loads(self.merged(*problem, folder=f"sums-{k}"))["summary"]
            numbers = [n if isinstance(n, list) else [n] for n in sums["numbers"]]
            values, carries = [n[0] for n in numbers], [n[1] if len(n) > 1 else 0 for n in numbers]
            if oracle:
                tally = {json.dumps(item["outcome"]): item["weight"] for item in history["tally"]}
                self.assertEqual({json.dumps(item["key"]["outcome"]): item["sums"][0] for item in sums["lists"][0]["items"]}, tally)
            elif more:
                curves = [history["constant"], *(v for curve in history["curves"] for v in curve["values"])]
                rests = [history["carries"]["constant"], *(v for curve in history["carries"]["curves"] for v in curve["values"])]
                self.assertEqual((values, carries), (curves, rests))
            else:
                size = len(history["steps"])
                self.assertEqual((values[:size], carries[:size]), (history["steps"], history["carries"]))
            theirs = self.ok("oracle", *problem, *oracle, "-d", one, "--keep", "3", "--json").out
            self.assertEqual(self.ok("oracle", *problem, "--sums", self.folder / f"sums-{k}", "--keep", "3", "--json").out, theirs)

    def test_ranks_share_the_files_and_nothing_else(self):
        self.write(bids(90, 8), [30, 20, 10, 20, 10])
        problem = ["vcg-reserves", "--param", "levels=6", "-d", self.pattern("part-*.csv")]
        one = self.fold(*problem, folder="one")
        self.assertEqual(set(one), {"fold.json", *(f"{i:06}.sums" for i in range(1, 6))})
        launchers = [("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"), ("PMI_RANK", "PMI_SIZE"), ("SLURM_PROCID", "SLURM_NTASKS")]
        for k, (rank, size) in enumerate(launchers):
            out = self.folder / f"several-{k}"
            for i in reversed(range(7)):  # more ranks than files, the first one last
                done = subprocess.run([BINARY, "fold", *problem, "-o", out, "-q"], env={**os.environ, rank: str(i), size: "7"},
                                      capture_output=True, timeout=60)
                self.assertEqual((done.returncode, done.stderr), (0, b""))
            self.assertEqual({path.name: path.read_bytes() for path in out.iterdir()}, one)
        out = self.folder / "half"
        self.ok("fold", *problem, "-o", out, "--rank", "0", "--ranks", "2", "-q")
        self.refused("H411", "oracle", "vcg-reserves", "--sums", out, words=["000002.sums", "part-01.csv", "once more"])
        self.refused("H100", "fold", *problem, "-o", out, "--rank", "1", status=2)

    @unittest.skipUnless(shutil.which("mpirun"), "no mpirun")
    def test_mpirun_spreads_the_files(self):
        self.write(bids(60, 11), [30, 20, 10])
        problem = ["vcg-reserves", "--param", "levels=6", "-d", self.pattern("part-*.csv")]
        one = self.fold(*problem, folder="one")
        command = ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", "2", BINARY, "fold", *problem, "-o", str(self.folder / "two")]
        done = subprocess.run(command, capture_output=True, timeout=120)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        self.assertIn(b"rank 0 of 2: 2 of 3 files", done.stdout)
        self.assertEqual({path.name: path.read_bytes() for path in (self.folder / "two").iterdir()}, one)

    def test_a_killed_process_costs_its_part_only(self):
        """Killed while it works, then run once more: the same bytes, and what was finished is not done again."""
        data = wide_losses(60_000, 9)
        self.write(data, [20_000] * 3)
        problem = ["experts", "-d", self.pattern("part-*.csv")]
        one = self.fold(*problem, folder="one")
        out = self.folder / "killed"
        process = subprocess.Popen([BINARY, "fold", *problem, "-o", out, "-q"])
        deadline = time.monotonic() + 60
        while not (out / "000001.sums").exists() and time.monotonic() < deadline:
            time.sleep(0.0005)
        process.send_signal(signal.SIGKILL)
        process.wait(timeout=60)
        before = {path.name: path.stat().st_mtime_ns for path in out.glob("*.sums")}
        if len(before) < 3:
            self.refused("H411", "oracle", "experts", "--sums", out)
        done = json.loads(self.ok("fold", *problem, "-o", out, "--json").out)
        self.assertEqual((done["folded"], done["found"], done["rows"]), (3, len(before), 60_000))
        self.assertEqual({path.name: path.read_bytes() for path in out.iterdir() if not path.name.endswith(".new")}, one)
        self.assertEqual({name: (out / name).stat().st_mtime_ns for name in before}, before)

    def test_missing_damaged_doubled_and_foreign_parts_are_errors_with_their_name(self):
        self.write(losses(40, 2), [10, 20, 10])
        self.fold("experts", "-d", self.pattern("part-*.csv"))
        sums = self.folder / "sums"
        ask = ["oracle", "experts", "--sums", sums]
        second = (sums / "000002.sums").read_bytes()
        self.ok(*ask)
        (sums / "000002.sums").unlink()
        self.refused("H411", *ask, words=["000002.sums", "part-01.csv"])
        for cut in (0, 1, len(second) // 2, len(second) - 2):
            (sums / "000002.sums").write_bytes(second[:cut])
            self.refused("H413", *ask, words=["000002.sums"])
        (sums / "000002.sums").write_bytes(second.replace(b'"rows":20', b'"rows":21'))
        self.refused("H413", *ask, words=["000002.sums", "changed"])
        (sums / "000002.sums").write_bytes(second)
        (sums / "copy.sums").write_bytes(second)
        self.refused("H412", *ask, words=["copy.sums", "part-01.csv", "000002.sums"])
        (sums / "copy.sums").unlink()
        other = self.file("other.csv", csv_text(losses(5, 2, seed=3)))
        foreign = self.fold("experts", "-d", other, folder="foreign")["000001.sums"]
        (sums / "copy.sums").write_bytes(foreign)
        self.refused("H414", *ask, words=["copy.sums", "other.csv"])
        (sums / "copy.sums").unlink()
        self.refused("H414", "oracle", "experts", "--param", "experts=3", "--sums", sums, words=[sums])
        self.refused("H414", "oracle", "vcg-reserves", "--sums", sums, words=["experts"])
        (sums / "fold.json").unlink()
        self.refused("H411", *ask, words=["fold.json"])

    def test_a_part_of_other_parameters_is_refused(self):
        self.write(bids(20, 3), [10, 10])
        for levels in (5, 6):
            self.fold("vcg-reserves", "--param", f"levels={levels}", "-d", self.pattern("part-*.csv"), folder=f"sums-{levels}")
        shutil.copy(self.folder / "sums-6" / "000002.sums", self.folder / "sums-5" / "000002.sums")
        self.refused("H414", "oracle", "vcg-reserves", "--sums", self.folder / "sums-5", words=["000002.sums", '"levels":6', '"levels":5'])
        self.refused("H414", "fold", "vcg-reserves", "--param", "levels=6", "-d", self.pattern("part-*.csv"), "-o", self.folder / "sums-5")
        # The same command mends it.
        self.fold("vcg-reserves", "--param", "levels=5", "-d", self.pattern("part-*.csv"), folder="sums-5")
        self.ok("oracle", "vcg-reserves", "--sums", self.folder / "sums-5")

    def test_every_round_counts_once(self):
        first = self.file("a.csv", csv_text(losses(10, 2)))
        self.refused("H412", "fold", "experts", "-d", first, "-d", self.folder / "." / "a.csv", "-o", self.folder / "out")
        shutil.copy(first, self.folder / "b.csv")
        self.fold("experts", "-d", self.pattern("?.csv"))
        self.refused("H412", "oracle", "experts", "--sums", self.folder / "sums", words=["a.csv", "b.csv", "same bytes"])

    def test_a_file_that_changed_is_summed_anew(self):
        first, second = self.write(losses(40, 2), [20, 20])
        before = self.fold("experts", "-d", first, "-d", second)
        second.write_bytes(csv_text(losses(25, 2, seed=4)))
        after = self.fold("experts", "-d", first, "-d", second)
        self.assertEqual(before["000001.sums"], after["000001.sums"])
        self.assertIn(b'"rows":25', after["000002.sums"])

    def test_formats_columns_and_bad_rows(self):
        data = losses(30, 2)
        for name, content in (("t.csv", csv_text(data)), ("t.npy", npy_bytes(data)), ("t.jsonl", jsonl_text(data)), ("t.csv.gz", gzipped(csv_text(data)))):
            self.fold("experts", "--param", "experts=2", "-d", self.file(name, content), folder="sums-" + name)
        merged = {self.merged("experts", folder=f"sums-{name}") for name in ("t.csv", "t.npy", "t.jsonl", "t.csv.gz")}
        self.assertEqual(len(merged), 1)
        named = [self.file("n0.csv", csv_text(data, header=["alice", "bob"])), self.file("n1.csv", csv_text(data[:9], header=["alice", "bob"]))]
        self.fold("experts", "-d", *named[:1], "-d", *named[1:], folder="named")
        self.assertRegex(self.ok("oracle", "experts", "--sums", self.folder / "named").out, rb"(alice|bob) \([01]\)")
        swapped = self.file("n1.csv", csv_text(data[:9], header=["bob", "alice"]))
        self.fold("experts", "-d", named[0], "-d", swapped, folder="swapped")
        self.refused("H414", "oracle", "experts", "--sums", self.folder / "swapped", words=["bob,alice", "alice,bob"])
        bad = self.file("bad.csv", b"a,b\n0,1\n0.5,nan\n2,0\n0.25,0.5\n1\n1,0\n")
        self.refused("H204", "fold", "experts", "-d", bad, "-o", self.folder / "bad")
        self.refused("H203", "fold", "experts", "-d", bad, "-o", self.folder / "bad", "--bad-rows", "2")
        part = json.loads(self.fold("experts", "-d", bad, "--bad-rows", "3", folder="bad")["000001.sums"])
        self.assertEqual((part["rows"], part["dropped"], part["summary"]["numbers"]), (3, 3, [1.25, 1.5]))

    def test_floors_of_the_best_fixed_action_are_those_of_a_run_over_all_rounds(self):
        rows = bids(80, 4)
        names = ["a", "b", "c"]
        for i in range(4):
            self.file(f"bids-{i}.csv", csv_text(rows[20 * i : 20 * i + 20], header=names))
        whole = self.file("all.csv", csv_text(rows, header=names))
        problem = ("vcg-reserves", "--param", "bidders=3", "--param", "levels=10")
        money = ("--cap", "3", "--currency", "EUR")
        self.fold(*problem, "-d", self.pattern("bids-*.csv"))
        ours, theirs = self.folder / "ours.json", self.folder / "theirs.json"
        self.ok("oracle", "vcg-reserves", "--sums", self.folder / "sums", "--floors", ours, *money, "-q")
        self.ok("run", *problem, "-d", whole, "-l", "leader", "--floors", theirs, *money, "-q")
        self.assertEqual(ours.read_bytes(), theirs.read_bytes())
        self.assertEqual(sorted(json.loads(ours.read_bytes())["values"]), ["a", "b", "c"])
        self.refused("H100", "oracle", *problem, "-d", whole, "--floors", ours, words=["--sums"], status=2)

    def test_a_check_on_the_outcomes_of_a_fold_is_that_of_all_rounds(self):
        rows = [[round(x, 1) for x in row] for row in bids(60, 9)]
        self.write(rows, [20, 25, 15])
        whole = self.file("all.csv", csv_text(rows))
        problem = ("vcg-reserves", "--param", "bidders=3", "--param", "levels=3")
        self.fold(*problem, "-d", self.pattern("part-*.csv"), "--oracle", "outcomes")
        checked = []
        for given in (("--sums", self.folder / "sums"), ("-d", whole)):
            done = hannan("check", *problem, *given, "--json", "-q")
            self.assertIn(done.status, (0, 1), done.err)
            answer = json.loads(done.out)
            answer["outcomes"].pop("from")
            checked.append(answer)
        self.assertEqual(checked[0]["outcomes"], checked[1]["outcomes"])
        self.assertEqual(checked[0]["holds"], checked[1]["holds"])
        for sign in ("free", "nonnegative", "nonpositive"):  # the witness is one of several
            ours, theirs = (one["gamma"][sign]["value"] for one in checked)
            self.assertAlmostEqual(ours, theirs, places=9, msg=sign)
        best = [json.loads(self.ok("oracle", *problem, *given, "--json").out)
                for given in (("--sums", self.folder / "sums"), ("-d", whole))]
        self.assertEqual(best[0]["action"], best[1]["action"])
        self.assertAlmostEqual(best[0]["value"], best[1]["value"], places=9)
        self.fold(*problem, "-d", self.pattern("part-*.csv"), folder="other")
        self.refused("H108", "check", *problem, "--sums", self.folder / "other", words=["outcomes"], status=2)
        self.refused("H414", "check", "vcg-reserves", "--param", "levels=4", "--sums", self.folder / "sums")

    def test_what_cannot_be_summed_is_refused(self):
        data = self.file("a.csv", csv_text(losses(10, 2)))
        out = self.folder / "out"
        self.refused("H108", "fold", "experts", "-d", data, "-o", out, "--oracle", "external:./solver", status=2)
        self.refused("H100", "fold", "experts", "-d", data, "-o", out, "--by", "country", status=2)
        self.refused("H100", "fold", "experts", "-d", "-", "-o", out, status=2)
        self.refused("H201", "fold", "experts", "-d", self.pattern("none-*.csv"), "-o", out)
        self.refused("H108", "fold", "vcg-reserves", "--prices", "quantiles:5", "-d", data, "-o", out, status=2)
        self.fold("experts", "-d", data)
        sums = self.folder / "sums"
        self.refused("H100", "oracle", "experts", "--sums", sums, "-d", data, status=2)
        self.refused("H100", "oracle", "experts", "--sums", sums, "--by", "country", status=2)
        self.refused("H100", "oracle", "experts", "-d", data, "--merged", out, status=2)
        self.refused("H108", "oracle", "experts", "--sums", sums, "--oracle", "external:./solver", status=2)


if __name__ == "__main__":
    main()
