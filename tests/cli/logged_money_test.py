"""What a log brought ("as logged") and what its reading hides, against a computation that shares no code with the program.

One made-up log in three formats; public logs where they are at hand."""
import csv
import json
import random

from program import DATA, FolderTest, hannan, main



def made_up(auctions=60, seed=16):
    """(round, opening bid, price paid, [(bidder, bid)...]), with bidders that bid twice."""
    coins = random.Random(seed)
    log = []
    for t in range(1, auctions + 1):
        bids = [(f"dsp{coins.randrange(12)}", coins.randrange(1, 4000) / 8) for _ in range(coins.randrange(1, 9))]
        opening = coins.choice([None, 0.5, 10.25, 200.0])
        log.append((t, opening, coins.randrange(1, 4000) / 8, bids))
    return log


def highest(bids):
    """Each bidder's highest bid."""
    best = {}
    for who, bid in bids:
        best[who] = max(bid, best.get(who, 0))
    return best


def rule(amounts, units, opening):
    reached = sorted((a for a in amounts if a >= opening), reverse=True)
    losing = reached[units] if len(reached) > units else 0
    return min(units, len(reached)) * max(losing, opening)


def long_csv(log):
    rows = ["round,bidder,bid,opening,price"]
    for t, opening, price, bids in log:
        rows += [f"{t},{who},{bid},{'' if opening is None else opening},{price}" for who, bid in bids]
    return ("\n".join(rows) + "\n").encode()


def wide_csv(log):
    names = sorted({who for _, _, _, bids in log for who, _ in bids})
    rows = [",".join(["round", *names, "opening", "price"])]
    for t, opening, price, bids in log:
        cells = highest(bids)
        rows.append(",".join(map(str, [t, *(cells.get(name, "") for name in names), "" if opening is None else opening, price])))
    return ("\n".join(rows) + "\n").encode()


def openrtb(log):
    lines = []
    for t, opening, _, bids in log:
        # The first impression is another one, with a floor that is not that of the bids.
        imp = {"id": "x"} if opening is None else {"id": "x", "bidfloor": opening}
        seats = [{"seat": who, "bid": [{"impid": "x", "price": bid}]} for who, bid in bids]
        lines.append(json.dumps({"request": {"id": str(t), "imp": [{"id": "w", "bidfloor": 399}, imp]}, "response": {"seatbid": seats}}))
    return ("\n".join(lines) + "\n").encode()


class AsLogged(FolderTest):
    def formats(self, log):
        columns = ["--opening", "opening", "--paid", "price"]
        return [(self.file("log.csv", long_csv(log)), columns),
                (self.file("wide.csv", wide_csv(log)), ["--format", "wide", "--round", "round", *columns]),
                (self.file("log.jsonl", openrtb(log)), ["--opening", "imp.bidfloor"])]

    def summary(self, log, *args):
        return json.loads(self.ok("convert", log, "-o", self.folder / "t.csv", "--json", *args).out)

    def test_every_format_brings_what_its_raw_bids_say(self):
        log = made_up()
        for units in (1, 2, 3):
            told = sum(rule(highest(bids).values(), units, opening or 0) for _, opening, _, bids in log)
            plain = sum(rule(highest(bids).values(), units, 0) for _, _, _, bids in log)
            for path, how in self.formats(log):
                with self.subTest(path.name, units=units):
                    # Whatever becomes of the bids afterwards.
                    summary = self.summary(path, *how, "--units", units, "-n", "2", "--cap", "100", "--accept-hidden")
                    self.assertAlmostEqual(summary["as_logged"]["rule"], told, delta=1e-9 * told)
                    self.assertAlmostEqual(summary["as_logged"]["without_opening"], plain, delta=1e-9 * told)
                    if path.suffix == ".csv":
                        self.assertAlmostEqual(summary["as_logged"]["paid"], sum(price for _, _, price, _ in log), delta=1e-6)

    def test_hidden_money_is_that_of_an_independent_computation(self):
        log = made_up(seed=17)
        counts = {}
        for _, _, _, bids in log:
            for who in highest(bids):
                counts[who] = counts.get(who, 0) + 1
        for units, slots, rest, cap, least in ((1, 2, 1, 500, 1), (1, 3, 2, 300, 2), (2, 4, 1, 450, 1), (2, 3, 3, 500, 1), (3, 1, 2, 250, 3)):
            named = sorted(counts, key=lambda who: (-counts[who], who))[:slots]
            stages = {name: [0, 0] for name in ("raw", "dropped", "pooled", "clipped")}
            for _, _, _, bids in log:
                raw = highest(bids)
                used = raw if len(raw) >= least else {}
                others = sorted((bid for who, bid in used.items() if who not in named), reverse=True)[:rest]
                pooled = [bid for who, bid in used.items() if who in named] + others
                for name, amounts in (("raw", list(raw.values())), ("dropped", list(used.values())), ("pooled", pooled),
                                      ("clipped", [min(bid, cap) for bid in pooled])):
                    stages[name][0] += rule(amounts, units, 0)
                    stages[name][1] += sum(sorted(amounts, reverse=True)[:units])
            # Slots are the most frequent bidders among the auctions used, here named so that both sides agree.
            how = ["--names", ",".join(named), "--rest-slots", rest, "--cap", cap, "--least", least, "--units", units, "--accept-hidden"]
            hidden = self.summary(self.file("log.csv", long_csv(log)), *how)["hidden"]
            shares = [0, 0]
            for before, after, found in zip(("raw", "dropped", "pooled"), ("dropped", "pooled", "clipped"), hidden["stages"]):
                self.assertEqual(found["stage"], after)
                for k, name in enumerate(("paid", "tops")):
                    self.assertAlmostEqual(found[name], stages[after][k], delta=1e-6)
                    share = (stages[before][k] - stages[after][k]) / stages["raw"][k]
                    self.assertAlmostEqual(found["hidden_" + name], share, delta=1e-9)
                    shares[k] += share
            self.assertAlmostEqual(hidden["share"], max(shares), delta=1e-9)
            self.assertEqual(hidden["action"], "stop" if max(shares) > 0.1 else "warn" if max(shares) > 0.01 else "ok")

    def test_more_than_a_tenth_hidden_stops_and_leaves_no_table(self):
        log = self.file("log.csv", long_csv(made_up()))
        out = self.folder / "t.csv"
        done = hannan("convert", log, "-n", "2", "--rest-slots", "1", "--cap", "500", "-o", out)
        self.assertEqual(done.status, 3)
        self.assertIn(b"H210", done.err)
        self.assertIn(b"--accept-hidden", done.err)
        self.assertFalse(out.exists())
        done = hannan("convert", log, "-n", "2", "--rest-slots", "1", "--cap", "500", "-o", out, "--accept-hidden", "--payment", "second-price")
        self.assertEqual(done.status, 0)
        self.assertTrue(out.exists())
        said = done.err.decode().splitlines()
        self.assertTrue(said[0].startswith("WARNING: "), said[0])
        self.assertIn("pooled", said[0])
        self.assertTrue(said[2].startswith("as logged: "), said[2])

    def test_money_is_written_in_full_with_its_currency(self):
        log = self.file("yen.csv", b"round,bidder,bid\n" + b"".join(b"%d,a,1234567\n%d,b,1362504\n" % (t, t) for t in range(1000)))
        said = hannan("convert", log, "--cap-quantile", "1", "--currency", "JPY", "-o", self.folder / "t.csv").err.decode()
        self.assertTrue(said.startswith("as logged: 1,234,567,000 JPY in 1000 auctions"), said)


class Compared(FolderTest):
    """`hannan compare` holds every player against what the log brought."""

    def compared(self, log, *args):
        result = json.loads(self.ok("compare", "vcg-reserves", "--param", "levels=16", "-d", log, "--format", "long", "--json", *args).out)
        return result, {player["name"]: player for player in result["players"]}

    def test_the_opening_bid_is_part_of_the_baseline(self):
        # One bid of 12 and an opening bid of 10 in every auction: without it a reserve of 11.25 of 12 seems to gain everything.
        log = self.file("log.csv", b"round,bidder,bid,opening\n" + b"".join(b"%d,a,12,10\n" % t for t in range(200)))
        how = ["--names", "a", "--rest", "drop", "--cap", "12"]
        result, players = self.compared(log, *how, "--opening", "opening")
        self.assertEqual(result["baseline"], "as logged")
        self.assertAlmostEqual(players["as logged"]["money"], 2000, places=6)
        self.assertAlmostEqual(players["best fixed"]["over_baseline"], 400, places=6)
        plain, others = self.compared(log, *how)
        self.assertAlmostEqual(others["as logged"]["money"], 0, places=6)
        gains = [p["flipflop"]["judgement"]["gain"] for p in (players, others)]
        self.assertAlmostEqual(gains[0], players["flipflop"]["money"] - 2000, places=6)
        self.assertAlmostEqual(gains[1], others["flipflop"]["money"], places=6)

    def test_accepted_hidden_money_decides_nothing(self):
        # The reserve helps in every round, but a second bidder that is left out bids as much as the first.
        log = self.file("log.csv", b"round,bidder,bid\n" + b"".join(b"%d,a,12\n%d,b,12\n%d,c,1\n" % (t, t, t) for t in range(400)))
        how = ["--names", "a,c", "--rest", "drop", "--cap", "12"]
        args = ["compare", "vcg-reserves", "--param", "levels=16", "-d", log, "--format", "long", *how]
        done = hannan(*args)
        self.assertEqual(done.status, 3)
        self.assertIn(b"H210", done.err)
        result, players = self.compared(log, *how, "--accept-hidden")
        self.assertEqual(players["flipflop"]["judgement"]["recommendation"], "cannot tell")
        self.assertIn("hidden", players["flipflop"]["judgement"]["reason"])
        self.assertAlmostEqual(players["as logged"]["money"], 4800, places=6)
        self.assertGreater(result["hidden"]["share"], 0.9)
        said = hannan(*args, "--accept-hidden").out.decode().splitlines()
        self.assertTrue(said[0].startswith("WARNING: "), said[0])
        self.assertTrue(said[2].startswith("as logged: 4,800 in 400 auctions"), said[2])

    def test_with_prices_in_money_no_reserve_is_what_was_logged(self):
        log = made_up(seed=18)
        path = self.file("log.csv", long_csv(log))
        for units, how in ((1, ["-n", "3"]), (2, ["-n", "2"]), (2, ["--slots", "rank", "-n", "2"]), (1, ["--slots", "order", "-n", "1"])):
            with self.subTest(how, units=units):
                told = sum(rule(highest(bids).values(), units, opening or 0) for _, opening, _, bids in log)
                how = [*how, "--opening", "opening"]
                problem = ["compare", "vcg-reserves", "--prices", "0,50,100.5,250", "--param", f"units={units}", "--json"]
                straight = json.loads(self.ok(*problem, "-d", path, "--format", "long", *how).out)
                self.assertEqual(straight["hidden"]["share"], 0)
                for name in ("as logged", "no reserve"):
                    self.assertAlmostEqual({p["name"]: p["money"] for p in straight["players"]}[name], told, delta=1e-6)
                self.assertIsNotNone(straight["players"][0]["judgement"])
                outcomes, facts = self.folder / "t.jsonl", self.folder / "t.json"
                self.ok("convert", path, "--money", "--units", units, *how, "-q", "-o", outcomes, "--summary", facts)
                bidders = f"bidders={json.loads(facts.read_text())['params']['bidders']}"
                table = json.loads(self.ok(*problem, "--param", bidders, "-d", outcomes, "--log", facts).out)
                self.assertEqual(straight["baseline"], "as logged")
                for one, two in zip(straight["players"], table["players"]):
                    self.assertEqual(one["name"], two["name"])
                    self.assertAlmostEqual(one["money"], two["money"], delta=1e-6)

    def test_prices_in_money_need_no_cap_and_refuse_one(self):
        log = self.file("log.csv", long_csv(made_up()))
        for args, at in ((["--money", "--cap", "5"], b"--cap"), (["--money", "--cap-quantile", "1"], b"--cap-quantile"),
                         (["--money", "--rest-slots", "2"], b"--rest-slots"), (["--money", "--for", "level-auction"], b"--money")):
            done = hannan("convert", log, *args)
            self.assertEqual(done.status, 2, args)
            self.assertIn(b"H100: " + at, done.err)

    def test_prices_in_money_add_up(self):
        # Second prices 2, 1 and 4.
        data = self.file("bids.csv", b"3,2\n5,1\n4,4\n")
        result = json.loads(self.ok("compare", "vcg-reserves", "--prices", "0,1,2,5", "-d", data, "--json").out)
        self.assertEqual({p["name"]: p["money"] for p in result["players"]}["no reserve"], 7)


class PublicLogs(FolderTest):
    def setUp(self):
        super().setUp()
        if not (DATA / "ebay_auctions").is_dir():
            self.skipTest("HANNAN_DATA names no folder of the data sets")

    def test_the_palm_auctions_with_and_without_their_opening_bids(self):
        path = DATA / "ebay_auctions/auction.csv"
        auctions = {}
        with open(path, newline="") as file:
            for row in csv.DictReader(file):
                if row["item"] == "Palm Pilot M515 PDA":
                    auction = auctions.setdefault(row["auctionid"], [float(row["openbid"]), float(row["price"]), []])
                    auction[2].append((row["bidder"], float(row["bid"])))
        told = sum(rule(highest(bids).values(), 1, opening) for opening, _, bids in auctions.values())
        plain = sum(rule(highest(bids).values(), 1, 0) for _, _, bids in auctions.values())
        paid = sum(price for _, price, _ in auctions.values())
        summary = json.loads(self.ok("convert", path, "--round", "auctionid", "--where", "item=Palm Pilot M515 PDA", "--opening", "openbid", "--paid", "price",
                                     "--slots", "rank", "-n", "2", "--cap-quantile", "1", "-o", self.folder / "t.csv", "--json").out)
        logged = summary["as_logged"]
        self.assertEqual((round(logged["rule"]), round(logged["without_opening"])), (77278, 72261))
        for found, expected in ((logged["rule"], told), (logged["without_opening"], plain), (logged["paid"], paid)):
            self.assertAlmostEqual(found, expected, delta=1e-6)
        self.assertEqual(summary["hidden"]["share"], 0)

    def test_the_best_reserve_of_the_palm_auctions_gains_ten_dollars(self):
        # Ignoring the opening bids a reserve of 175 would seem to gain 5.3 %.
        result = json.loads(self.ok("compare", "vcg-reserves", "--prices", "linear:300:300", "-d", DATA / "ebay_auctions/auction.csv", "--format", "long",
                                    "--round", "auctionid", "--where", "item=Palm Pilot M515 PDA", "--slots", "segment", "--segment", "item",
                                    "--opening", "openbid", "--json").out)
        money = {player["name"]: round(player["money"]) for player in result["players"]}
        self.assertEqual((money["as logged"], money["no reserve"], money["best fixed"]), (77278, 77278, 77288))
        self.assertNotEqual(result["players"][0]["judgement"]["recommendation"], "deploy")

    def test_all_auctions_of_ebay(self):
        path = DATA / "ebay_auctions/auction.csv"
        auctions = {}
        with open(path, newline="") as file:
            for row in csv.DictReader(file):
                auctions.setdefault(row["auctionid"], []).append((row["bidder"], float(row["bid"])))
        told = sum(rule(highest(bids).values(), 1, 0) for bids in auctions.values())
        self.assertEqual(round(told), 205502)
        done = hannan("convert", path, "--round", "auctionid", "--cap-quantile", "1", "--rest-slots", "1", "-o", self.folder / "t.csv")
        self.assertEqual(done.status, 3)  # one slot for the rest hides most of the money
        self.assertIn(b"H210", done.err)
        for how, out in (["--cap-quantile", "1"], "t.csv"), ([], "t.jsonl"):
            summary = json.loads(self.ok("convert", path, "--round", "auctionid", *how, "--json", "-o", self.folder / out).out)
            self.assertAlmostEqual(summary["as_logged"]["rule"], told, delta=1e-6)
            self.assertEqual(summary["hidden"]["share"], 0)
        # Nothing but the columns: prices are quantiles of past bids.
        result = json.loads(self.ok("compare", "vcg-reserves", "-d", path, "--format", "long", "--round", "auctionid", "--json").out)
        self.assertAlmostEqual(result["as_logged"]["rule"], told, delta=1e-6)
        self.assertEqual(result["hidden"]["share"], 0)


if __name__ == "__main__":
    main()
