"""Segments in `hannan simulate`, `oracle` and `experiment`, and the errors of contexts on every command."""
import collections
import csv
import json
import math

from contexts_test import rounds
from program import FolderTest, hannan, main


class Simulate(FolderTest):
    def means(self, segments, *args, problem=("experts", "--stream", "iid", "--experts", 8)):
        done = self.ok("simulate", *problem, "--by", "a,b", "--segments", segments, "--json", "--seed", 2, *args)
        return {m["learner"]: m for m in json.loads(done.out)["learners"]}

    def test_segments_that_matter_are_learned_and_void_ones_cost_little(self):
        """The best expert is 0.2 better than the others: 300 of the 1500 rounds are at stake."""
        gain = {}
        for kind in ("void", "matter", "mixed", "drifting"):
            found = self.means(kind, "--rounds", 1500, "--best", 0.2, "--others", 0.6, "--fan", 2, "--period", 300)
            gain[kind] = found["flipflop"]["regret"] - found["flipflop by a,b"]["regret"]
            self.assertTrue(found["flipflop by a,b"]["bounds_hold"], kind)
        self.assertGreater(gain["void"], -15)
        self.assertLess(gain["void"], 15)
        self.assertGreater(gain["matter"], 150)
        self.assertGreater(gain["mixed"], 80)
        self.assertGreater(gain["drifting"], 0)

    def test_a_written_stream_is_what_is_played(self):
        for kind in ("matter", "mixed", "drifting", "void"):
            found = self.means(kind, "--rounds", 80, "--period", 30)
            data = self.folder / f"{kind}.csv"
            self.ok("simulate", "experts", "--stream", "iid", "--experts", 8, "--by", "a,b", "--segments", kind, "--rounds", 80,
                    "--period", 30, "--seed", 2, "-o", data, "-q")
            report = json.loads(self.ok("run", "experts", "-d", data, "--by", "a,b", "--seed", 2, "--json").out)
            self.assertAlmostEqual(report["regret"], found["flipflop by a,b"]["regret"], delta=1e-9)
        with open(data) as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(len(rows), 80)
        self.assertEqual({row["a"] for row in rows}, {f"a {i}" for i in range(1, 5)})
        plain = self.folder / "plain.csv"
        self.ok("simulate", "experts", "--stream", "iid", "--experts", 8, "--rounds", 80, "--seed", 2, "-o", plain, "-q")
        void = [",".join(line.split(",")[2:]) for line in data.read_text().splitlines()[1:]]
        self.assertEqual(void, plain.read_text().splitlines(), "columns that say nothing leave the outcomes as they are")

    def test_markets_by_segment(self):
        market = ("vcg-reserves", "--param", "bidders=1", "--param", "levels=10", "--stream", "lognormal")
        found = self.means("matter", "--rounds", 600, "--fan", 2, problem=market)
        self.assertLess(found["flipflop by a,b"]["regret"], found["flipflop"]["regret"])
        lines = self.folder / "m.jsonl"
        self.ok("simulate", *market, "--by", "a,b", "--rounds", 5, "-o", lines, "-q")
        self.assertEqual([list(json.loads(line)) for line in lines.read_text().splitlines()], [["context", "outcome"]] * 5)

    def test_a_plan_has_the_numbers_of_simulate(self):
        plan = self.file("plan.toml", b"""
seeds = 2
seed = 2
[[streams]]
name = "s"
kind = "iid"
experts = 8
rounds = 120
by = ["a", "b"]
segments = "mixed"
fan = 3
[[learners]]
kind = "flipflop"
[[learners]]
name = "tree"
kind = "flipflop"
set = { by = ["a", "b"], open = 2 }
""")
        done = self.ok("experiment", plan, "--json", "-o", self.folder / "out")
        cells = {c["learner"]: c for c in json.loads(done.out)["tables"][0]["cells"]}
        means = self.means("mixed", "--rounds", 120, "--fan", 3, "--runs", 2, "--open", 2)
        self.assertAlmostEqual(cells["flipflop"]["regret"]["mean"], means["flipflop"]["regret"], 9)
        self.assertAlmostEqual(cells["tree"]["regret"]["mean"], means["flipflop by a,b"]["regret"], 9)

    def test_a_plan_of_a_file_with_columns(self):
        data = self.file("data.csv", ("country,site,a,b,c,d\n" + "".join(",".join(map(str, c + y)) + "\n" for c, y in rounds(60))).encode())
        text = '[[streams]]\nname = "f"\ndata = "data.csv"\nby = ["country", "site"]\n[[learners]]\nkind = "flipflop"\nset = {{ by = {} }}\n'
        plan = self.file("plan.toml", text.format('["country", "site"]').encode())
        cell = json.loads(self.ok("experiment", plan, "--json", "-o", self.folder / "out").out)["tables"][0]["cells"][0]
        report = json.loads(self.ok("run", "experts", "-d", data, "--by", "country,site", "--json").out)
        self.assertAlmostEqual(cell["regret"]["mean"], report["regret"], 9)
        for code, by in (("H102", '["country"]'), ("H108", '["site", "site"]'), ("H105", str([str(i) for i in range(17)]))):
            done = hannan("experiment", self.file("bad.toml", text.format(by).encode()), "-o", self.folder / "bad")
            self.assertIn(code.encode(), done.err, by)
            self.assertFalse((self.folder / "bad").exists())


class Oracle(FolderTest):
    def test_best_per_segment_and_prunings(self):
        data = rounds(150, seed=9)
        path = self.file("data.csv", ("country,site,a,b,c,d\n" + "".join(",".join(map(str, c + y)) + "\n" for c, y in data)).encode())
        best = json.loads(self.ok("oracle", "experts", "-d", path, "--by", "country,site", "--json").out)
        totals = collections.defaultdict(lambda: [0.0] * 4)
        for context, row in data:
            for depth in range(3):
                for k in range(4):
                    totals[tuple(context[:depth])][k] += row[k]
        self.assertEqual([tuple(s["segment"]) for s in best["segments"]], sorted(totals))
        for found in best["segments"]:
            expected = totals[tuple(found["segment"])]
            self.assertAlmostEqual(found["value"], min(expected), 9)
            self.assertAlmostEqual(expected[found["action"]], min(expected), 9)
        self.assertAlmostEqual(best["per_segment"]["loss"], sum(min(t) for s, t in totals.items() if len(s) == 2), 9)
        report = json.loads(self.ok("run", "experts", "-d", path, "--by", "country,site", "--json").out)
        self.assertEqual(best["prunings"], report["prunings"])
        self.assertAlmostEqual(best["prunings"][2]["penalty"], math.log(150), 9)
        text = self.ok("oracle", "experts", "-d", path, "--by", "country,site").out.decode()
        self.assertIn("in hindsight: overfits small segments", text)
        self.assertIn("de/a: ", text)


class Refusals(FolderTest):
    """Section by section of docs/contexts.md: each wrong input on each command, one line, and no file."""

    def commands(self, data):
        out = self.folder / "out"
        return {"run": ["run", "experts", "-d", data, "--save", f"{out}.json", "--record", f"{out}.rec", "-p", f"{out}.csv"],
                "compare": ["compare", "experts", "-d", data, "-o", f"{out}.json"],
                "oracle": ["oracle", "experts", "-d", data],
                "simulate": ["simulate", "experts", "--rounds", "5", "-o", f"{out}.csv"]}

    def refused(self, code, args, played=False):
        done = hannan(*args)
        self.assertNotEqual(done.status, 0, args)
        self.assertRegex(done.err, b"^hannan: " + code.encode() + b": [^\\n]*\\n$", args)
        if not played:
            self.assertEqual(done.out, b"", args)
            self.assertEqual([p.name for p in self.folder.iterdir() if p.name.startswith("out")], [], args)

    def test_columns(self):
        data = self.file("data.csv", b"site,a,b\nx,0,1\ny,1,0\n")
        for name, args in self.commands(data).items():
            self.refused("H108", [*args, "--by", "site,site"])
            self.refused("H105", [*args, "--by", ",".join(map(str, range(17)))])
            if name != "simulate":
                self.refused("H106", [*args, "--by", "nothing"])
                self.refused("H105", [*args, "--by", "a[2;1]"])
                self.refused("H106", [*args, "--by", "@year"])
                self.refused("H100", [*args, "--by", "@hour"])

    def test_limits_and_learners(self):
        data = self.file("data.csv", b"site,a,b\nx,0,1\ny,1,0\n")
        commands = self.commands(data)
        commands["simulate"] = ["simulate", "experts", "--rounds", "5"]
        for name in ("run", "compare", "simulate"):
            self.refused("H105", [*commands[name], "--by", "site", "--open", "0"])
            self.refused("H105", [*commands[name], "--by", "site", "--most", "0"])
            for learner in ("hedge", "adahedge", "flipflop-hedge", "fpl"):
                self.refused("H108", [*commands[name], "--by", "site", "-l", learner])

    def test_values(self):
        """What stands in the third row is found there; rounds before it are kept where a run keeps them."""
        for code, cell in (("H204", b"\xff"), ("H105", 1025 * b"x")):
            data = self.file("data.csv", b"site,a,b\nx,0,1\n" + cell + b",1,0\n")
            for name, args in self.commands(data).items():
                if name == "simulate":
                    continue
                self.refused(code, [*args, "--by", "site"], played=name == "run")
                for left in self.folder.glob("out*"):
                    left.unlink()

    def test_contexts_of_lines(self):
        for code, line in (("H301", b'{"context":["x","y"],"outcome":[0,1]}'), ("H102", b'{"outcome":[0,1]}'),
                           ("H104", b'{"context":[[1]],"outcome":[0,1]}'), ("H103", b'{"context":["x"],"outcome":[0,1],"more":1}'),
                           ("H301", b'{"context":["x"],"outcome":[0,2]}')):
            data = self.file("data.jsonl", b'{"context":["x"],"outcome":[0,1]}\n' + line + b"\n")
            for name, args in self.commands(data).items():
                if name == "simulate":
                    continue
                self.refused(code, [*args, "--param", "experts=2", "--by", "site"], played=name == "run")
                if name == "run":  # the round before it is kept, and nothing of the wrong one
                    state = json.loads((self.folder / "out.json").read_text())
                    self.assertEqual(len((self.folder / "out.csv").read_text().splitlines()), 2)
                    self.assertEqual([s["seen"] for s in state["state"]["tree"]["segments"]], [1, 1])
                for left in self.folder.glob("out*"):
                    left.unlink()

    def test_a_context_without_columns(self):
        data = self.file("data.jsonl", b'{"context":["x"],"outcome":[0,1]}\n')
        for name, args in self.commands(data).items():
            if name != "simulate":
                self.refused("H103", [*args, "--param", "experts=2"], played=name == "run")
                for left in self.folder.glob("out*"):
                    left.unlink()

    def test_adversaries_have_no_segments(self):
        self.refused("H108", ["simulate", "vcg-reserves", "--param", "bidders=1", "--param", "levels=4", "--stream", "adversarial", "--by", "a"])
        self.refused("H100", ["simulate", "experts", "--segments", "void"])
        self.refused("H106", ["simulate", "experts", "--by", "a", "--segments", "nothing"])


if __name__ == "__main__":
    main()
