"""A decision for every segment: `hannan run --by`."""
import json
import random

from contexts_test import rounds
from program import FolderTest, hannan, main


class Run(FolderTest):
    def table(self, data, name="data.csv", extra=None):
        """The outcome's columns on both sides of those of the context."""
        lines = ["e1,country,e2,e3,site,e4" + (",more" if extra else "")]
        for t, ((country, site), row) in enumerate(data):
            cells = [row[0], country, row[1], row[2], site, row[3]] + ([extra(t)] if extra else [])
            lines.append(",".join(map(str, cells)))
        return self.file(name, ("\n".join(lines) + "\n").encode())

    def report(self, *args):
        return json.loads(self.ok("run", "experts", "--json", *args).out)

    def test_csv_and_json_lines_are_one(self):
        data = rounds(200)
        lines = "".join(json.dumps({"context": c, "outcome": y}) + "\n" for c, y in data).encode()
        table = self.report("-d", self.table(data), "--by", "country,site", "--seed", "3")
        self.assertEqual(table.pop("best_action_name"), f"e{table['best_action'] + 1}")
        self.assertEqual(table, self.report("-d", self.file("data.jsonl", lines), "--by", "country,site", "--seed", "3",
                                            "--param", "experts=4"))
        self.assertEqual(table["segments"], {"open": 13, "watched": 0, "refused": 0})
        self.assertLessEqual(table["total"], table["mixing"] + 1e-9)
        self.assertEqual([p["penalty"] for p in table["prunings"]][:2], [0, 1])
        self.assertEqual(table["prunings"][1]["leaves"], 3, "a leaf a country")

    def test_the_pipe_says_the_same(self):
        data = rounds(100)
        found = self.report("-d", self.table(data), "--by", "country,site", "--open", "2", "--most", "8")
        requests = [{"op": "problem", "as": "p", "kind": "experts", "params": {"experts": 4}},
                    {"op": "learner", "as": "l", "in": "p", "params": {"by": ["country", "site"], "open": 2, "most": 8}}]
        requests += [{"op": "observe", "in": "l", "context": c, "outcome": y} for c, y in data] + [{"op": "report", "in": "l"}]
        done = self.ok("pipe", stdin="".join(json.dumps(r) + "\n" for r in requests).encode())
        last = json.loads(done.out.splitlines()[-1])
        found.pop("best_action_name")  # of the header, which the pipe does not see
        self.assertEqual({k: v for k, v in last.items() if k != "ok"}, found)

    def test_a_resumed_run_ends_with_the_same_bytes(self):
        data = self.table(rounds(60))
        whole = [self.folder / name for name in ("whole.json", "whole.rec", "whole.jsonl")]
        self.ok("run", "experts", "-d", data, "--by", "country,site", "--open", "2", "--save", whole[0], "--record",
                whole[1], "-p", whole[2], "-q")
        for cut in (1, 2, 17, 59):
            parts = [self.folder / f"{cut}{name}" for name in (".json", ".rec", ".jsonl")]
            flags = ["--save", parts[0], "--record", parts[1], "-p", parts[2], "-q"]
            self.ok("run", "experts", "-d", data, "--by", "country,site", "--open", "2", "--rounds", cut, *flags)
            self.ok("run", "experts", "-d", data, "--resume", parts[0], *flags)
            for one, other in zip(parts, whole):
                self.assertEqual(one.read_bytes(), other.read_bytes(), (cut, other.name))

    def test_a_line_of_the_record(self):
        record = self.folder / "run.rec"
        self.ok("run", "experts", "-d", self.table(rounds(30)), "--by", "country,site", "--record", record, "-q")
        lines = [json.loads(line) for line in record.read_text().splitlines()]
        self.assertEqual(lines[0]["learner"]["params"]["by"], ["country", "site"])
        for t, line in enumerate(lines[1:-1], 1):
            self.assertEqual(list(line), ["t", "context", "nodes", "weights", "pick", "outcome", "loss", "realised"])
            self.assertEqual((line["t"], len(line["nodes"])), (t, len(line["weights"])))
            self.assertEqual(line["realised"], line["outcome"][line["nodes"][line["pick"]]["action"]])
        self.assertIn("nodes", lines[-1]["end"])

    def test_records_verify_and_altered_ones_do_not(self):
        data, record, state = self.table(rounds(50)), self.folder / "run.rec", self.folder / "s.json"
        bids = ["country,bid"] + [f"{c[0]},{(1 + int(8 * y[0])) / 10}" for c, y in rounds(50)]
        reserves = self.file("bids.csv", ("\n".join(bids) + "\n").encode())
        for learner in ("leader", "ada", "flipflop", "gftpl", "off"):
            for limits in ([], ["--open", "2"], ["--open", "2", "--most", "4"]):
                flags = ["-l", learner, "--by", "country,site", *limits, "--record", record, "-q"]
                self.ok("run", "experts", "-d", data, *flags, "--rounds", "20", "--save", state)
                self.ok("run", "experts", "-d", data, "--resume", state, "--record", record, "-q")
                self.assertIn(b"verifies: 50 rounds", self.ok("verify", record).out)
            flags = ["--param", "bidders=1", "--param", "levels=10", "-d", reserves, "--by", "country", "-l", learner]
            self.ok("run", "vcg-reserves", *flags, "--record", record, "-q")
            self.ok("verify", record, "-q")
            lines = record.read_text().splitlines()
            for at, field in ((7, "pick"), (20, "realised"), (30, "loss")):
                line = json.loads(lines[at])
                line[field] += 1
                text = lines[:at] + [json.dumps(line, separators=(",", ":"))] + lines[at + 1:]
                done = hannan("verify", self.file("other.rec", ("\n".join(text) + "\n").encode()))
                self.assertEqual(done.status, 3, done.err)
                self.assertIn(f'other.rec:{at + 1}: field "{field}"'.encode(), done.err)

    def test_other_columns_than_those_of_the_state(self):
        data, state = self.table(rounds(20)), self.folder / "s.json"
        self.ok("run", "experts", "-d", data, "--by", "country,site", "--rounds", "10", "--save", state, "-q")
        done = hannan("run", "experts", "-d", data, "--by", "site,country", "--resume", state, "-q")
        self.assertEqual(done.status, 3)
        self.assertIn(b"H401", done.err)
        self.ok("run", "experts", "-d", data, "--by", "country,site", "--resume", state, "-q")

    def test_cuts_hours_and_weekdays(self):
        # 2026-11-15 is a Sunday; 1763200800 is 2025-11-15 10:00 UTC, a Saturday.
        times = ["2026-11-15T09:30:00Z", "2026-11-16 23:59", "1763200800", "1763200800000", "soon"]
        lines = ["price,when,a,b"] + [f"{p},{t},0,1" for p, t in zip((9.9, 10, 50, 1000, "x"), times)]
        data = self.file("t.csv", ("\n".join(lines) + "\n").encode())
        summary = self.folder / "summary.json"
        flags = ["--timestamp", "when", "--summary", summary]
        found = {}
        for by in ("price[10;20;50]", "@hour", "@weekday"):
            drop = [] if by.startswith("price") else ["--by", f"{by},price"]
            report = self.report("-d", data, *(drop or ["--by", by]), *flags)
            found[by] = {n["segment"][0] for n in report["nodes"] if n["segment"]}
        self.assertEqual(found["price[10;20;50]"], {"0", "1", "3", ""})
        self.assertEqual(found["@hour"], {"09", "23", "10", ""})
        self.assertEqual(found["@weekday"], {"7", "1", "6", ""})
        self.assertEqual(json.loads(summary.read_text())["rows"], {"context_not_a_number": 1})

    def test_refusals(self):
        data = self.table(rounds(5))
        for code, *flags in (("H106", "--by", "nothing"), ("H108", "--by", "site,site"), ("H105", "--by", "e1[2;1]"),
                             ("H204", "--by", "e1[x]"), ("H106", "--by", "@year"), ("H100", "--by", "@hour"),
                             ("H105", "--by", ",".join(map(str, range(17)))), ("H100", "--set", "by=[\"site\"]"),
                             ("H108", "--by", "country,site", "-l", "hedge")):
            done = hannan("run", "experts", "-d", data, *flags)
            self.assertIn(code.encode(), done.err, (flags, done.err))
            self.assertEqual(done.out, b"")
        bad = self.file("bad.csv", b"site,a,b\nx,0,1\n\xff,0,1\n")
        done = hannan("run", "experts", "-d", bad, "--by", "site")
        self.assertEqual(done.status, 3)
        self.assertIn(b"H204", done.err)
        self.assertIn(b"bad.csv:3:1", done.err)
        short = self.file("short.jsonl", b'{"context":["a"],"outcome":[0,1]}\n{"context":[],"outcome":[0,1]}\n')
        done = hannan("run", "experts", "-d", short, "--by", "site", "--param", "experts=2")
        self.assertIn(b"H301", done.err)
        self.assertIn(b"short.jsonl:2", done.err)

    def test_a_void_column_costs_under_a_thousandth(self):
        """10^5 posted prices from one law, and a column of 30 values that says nothing: under 0.1 % of the money."""
        coins = random.Random(11)
        lines = ["site,bid"]
        for _ in range(100000):
            lines.append(f"s{coins.randrange(30)},{min(1, int(10 * coins.betavariate(3, 3) + 1) / 10)}")
        data = self.file("void.csv", ("\n".join(lines) + "\n").encode())
        plain = self.file("plain.csv", ("bid\n" + "\n".join(line.split(",")[1] for line in lines[1:]) + "\n").encode())
        flags = ["--param", "bidders=1", "--param", "levels=10", "--json", "--track", "end"]
        one = json.loads(self.ok("run", "vcg-reserves", "-d", plain, *flags).out)["raw"]["total"]
        tree = json.loads(self.ok("run", "vcg-reserves", "-d", data, "--by", "site", *flags).out)["raw"]["total"]
        self.assertGreater(tree, one * 0.999)


if __name__ == "__main__":
    main()
