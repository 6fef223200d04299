"""A decision for every segment of a bid log: `hannan convert --by`, and `run` and `compare --by` on logs."""
import csv
import json
import random

from program import FolderTest, hannan, main


def log_rows(rounds, seed=3):
    """(round, country, site, time, bidder, bid), one to three bids a round; the reserve to set depends on the country."""
    coins, rows = random.Random(seed), []
    for t in range(rounds):
        country, site = coins.choice(["de", "fr", ""]), coins.choice(["a.com", "=b,c", "d e"])
        for bidder in coins.sample(["ann", "bob", "cec"], coins.randint(1, 3)):
            rows.append((t, country, site, 1763200800 + 1800 * t, bidder, coins.randrange(1, 9 if country == "de" else 4)))
    return rows


def quoted(cell):
    return '"' + str(cell).replace('"', '""') + '"'


def csv_log(rows, header="round,country,site,when,bidder,bid"):
    return (header + "\n" + "".join(",".join(map(quoted, row)) + "\n" for row in rows)).encode()


def openrtb_log(rows):
    """The same log: a request with its context, then its responses, of which the first is on the request's line."""
    lines, last = [], None
    for t, country, site, when, bidder, bid in rows:
        response = {"id": f"r{t}", "cur": "USD", "seatbid": [{"seat": bidder, "bid": [{"impid": "1", "price": bid}]}]}
        request = {"id": f"r{t}", "imp": [{"id": "1", "tagid": site}], "device": {"geo": {"country": country}}, "ext": {"at": when}}
        if not country:
            del request["device"]
        lines.append({"request": request, "response": response} if t != last else response)
        last = t
    return "".join(json.dumps(line) + "\n" for line in lines).encode()


class Logs(FolderTest):
    BY = "country,site,@hour"
    FLAGS = ["--cap", "8", "--timestamp", "when"]

    def convert(self, log, out, by, *flags):
        summary = self.folder / f"{out}.summary"
        done = hannan("convert", log, "--by", by, "-o", self.folder / out, "--summary", summary, "-q", *flags)
        self.assertEqual(done.status, 0, done.err)
        return self.folder / out, json.loads(summary.read_text())

    def decisions(self, *args):
        path = self.folder / "decisions.jsonl"
        done = hannan("run", "vcg-reserves", "--param", "levels=8", "-p", path, "-q", *args)
        self.assertEqual(done.status, 0, done.err)
        return path.read_bytes()

    def test_a_log_a_table_and_lines_give_the_same_decisions(self):
        rows = log_rows(300)
        log, rtb = self.file("log.csv", csv_log(rows)), self.file("rtb.jsonl", openrtb_log(rows))
        straight = self.decisions("-d", log, "--format", "long", *self.FLAGS, "--by", self.BY)
        first = json.loads(straight.splitlines()[0])
        self.assertEqual(len(first["context"]), 3)
        for out in ("table.csv", "table.jsonl"):
            table, _ = self.convert(log, out, self.BY, *self.FLAGS)
            self.assertEqual(self.decisions("-d", table, "--by", self.BY, "--log", f"{table}.summary"), straight, out)
        paths = "device.geo.country,imp.tagid,@hour"
        self.assertEqual(self.decisions("-d", rtb, "--format", "openrtb", "--cap", "8", "--timestamp", "ext.at", "--by", paths), straight)
        table, summary = self.convert(rtb, "rtb.csv", paths, "--cap", "8", "--timestamp", "ext.at")
        self.assertEqual(self.decisions("-d", table, "--by", paths, "--log", f"{table}.summary"), straight)
        self.assertEqual(summary["rows"]["context_differs"], 0)

    def test_the_table_and_its_summary(self):
        rows = [(1, "de", "a.com", "2026-11-15T09:59:00", "ann", 3), (1, "de", "a.com", "2026-11-15T10:00:00", "bob", 2),
                (2, "fr", "=b,c", "2026-11-15T10:30:00", "ann", 1), (2, "de", "=b,c", "2026-11-15T10:31:00", "bob", 1.5),
                (3, "", "a.com", "soon", "ann", 2), (4, "de", "a.com", "2026-11-15T09:00:00", "ann", 1)]
        log = self.file("log.csv", csv_log(rows))
        table, summary = self.convert(log, "t.csv", "country,site,bid[1.2;2],@hour,@weekday", "--cap", "4", "--timestamp", "when")
        self.assertEqual(table.read_text().splitlines(),
                         ["country,site,\"bid[1.2;2]\",'@hour,'@weekday,ann,bob", "de,a.com,2,09,7,0.75,0.5",
                          "fr,\"'=b,c\",0,10,7,0.25,0.375", ",a.com,2,,,0.5,0", "de,a.com,0,09,7,0.25,0"])
        self.assertEqual(summary["rows"]["context_differs"], 2, "another hour in round 1, another country in round 2")
        self.assertEqual(summary["rows"]["context_not_a_number"], 1)
        self.assertEqual(summary["segments"]["columns"],
                         [{"name": "country", "values": 3}, {"name": "site", "values": 2}, {"name": "bid[1.2;2]", "values": 2},
                          {"name": "@hour", "values": 3}, {"name": "@weekday", "values": 2}])
        self.assertEqual(summary["segments"]["finest"], {"1": 4, "2-9": 0, "10-99": 0, "100+": 0})
        _, summary = self.convert(log, "u.csv", "site", "--cap", "4")
        self.assertEqual(summary["segments"]["finest"], {"1": 1, "2-9": 1, "10-99": 0, "100+": 0})
        self.assertEqual(summary["rows"]["context_differs"], 0)
        _, summary = self.convert(log, "v.csv", "country", "--cap", "4", "--format", "wide", "--columns", "bid")
        self.assertEqual(summary["segments"]["columns"], [{"name": "country", "values": 3}])

    def test_strict_refuses_rows_that_differ(self):
        log = self.file("log.csv", csv_log([(1, "de", "x", 1, "ann", 3), (1, "fr", "x", 1, "bob", 2)]))
        for args in (["convert", log, "-o", self.folder / "out.csv"],
                     ["run", "vcg-reserves", "--param", "levels=4", "-d", log, "--format", "long", "--save", self.folder / "out.csv"],
                     ["compare", "vcg-reserves", "--param", "levels=4", "-d", log, "--format", "long", "-o", self.folder / "out.csv"]):
            done = hannan(*args, "--cap", "4", "--by", "country", "--strict")
            self.assertEqual(done.status, 3, done.err)
            self.assertRegex(done.err, rb'^hannan: H202: .*log.csv: row 2: found the context \["fr"\] in round "1"')
            if args[0] != "run":
                self.assertFalse((self.folder / "out.csv").exists())

    def test_items_of_a_round_have_contexts_of_their_own(self):
        """An auction is an item of a round: impressions of one request differ without a complaint."""
        request = {"id": "r", "site": {"domain": "a.com"}, "imp": [{"id": "1", "tagid": "top"}, {"id": "2", "tagid": "side"}]}
        bids = [{"seat": "x", "bid": [{"impid": "2", "price": 1}, {"impid": "1", "price": 2}]},
                {"seat": "y", "bid": [{"impid": "1", "price": 3}]}]
        lines = [request, {"id": "r", "seatbid": bids}, {"id": "lone", "seatbid": bids[1:]}]
        log = self.file("log.jsonl", "".join(json.dumps(line) + "\n" for line in lines).encode())
        table, summary = self.convert(log, "t.csv", "site.domain,imp.tagid", "--cap", "4")
        self.assertEqual(table.read_text().splitlines(),
                         ["site.domain,imp.tagid,x,y", "a.com,side,0.25,0", "a.com,top,0.5,0.75", ",,0,0.75"])
        self.assertEqual(summary["rows"]["context_differs"], 0)

    def test_outcomes_that_are_no_rows(self):
        log = self.file("log.csv", b"round,good,site,bidder,bid\n1,hat,a,ann,3\n1,bag,a,ann,2\n2,hat,b,bob,4\n")
        out, _ = self.convert(log, "t.jsonl", "site", "--for", "item-pricing", "--item", "good", "--cap", "5")
        lines = [json.loads(line) for line in out.read_text().splitlines()]
        self.assertEqual([line["context"] for line in lines], [["a"], ["b"]])
        flags = ["item-pricing", "--param", "levels=4", "--by", "site", "--json"]
        straight = hannan("run", *flags, "-d", log, "--format", "long", "--item", "good", "--cap", "5")
        self.assertEqual(straight.status, 0, straight.err)
        params = ["--param", "items=2", "--param", "buyers=1", "--param", "demand=single"]
        self.assertEqual(json.loads(straight.out), json.loads(self.ok("run", *flags, *params, "-d", out).out))

    def test_compare_of_a_log_is_that_of_its_table(self):
        log = self.file("log.csv", csv_log(log_rows(120)))
        flags = ["--param", "levels=8", "--by", "country,site", "--json"]
        straight = hannan("compare", "vcg-reserves", "-d", log, "--format", "long", "--cap", "8", *flags)
        self.assertEqual(straight.status, 0, straight.err)
        table, _ = self.convert(log, "t.csv", "country,site", "--cap", "8")
        found = json.loads(self.ok("compare", "vcg-reserves", "-d", table, "--log", self.folder / "t.csv.summary", *flags).out)
        self.assertEqual(found["players"], json.loads(straight.out)["players"])
        self.assertEqual(json.loads(straight.out)["data"]["segments"]["columns"][0], {"name": "country", "values": 3})

    def test_refusals_leave_no_file(self):
        log, out = self.file("log.csv", csv_log(log_rows(5))), self.folder / "t.csv"
        bad = self.file("bad.csv", b"round,country,bidder,bid\n1,de,ann,1\n2,\xff,ann,1\n")
        long = self.file("long.csv", b"round,country,bidder,bid\n1,de,ann,1\n2," + 1025 * b"x" + b",ann,1\n")
        for code, path, *flags in (("H106", log, "--by", "nothing"), ("H108", log, "--by", "site,site"), ("H105", log, "--by", "bid[2;1]"),
                                   ("H204", log, "--by", "bid[x]"), ("H106", log, "--by", "@year"), ("H100", log, "--by", "@hour"),
                                   ("H105", log, "--by", ",".join(map(str, range(17)))), ("H204", bad, "--by", "country"),
                                   ("H105", long, "--by", "country"), ("H106", log, "--by", "@hour", "--timestamp", "then")):
            done = hannan("convert", path, "--cap", "8", "-o", out, *flags)
            self.assertIn(code.encode(), done.err, (flags, done.err))
            self.assertEqual(done.out, b"")
            self.assertEqual([p.name for p in self.folder.iterdir() if p.name.startswith("t.")], [], flags)
        self.assertIn(b"H108", hannan("convert", log, "--cap", "8", "--by", "site", "-o", self.folder / "t.npy").err)
        self.assertFalse((self.folder / "t.npy").exists())
        self.assertIn(b"bad.csv:3:3", hannan("convert", bad, "--cap", "8", "--by", "country").err)


class Decisions(FolderTest):
    """CSV of `run --by -p`: the segment whose decision was played."""

    def data(self):
        coins = random.Random(4)
        values = ["plain", "a,b", '"quoted"', "=1+1", "two\nlines", ""]
        rows = [(coins.choice(values), "x", coins.randrange(9) / 8, coins.randrange(9) / 8) for _ in range(240)]
        return self.file("data.csv", csv_log(rows, header="site,page,one,two"))

    def test_the_segment_is_that_of_the_lines(self):
        data, table, lines = self.data(), self.folder / "d.csv", self.folder / "d.jsonl"
        for path in (table, lines):
            self.ok("run", "experts", "-d", data, "--by", "site,page", "-p", path, "-q")
        with open(table, newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(list(rows[0]), ["round", "segment", "action", "loss", "rate", "regime"])
        found = [json.loads(line) for line in lines.read_text().splitlines()]
        self.assertEqual(len(rows), len(found))
        seen = set()
        for row, line in zip(rows, found):
            segment = "/".join(value or "(none)" for value in line["context"][:line["depth"]]).replace("\n", "\\n")
            self.assertEqual(row["segment"], "'" + segment if segment.startswith("=") else segment)
            self.assertEqual((int(row["round"]), json.loads(row["action"]), float(row["loss"])), (line["round"], line["action"], line["loss"]))
            seen.add(row["segment"])
        self.assertLessEqual({"", "(none)/x", "a,b/x", '"quoted"/x', "two\\nlines/x"}, seen)
        self.assertEqual(len(table.read_text().splitlines()), 241, "a round is a line")

    def test_a_resumed_run_ends_with_the_same_bytes(self):
        data, whole = self.data(), self.folder / "whole.csv"
        self.ok("run", "experts", "-d", data, "--by", "site,page", "-p", whole, "-q")
        part, state = self.folder / "part.csv", self.folder / "state.json"
        self.ok("run", "experts", "-d", data, "--by", "site,page", "--rounds", 33, "-p", part, "--save", state, "-q")
        self.ok("run", "experts", "-d", data, "--resume", state, "-p", part, "-q")
        self.assertEqual(part.read_bytes(), whole.read_bytes())
        plain = self.folder / "plain.csv"
        plain.write_text("round,action,loss,rate,regime\n")
        before = plain.read_bytes()
        done = hannan("run", "experts", "-d", data, "--resume", state, "-p", plain, "-q")
        self.assertIn(b"H401", done.err)
        self.assertEqual(plain.read_bytes(), before)

    def test_a_log_is_resumed_with_its_contexts(self):
        log, state, record = self.file("log.csv", csv_log(log_rows(60))), self.folder / "s.json", self.folder / "d.jsonl"
        flags = ["vcg-reserves", "--param", "levels=8", "-d", log, "--format", "long", "--cap", "8", "-q"]
        done = hannan("run", *flags, "--by", "country,site", "-p", self.folder / "whole.jsonl")
        self.assertEqual(done.status, 0, done.err)
        for more in (["--by", "country,site", "--rounds", "25", "--save", state], ["--resume", state]):
            done = hannan("run", *flags, *more, "-p", record)
            self.assertEqual(done.status, 0, done.err)
        self.assertEqual(record.read_bytes(), (self.folder / "whole.jsonl").read_bytes())


if __name__ == "__main__":
    main()
