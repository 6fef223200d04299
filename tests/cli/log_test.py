"""Logs that go straight into a run, and what they become for problems other than reserves.

A log read by `run` or `compare` must give the decisions, to the byte, that `convert` and then `run` give."""
import hashlib
import json
import os
import re
import random

from bad_input_test import OneLine
from program import DATA, FolderTest, gzipped, hannan, main



def log_of(rounds, seed=5):
    """round,bidder,item,bid,quantity with bids in quarters, a few rows of each round, some of them of no use."""
    coins = random.Random(seed)
    rows = ["round,bidder,item,bid,quantity"]
    for t in range(rounds):
        for bidder in coins.sample("abcdef", coins.randrange(1, 5)):
            rows.append(f"{t},{bidder},{coins.choice('xyz')},{coins.randrange(0, 33) / 4},{coins.randrange(1, 4)}")
    rows.insert(1, "0,a,x,none,1")
    return ("\n".join(rows) + "\n").encode()


# problem, its parameters, how the log is read; and what `convert` is told instead of parameters.
KINDS = [
    ("vcg-reserves", ["levels=8"], ["-n", "3"], []),
    ("vcg-reserves", ["levels=8"], ["-n", "2", "--item", "item", "--rest-slots", "2"], []),
    ("vcg-reserves", ["levels=8"], ["--slots", "segment", "--segment", "item"], []),
    ("vcg-reserves", ["levels=8"], ["--slots", "order", "-n", "2", "--rest", "drop"], []),
    ("level-auction", ["levels=4", "thresholds=2"], ["-n", "2"], []),
    ("second-price-bidding", ["levels=8", 'valuation=[{"items":[0],"value":6},{"items":[1],"value":5},{"items":[0,1],"value":8}]'],
     ["--item", "item", "--names", "x,y", "--rest", "drop", "--me", "a"], []),
    ("item-pricing", ["levels=8"], ["--item", "item", "-n", "2"], []),
    ("item-pricing", ["levels=8", "demand=unit"], ["--item", "item", "-n", "3"], ["--demand", "unit"]),
    ("item-pricing", ["levels=8"], ["--bidder", "none"], []),
    ("multi-unit", ["units=6"], ["--quantity", "quantity", "-n", "3"], ["--units", "6"]),
]


class StraightIn(FolderTest):
    def setUp(self):
        super().setUp()
        self.log = self.file("log.csv", log_of(120))

    def params(self, words):
        return [part for word in words for part in ("--param", word)]

    def record_without_data(self, record, data):
        """The bytes of a record without the one place where it names the data, which must be there, and its digest."""
        digest = hashlib.sha256(data.read_bytes()).hexdigest()
        place = f'"file":"{data.name}","sha256":"{digest}","bytes":{data.stat().st_size}'.encode()
        self.assertEqual(record.read_bytes().count(place), 1, place)
        rest, digests = re.subn(rb',"digest":"[0-9a-f]{16}"}\n\Z', b"", record.read_bytes().replace(place, b""))
        self.assertEqual(digests, 1)
        return rest

    def test_decisions_are_those_of_convert_and_run_to_the_byte(self):
        for kind, words, how, told in KINDS:
            with self.subTest(f"{kind} {how}"):
                lists = kind in ("item-pricing", "multi-unit")
                table, facts = self.folder / ("t.jsonl" if lists else "t.csv"), self.folder / "t.json"
                self.ok("convert", self.log, "--for", kind, *told, *how, "--cap", "8", "--accept-hidden", "-q", "-o", table, "--summary", facts)
                summary = json.loads(facts.read_text())
                self.assertEqual(summary["rows"]["dropped"]["not_a_number"]["rows"], 1)
                found = [f"{name}={value}" for name, value in summary["params"].items()]
                files = {name: (self.folder / f"{name}.csv", self.folder / f"{name}.record", self.folder / f"{name}.json") for name in ("two", "one")}
                decisions, record, report = files["two"]
                self.ok("run", kind, *self.params(words), *self.params(found), "-d", table, "--log", facts, "-q", "-p", decisions, "--record", record, "--summary", report)
                decisions, record, report = files["one"]
                self.ok("run", kind, *self.params(words), "-d", self.log, "--format", "long", *how, "--cap", "8", "-q", "-p", decisions, "--record", record,
                        "--summary", report)
                self.assertEqual(files["one"][0].read_bytes(), files["two"][0].read_bytes())
                # Each record names the file that it was made from; all else is the same.
                one, two = (self.record_without_data(files[name][1], data) for name, data in (("one", self.log), ("two", table)))
                self.assertEqual(one, two)
                one, two = (json.loads(files[name][2].read_text()) for name in ("one", "two"))
                del two["data"]["table"]
                self.assertEqual(one, two)
                self.ok("verify", record, "-q")

    def test_compare_reads_the_log_twice_and_says_the_same(self):
        table, facts = self.folder / "t.csv", self.folder / "t.json"
        zipped = self.file("log.csv.gz", gzipped(self.log.read_bytes()))
        for quantile in ("1", "0.9"):
            how = ["-n", "2", "--cap-quantile", quantile, "--rest-slots", "2"]
            # A portfolio decides by what was logged in each auction, which a table of clipped bids does not know.
            who = [] if quantile == "1" else ["-l", "flipflop"]
            self.ok("convert", zipped, *how, "-q", "-o", table, "--summary", facts)
            two = json.loads(self.ok("compare", "vcg-reserves", "--param", "levels=8", "-d", table, "--log", facts, *who, "--json").out)
            one = json.loads(self.ok("compare", "vcg-reserves", "--param", "levels=8", "-d", zipped, "--format", "long", *how, *who, "--json").out)
            del two["data"]["table"]
            self.assertEqual(one["data"], two["data"])
            self.assertEqual(one["data"]["bidders"], 6)
            self.assertEqual((one["baseline"], one["as_logged"]), ("as logged", one["data"]["as_logged"]))
            if quantile == "1":  # nothing is hidden
                self.assertEqual(one, two)
            # A table of clipped bids knows the sum of what is above the cap, not the auctions in which it was.
            for a, b in zip(one["players"], two["players"]):
                self.assertEqual((a["name"], a["final_action"]), (b["name"], b["final_action"]))
                self.assertAlmostEqual(a["money"], b["money"], places=6)
                self.assertAlmostEqual(a["over_baseline"], b["over_baseline"], places=6)
                if a["name"] == "as logged":
                    self.assertAlmostEqual(a["money"], one["as_logged"]["rule"], places=6)
                    self.assertEqual(a["over_baseline"], 0)

    def test_the_counts_are_said_on_standard_error(self):
        told = hannan("convert", self.log, "--cap", "8", "-n", "3", "--accept-hidden", "-o", self.folder / "t.csv").err.decode()
        counts = told[:told.index("wrote 120 rounds")]
        # What cannot be read is said before all else, by each command, and then how much money that hides.
        unreadable = (f'WARNING: 1 of 297 cells of the column "bid" that cannot be read ({self.log}:2:7 "none")\n'
                      "  each counts as hidden money, as much as the largest amount of its column\n")
        hidden = ("WARNING: 2.5 % of the log's money is hidden by the way it is read (unreadable 2.5 %)\n"
                  "  docs/logs.md says what hides it; --rest-slots 2 and --cap-quantile 1 hide least\n")
        money = "as logged: 318 in 120 auctions, the second highest bid\n"
        others = (f"{self.log}: 297 rows read, 296 used\n  dropped 1 whose bid is not a number, the first at {self.log}:2:7\n"
                  "120 auctions read, 120 used, 0 without a bid, 0 with too few bidders\n"
                  "scale: 8 becomes 1; 0 of 296 bids clipped, the largest is 8\n"
                  "slots, and the auctions in which they bid: a (60), f (56), e (54), rest 1 (86), rest 2 (33)\n"
                  "  126 bids pooled into the slots for the rest\n")
        self.assertEqual(counts, unreadable + hidden + money + others)
        for command in ("run", "compare"):
            done = hannan(command, "vcg-reserves", "--param", "levels=8", "-d", self.log, "--format", "long", "--cap", "8", "-n", "3", "--accept-hidden")
            # A comparison says what the log brought above its table, and not twice. A slow machine reports progress.
            found = re.sub(r"^ +\d+ rounds +\d+ s\n", "", done.err.decode(), flags=re.MULTILINE)
            self.assertEqual((done.status, found), (0, counts if command == "run" else unreadable + others))
            if command == "compare":
                self.assertTrue(done.out.decode().startswith(hidden + money), done.out)

    def test_a_run_on_a_log_is_saved_and_resumed(self):
        here = ["run", "vcg-reserves", "--param", "levels=8", "-d", self.log, "--format", "long", "--cap-quantile", "1", "-n", "3", "-q", "-p"]
        whole, halves, state = (self.folder / name for name in ("whole.csv", "halves.csv", "state.json"))
        self.ok(*here, whole)
        self.ok(*here, halves, "--rounds", "50", "--save", state)
        self.ok(*here, halves, "--resume", state)
        self.assertEqual(whole.read_bytes(), halves.read_bytes())

    def test_a_pipe_is_enough_where_names_and_cap_are_stated(self):
        args = ["run", "vcg-reserves", "--param", "levels=8", "--format", "long", "--cap", "8", "--names", "a,b", "--json", "-d"]
        self.assertEqual(self.ok(*args, "-", stdin=self.log.read_bytes()).out, self.ok(*args, self.log).out)

    def test_the_floors_know_the_bidders_of_the_log(self):
        floors = self.folder / "floors.json"
        self.ok("run", "vcg-reserves", "--param", "levels=8", "-d", self.log, "--format", "long", "--cap", "8", "--currency", "EUR", "--names", "a,b", "-q", "--floors", floors)
        written = json.loads(floors.read_text())
        self.assertEqual((set(written["values"]), written["currency"]), ({"a", "b", "*"}, "EUR"))


class Summaries(OneLine):
    """What `convert --summary` says and what is made of it."""

    def setUp(self):
        super().setUp()
        self.log = self.file("log.csv", log_of(60, seed=3))
        self.table, self.facts = self.folder / "t.csv", self.folder / "t.json"
        self.ok("convert", self.log, "--cap", "8", "--names", "a,b", "--accept-hidden", "-q", "-o", self.table, "--summary", self.facts)
        self.play = ["run", "vcg-reserves", "--param", "levels=8", "-d", self.table, "-q"]

    def test_another_file_in_its_place_is_refused(self):
        other = self.folder / "s.json"
        self.ok(*self.play, "--summary", other)
        self.refused([*self.play, "--log", other], "H100", 2, "hannan convert --summary")
        self.refused([*self.play, "--log", self.file("x.json", b'{"cap":5,"slots":["a"]}')], "H100", 2, "slots")

    def test_that_of_another_table_is_refused(self):
        self.ok("convert", self.log, "--cap", "8", "--names", "b,a", "--accept-hidden", "-q", "-o", self.folder / "u.csv", "--summary", self.folder / "u.json")
        self.refused([*self.play, "--log", self.folder / "u.json"], "H100", 2, "another table")

    def test_floors_need_money_and_take_names_from_the_header(self):
        floors = self.folder / "f.json"
        self.refused([*self.play, "--floors", floors], "H100", 2, "--cap")
        self.ok(*self.play, "--floors", floors, "--cap", "8")
        self.assertTrue({"a", "b"} <= set(json.loads(floors.read_text())["values"]))

    def test_the_currency_is_that_of_the_first_response(self):
        bid = '{"id":"%d","cur":"%s","seatbid":[{"seat":"a","bid":[{"impid":"1","price":2}]},{"seat":"b","bid":[{"impid":"1","price":1}]}]}\n'
        log = self.file("log.jsonl", "".join(bid % (i, "EUR" if i % 3 else "USD") for i in range(1, 20)).encode())
        told = hannan("convert", log, "--cap", "4", "-o", self.folder / "e.csv", "--summary", self.folder / "e.json")
        self.assertEqual(json.loads((self.folder / "e.json").read_text())["currency"], "EUR")
        self.assertIn(b"in another currency than EUR", told.err)

    def test_a_log_without_bids_or_a_pipe_is_refused(self):
        run = ["run", "vcg-reserves", "--param", "levels=8", "--format", "long", "--cap", "5", "-d"]
        self.refused([*run, self.file("h.csv", b"round,bidder,bid\n")], "H206", 3, "expected at least one")
        os.mkfifo(self.folder / "pipe")
        self.refused([*run, self.folder / "pipe"], "H100", 2, "read once")


class Shapes(FolderTest):
    """Outcomes reckoned again from the log, in Python."""

    def setUp(self):
        super().setUp()
        self.log = self.file("log.csv", log_of(60, seed=8))
        self.rounds = {}
        for line in self.log.read_text().splitlines()[1:]:
            t, bidder, item, bid, quantity = line.split(",")
            if bid != "none":
                self.rounds.setdefault(t, []).append((bidder, item, float(bid), float(quantity)))

    def lines(self, *args):
        out = self.folder / "out.jsonl"
        self.ok("convert", self.log, "--cap", "8", "-q", "-o", out, *args)
        return [json.loads(line) for line in out.read_text().splitlines()]

    def test_prices(self):
        expected = [[min(1, max([b for w, i, b, _ in rows if i == item and w != "b"] + [0]) / 8) if any(i == item for _, i, _, _ in rows) else 1 for item in "xyz"]
                    for rows in self.rounds.values()]
        self.assertEqual(self.lines("--for", "second-price-bidding", "--item", "item", "--names", "x,y,z", "--rest", "drop", "--me", "b"), expected)
        alone = [[min(1, max(b for _, _, b, _ in rows) / 8)] for rows in self.rounds.values()]
        self.assertEqual(self.lines("--for", "second-price-bidding"), alone)

    def test_buyers(self):
        found = self.lines("--for", "item-pricing", "--demand", "unit", "--item", "item", "--names", "z,x", "--rest", "drop")
        for rows, buyers in zip(self.rounds.values(), found, strict=True):
            names = list(dict.fromkeys(w for w, _, _, _ in rows))
            self.assertEqual(buyers, [[min(1, max([b for w, i, b, _ in rows if (w, i) == (name, item)] + [0]) / 8) for item in "zx"] for name in names])

    def test_valuations(self):
        found = self.lines("--for", "multi-unit", "--quantity", "quantity", "--names", "a,b,c,d,e,f", "--rest", "drop", "--units", "5")
        for rows, values in zip(self.rounds.values(), found, strict=True):
            for name, steps in zip("abcdef", values, strict=True):
                units = sorted((b for w, _, b, q in rows if w == name for _ in range(int(q))), reverse=True)[:5]
                worth = [min(1, sum(units[:k]) / 8) for k in range(1, len(units) + 1)]
                for k, value in enumerate(worth, 1):
                    self.assertEqual(max([v for q, v in steps if q <= k] + [0]), value, (rows, steps))


class Refusals(OneLine):
    def test_what_does_not_go_together(self):
        log = self.file("log.csv", log_of(60))  # of its bids less than 1 % cannot be read
        here = ["run", "vcg-reserves", "--param", "levels=8", "-d", log]
        for args, code, at in (([*here, "--bidder", "bidder"], "H100", "--format long"), ([*here, "--cap-quantile", "1"], "H100", "--format long"),
                               ([*here, "--format", "long"], "H102", "--cap"), ([*here, "--format", "long", "--cap", "8", "--log", "x.json"], "H100", "--log"),
                               ([*here, "--format", "long", "--cap", "8", "--param", "bidders=2"], "H100", "expected 6"),
                               (["run", "experts", "-d", log, "--format", "long", "--cap", "8"], "H108", "vcg-reserves"),
                               (["run", "experts", "--format", "long", "--cap", "8"], "H100", "-d"),
                               (["run", "multi-unit", "-d", log, "--format", "long", "--cap", "8"], "H102", "units"),
                               ([*here, "--format", "long", "--cap", "8", "--me", "a"], "H100", "--me"),
                               ([*here, "--format", "long", "--cap", "8", "--quantity", "quantity"], "H100", "--quantity"),
                               ([*here, "--format", "long", "--cap", "8", "--segment", "item"], "H100", "--segment"),
                               (["convert", log, "--cap", "8", "--for", "item-pricing", "--slots", "rank"], "H100", "--slots"),
                               (["convert", log, "--cap", "8", "--for", "multi-unit", "--units", "4", "-o", self.folder / "x.csv"], "H100", ".jsonl"),
                               (["convert", log, "--cap", "8", "--for", "multi-unit", "--units", "4", "--bidder", "none"], "H100", "--bidder"),
                               (["convert", log, "--cap", "8", "--for", "multi-unit", "--units", "4", "--lot", "0"], "H105", "--lot")):
            with self.subTest(" ".join(map(str, args))):
                self.refused(args, code, 2, at)
        self.refused([*here, "--format", "long", "--cap", "8", "--round", "auction"], "H106", 2, "--round")


class RealLogs(FolderTest):
    def test_a_share_auction_with_quantities(self):
        data = DATA / "swiss_meat_quota_auctions/setofbids.csv"
        if not data.is_file():
            self.skipTest("HANNAN_DATA names no folder of the data sets")
        # Rows are not in auction order, so they are sorted first.
        head, *rows = data.read_text().splitlines()
        rows.sort(key=lambda row: int(row.split(",")[head.split(",").index("auction")].strip('"')))
        log = self.file("sorted.csv", ("\n".join([head, *rows]) + "\n").encode())
        report = json.loads(self.ok("run", "multi-unit", "--param", "units=50", "-d", log, "--format", "long", "--round", "auction", "--bid", "pb", "--quantity", "qb",
                                    "--lot", "5000", "-n", "5", "--cap-quantile", "1", "--json").out)
        self.assertEqual(report["rounds"], 40)


if __name__ == "__main__":
    main()
