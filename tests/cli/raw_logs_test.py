"""From a raw log to a decision by the commands of docs/decide.md: what the log brought against Python alone, a verdict, a page, a file.

Also what stood in the way of users with logs of their own. Public logs are read where they are at hand."""
import json
import re

from compared_logs import LOGS, ComparedLogs, table
from program import DATA, FolderTest, hannan, main


SITE = ["--format", "long", "--round", "auctionid", "--opening", "openbid", "--paid", "price", "--top-hidden", "--currency", "USD"]
TENDERS = ["--format", "long", "--round", "contract", "--bidder", "bidder.name", "--bid", "amount", "--sort-by", "contract"]


def second_prices(rows, names):
    """(reached bids falling, opening) of each auction, from each bidder's highest bid; names: round, bidder, bid, opening."""
    auctions = {}
    for row in rows:
        if row[names[1]] == "":
            continue
        opening, bids = auctions.setdefault(row[names[0]], (float(row[names[3]]), {}))
        bids[row[names[1]]] = max(float(row[names[2]]), bids.get(row[names[1]], 0))
    return [(sorted((b for b in bids.values() if b >= opening), reverse=True), opening) for opening, bids in auctions.values()]


def earned(auctions, reserve):
    """Second price with one reserve for all bidders, or the opening bid where that is higher."""
    money = 0
    for bids, opening in auctions:
        floor = max(reserve, opening)
        staying = [bid for bid in bids if bid >= floor]
        if staying:
            money += max(staying[1] if len(staying) > 1 else 0, floor)
    return money


class OneReserveForAll(ComparedLogs):
    def check(self, log, names, *how):
        auctions = second_prices(table(log), names)
        result, said = self.compared("vcg-reserves", "-d", log, *how, "--slots", "all", "--prices", "0,20,50,120,300")
        players = {player["name"]: player["money"] for player in result["players"]}
        self.assertAlmostEqual(result["as_logged"]["rule"], earned(auctions, 0), delta=1e-6)
        for name in ("as logged", "no reserve"):
            self.assertAlmostEqual(players[name], earned(auctions, 0), delta=1e-6)
        best = max(earned(auctions, price) for price in (0, 20, 50, 120, 300))
        for name in ("best fixed", "uniform, best"):
            self.assertAlmostEqual(players[name], best, delta=1e-6)
        self.assertEqual(result["slots"], ["all bidders"])
        self.assertEqual(result["hidden"]["share"], 0)
        self.assertNotEqual(result["players"][0]["judgement"]["recommendation"], "deploy")

    def test_on_a_made_up_site(self):
        self.check(LOGS / "site.csv", ("auctionid", "bidder", "bid", "openbid"), *SITE)

    def test_on_two_public_files(self):
        if not (DATA / "ebay_auctions").is_dir():
            self.skipTest("HANNAN_DATA names no folder of the data sets")
        self.check(DATA / "ebay_auctions/auction.csv", ("auctionid", "bidder", "bid", "openbid"), *SITE)
        self.check(DATA / "ebay_auctions/palm_7day_149auctions.csv", ("Auction ID", "Bidder", "BidAmount", "Opening Bid"), "--format", "long", "--round",
                   "Auction ID", "--bidder", "Bidder", "--bid", "BidAmount", "--opening", "Opening Bid", "--paid", "Closing Price", "--top-hidden")

    def test_it_needs_prices_in_money(self):
        done = hannan("convert", LOGS / "site.csv", "--round", "auctionid", "--slots", "all", "--cap", "500")
        self.assertEqual(done.status, 2)
        self.assertIn(b"--slots all", done.err)

    def test_a_reserve_that_reaches_few_bids_is_pointed_out(self):
        _, _ = self.compared("vcg-reserves", "-d", LOGS / "site.csv", *SITE, "--prices", "0,20", "-n", "1")
        self.assertIn("--slots all sets one reserve for all bidders", self.err)


class WhatIsSaid(ComparedLogs):
    def test_what_the_log_brought_is_said_once_and_the_part_that_is_played_below_it(self):
        result, said = self.compared("vcg-reserves", "-d", LOGS / "site.csv", *SITE, "--slots", "all")
        self.assertEqual((said + self.err).count("as logged: "), 1)
        rows = table(LOGS / "site.csv")
        rounds = list(dict.fromkeys(row["auctionid"] for row in rows))
        first = (len(rounds) + 9) // 10
        played = earned(second_prices([row for row in rows if row["auctionid"] in rounds[first:]], ("auctionid", "bidder", "bid", "openbid")), 0)
        self.assertEqual(result["rehearsed"], first)
        self.assertIn(f"played: {len(rounds) - first} of them, which brought {played:,.0f} USD; the first {first} are rehearsed", said)
        self.assertIn(f"The first {first} auctions are a rehearsal.", self.page)
        result, said = self.compared("vcg-reserves", "-d", LOGS / "site.csv", *SITE, "--slots", "all", "--cold")
        self.assertEqual(result["not_played"], first)
        self.assertIn(f"played: {len(rounds) - first} of them, which brought {played:,.0f} USD; the first {first} are not played", said)
        self.assertIn(f"The first {first} auctions gave the prices.", self.page)

    def test_prices_of_hindsight_are_said_beside_the_figures(self):
        result, said = self.compared("vcg-reserves", "-d", LOGS / "site.csv", *SITE, "--slots", "all", "--prices", "quantiles-all:5")
        self.assertEqual(result["prices_from"], "all bids")
        self.assertEqual(result["rounds"], len({row["auctionid"] for row in table(LOGS / "site.csv")}))
        self.assertRegex(said, r"(?m)^(keep|deploy|this log).*known only in hindsight$")
        self.assertIn("prices of hindsight", said)
        self.assertIn("The prices were taken from all bids of the log, known only afterwards.", self.page)
        listed = self.file("bids.csv", b"3,2\n5,1\n4,4\n")
        straight = json.loads(self.ok("compare", "vcg-reserves", "--prices", "quantiles-all", "-d", listed, "--json").out)
        self.assertEqual((straight["rounds"], straight["prices_from"]), (3, "all bids"))

    def test_large_sums_are_written_in_full_within_the_width_of_a_terminal(self):
        rows = b"".join(b"%d,a,%d,0\n%d,b,%d,1\n" % (t, 4_993_062_000_000 + t, t, 3_993_062_000_000) for t in range(50))
        log = self.file("log.csv", b"round,bidder,bid,won\n" + rows)
        _, said = self.compared("vcg-reserves", "-d", log, "--format", "long", "--won", "won", "--payment", "pay-as-bid", "--reverse")
        lines = said.splitlines()
        start = next(i for i, line in enumerate(lines) if "more than" in line and "money" in line or "loss" in line and "more than" in line)
        for line in lines[start:start + 4]:
            self.assertLessEqual(len(line), 100, line)
            self.assertNotRegex(line, r"\de[+-]?\d")
        self.assertIn(f"{50 * 3_993_062_000_000:,}", said)

    def test_an_auction_that_is_most_of_the_money_is_named(self):
        rows = b"".join(b"c%d,a,%d\nc%d,b,90\n" % (t, 100 if t != 17 else 10_000_000, t) for t in range(50))
        log = self.file("log.csv", b"round,bidder,bid\n" + rows.replace(b"c17,b,90", b"c17,b,9000000"))
        _, said = self.compared("vcg-reserves", "-d", log, "--format", "long", "--prices", "0,80")
        self.assertIn("WARNING: one of them, c17, is 100 % of it: 9,000,000; is that right?", said)
        self.assertIn("c17: 9,000,000. If that is a slip in the data", self.page)
        plain = self.file("plain.csv", b"round,bidder,bid\n" + b"".join(b"c%d,a,100\nc%d,b,90\n" % (t, t) for t in range(50)))
        _, said = self.compared("vcg-reserves", "-d", plain, "--format", "long", "--prices", "0,80")
        self.assertNotIn("WARNING", said)

    def test_pages_of_logs_that_leave_something_open_say_what(self):
        self.compared("vcg-reserves", "-d", LOGS / "quota.csv", "--format", "long", "--round", "auction", "--bid", "pb", "--quantity", "qb", "--won", "qr",
                      "--paid", "pr", "--sort-by", "auction", "--payment", "pay-as-bid", "--currency", "CHF")
        paid = sum(float(row["pr"]) for row in table(LOGS / "quota.csv"))
        self.assertRegex(self.page, rf'This log cannot tell: winners paid "[^]]*"{paid:,.0f}.CHF"')
        self.assertNotIn("may be chance", self.page.split('"block":"ranking"')[0])
        rows = "".join(f"{t},{2 + t % 3},{int(t % 4 < 2)}\n" for t in range(90))
        offers = self.file("offers.csv", ("visit,price,sold\n" + rows).encode())
        self.compared("item-pricing", "--payment", "posted", "-d", offers, "--format", "long", "--round", "visit", "--bid", "price", "--won", "sold",
                      "--prices", "0,2,3,4,5")
        self.assertRegex(self.page, r'would have earned "[^]]*"between [\d.,]+ less and [\d.,]+ more"')
        self.assertIn("The log does not show who would have bought at another price.", self.page)


class PostedPrices(ComparedLogs):
    def check(self, path, choice, *how):
        rows = table(path)
        result, said = self.compared("item-pricing", "--payment", "posted", "-d", path, "--format", "wide", "--choice", choice, *how)
        self.assertAlmostEqual(result["as_logged"]["rule"], sum(float(row["price." + row[choice]]) for row in rows), delta=1e-6)
        self.assertEqual(sorted(result["slots"]), sorted(name for name in rows[0] if name.startswith("price")))
        self.assertEqual(result["hidden"]["share"], 0)

    def test_columns_of_prices_are_found_by_their_names(self):
        # Other columns that end in the name of what was bought are no prices.
        rows = "".join(f"{t},{t % 2},{1 - t % 2},1.{t % 4}9,1.29,{'red' if t % 3 else 'blue'}\n" for t in range(60))
        log = self.file("shelf.csv", ("purchase,feat.red,feat.blue,price.red,price.blue,choice\n" + rows).encode())
        self.check(log, "choice", "--prices", "0,1.09,1.29")
        self.check(LOGS / "shelf.csv", "choice")

    def test_three_public_files(self):
        if not (DATA / "scanner_posted_prices").is_dir():
            self.skipTest("HANNAN_DATA names no folder of the data sets")
        for name, choice in (("Yogurt", "choice"), ("Catsup", "choice"), ("Ketchup", "Ketchup.choice")):
            self.check(DATA / f"scanner_posted_prices/{name}.csv", choice, "-l", "leader", "--rounds", "100", "--prices", "0,1,2,5")


class Currencies(ComparedLogs):
    def test_two_currencies_are_refused_though_no_column_was_named(self):
        done = hannan("compare", "vcg-reserves", "-d", LOGS / "tenders.csv", *TENDERS, "--won", "status=Awarded", "--payment", "pay-as-bid", "--reverse")
        self.assertEqual(done.status, 3)
        for part in (b"H211", b'"EUR" beside "USD"', b"--currency-column currency", b"--where currency=USD"):
            self.assertIn(part, done.err)
        # One currency, a filter, or saying that the column is about something else is enough.
        one = self.file("one.csv", b"round,bidder,bid,Currency\n1,a,3,EUR\n1,b,2,EUR\n")
        self.assertEqual(hannan("convert", one, "-o", self.folder / "t.jsonl").status, 0)
        mixed = self.file("mixed.csv", b"round,bidder,bid,pay currency,bid currency\n1,a,3,USD,EUR\n1,b,2,EUR,EUR\n")
        # The column whose name begins like that of the bids is theirs.
        self.assertEqual(hannan("convert", mixed, "-o", self.folder / "t.jsonl").status, 0)
        other = self.file("other.csv", b"round,bidder,bid,currency\n1,a,3,USD\n1,b,2,EUR\n")
        self.assertEqual(hannan("convert", other, "-o", self.folder / "t.jsonl").status, 3)
        self.assertEqual(hannan("convert", other, "--currency-column", "none", "-o", self.folder / "t.jsonl").status, 0)
        self.assertEqual(hannan("convert", other, "--where", "currency=EUR", "-o", self.folder / "t.jsonl").status, 0)

    def test_openrtb_bids_and_floors_are_converted_by_rates(self):
        lines = []
        for t in range(50):
            imp = {"id": "x", "bidfloor": 2, "bidfloorcur": "EUR"} if t % 2 else {"id": "x", "bidfloor": 1}  # USD where it is left out
            responses = [{"id": str(t), "cur": "EUR", "seatbid": [{"seat": "a", "bid": [{"impid": "x", "price": 4}]}]},
                         {"id": str(t), "seatbid": [{"seat": "b", "bid": [{"impid": "x", "price": 1.5 + t % 5}]}]}]
            lines.append(json.dumps({"request": {"id": str(t), "imp": [imp]}, "response": responses}))
        log = self.file("log.jsonl", ("\n".join(lines) + "\n").encode())
        rates = self.file("rates.csv", b"EUR,1.25\nUSD,1\n")
        told = 0
        for t in range(50):
            floor = 2 * 1.25 if t % 2 else 1
            bids = sorted((bid for bid in (4 * 1.25, 1.5 + t % 5) if bid >= floor), reverse=True)
            told += max(bids[1] if len(bids) > 1 else 0, floor)
        how = ["--opening", "imp.bidfloor", "--json", "-o", self.folder / "t.jsonl"]
        summary = json.loads(self.ok("convert", log, "--rates", rates, *how).out)
        self.assertAlmostEqual(summary["as_logged"]["rule"], told, delta=1e-9)
        self.assertEqual(summary["currency"], "USD")
        self.assertEqual(summary["rows"]["used"], 100)
        # Without rates bids in another currency than that of the figures are dropped, and floors in it are not used.
        plain = json.loads(self.ok("convert", log, "--currency", "USD", "--accept-hidden", *how).out)
        self.assertEqual(plain["rows"]["dropped"]["currency"]["rows"], 50)
        self.assertEqual(plain["as_logged"]["openings"], 25)
        self.assertAlmostEqual(plain["as_logged"]["rule"], sum(1 for t in range(0, 50, 2)), delta=1e-9)
        few = self.file("few.csv", b"USD,1\n")
        done = hannan("convert", log, "--rates", few, *how)
        self.assertEqual(done.status, 2)
        self.assertIn(b"H106", done.err)


class FirstSteps(FolderTest):
    def test_messages_lead_from_a_raw_log_to_a_command_that_reads_it(self):
        log = LOGS / "site.csv"
        done = hannan("compare", "vcg-reserves", "-d", log)
        self.assertIn(b"--format long (hannan help logs)", done.err)
        done = hannan("convert", log, "-o", self.folder / "t.csv")
        self.assertIn(b"-o bids.jsonl", done.err)
        done = hannan("convert", log, "-o", self.folder / "t.jsonl")
        self.assertIn(b'no column "round"', done.err)
        self.assertIn(b'"auctionid"', done.err)

    def test_the_commands_of_the_help_are_those_of_the_page(self):
        flags = set(re.findall(r"--[a-z-]+", hannan("help", "logs").out.decode().split("Flags of convert")[0]))
        page = (LOGS.parents[1] / "docs/decide.md").read_text()
        commands = "\n".join(re.findall(r"^hannan compare.*$", page, re.MULTILINE))
        self.assertGreater(len(flags), 12)
        self.assertEqual({flag for flag in flags if flag not in page}, set())
        self.assertEqual({flag for flag in flags - {"--decisions"} if flag not in commands}, set())


class WhereItComesFrom(ComparedLogs):
    def test_the_part_of_auctions_without_a_rival_bid(self):
        bids = {t: [("ann", 9 + t % 4)] + ([("bob", 8)] if t % 3 == 0 else []) for t in range(90)}
        log = self.file("log.csv", ("round,bidder,bid\n" + "".join(f"{t},{who},{bid}\n" for t, all in bids.items() for who, bid in all)).encode())
        how = ["--prices", "0,9,11", "-d", log, "--format", "long"]
        result, _ = self.compared("vcg-reserves", *how, "-l", "leader", "--currency", "EUR")
        self.ok("run", "vcg-reserves", *how, "-l", "leader", "-p", self.folder / "p.jsonl", "-q")
        gain = part = 0
        names = result["slots"]
        for t, line in enumerate(map(json.loads, (self.folder / "p.jsonl").read_text().splitlines())):
            reserve = dict(zip(names, line["money"]))
            staying = sorted(((bid, who) for who, bid in bids[t] if bid >= reserve[who]), reverse=True)
            money = max(reserve[staying[0][1]], staying[1][0] if len(staying) > 1 else 0) if staying else 0
            rise = money - (8 if len(bids[t]) > 1 else 0)
            gain += rise
            part += rise if len(bids[t]) == 1 else 0
        ours = result["players"][0]
        self.assertAlmostEqual(ours["judgement"]["gain"], gain, delta=1e-6)
        self.assertEqual(ours["uncontested"]["rounds"], 60)
        self.assertAlmostEqual(ours["uncontested"]["gain"], part, delta=1e-6)
        self.assertGreater(part, gain / 2)
        self.assertIn(f"+{part:,.0f} of +{gain:,.0f}", self.page.replace("\u00a0", " "))

    def test_a_winners_hidden_bid_and_segments_do_not_go_together(self):
        # Limits of gains need prices in money, and segments are mixed by losses in [0,1]: both are refused, not guessed.
        log = self.file("log.csv", b"round,bidder,bid,site\n" + b"".join(b"%d,a,10,x%d\n%d,b,9,x%d\n" % (t, t % 2, t, t % 2) for t in range(50)))
        how = ["compare", "vcg-reserves", "-d", log, "--format", "long", "--top-hidden", "--by", "site"]
        for scale in (["--prices", "0,10,11"], ["--param", "levels=4", "--cap", "12"]):
            done = hannan(*how, *scale)
            self.assertEqual(done.status, 2)
            self.assertIn(b"H108", done.err)


class PagesOfRuns(FolderTest):
    def test_experts_have_their_names_on_the_page_of_a_record(self):
        data = self.file("losses.csv", b"alice,bob\n" + b"".join(b"0.%d,0.4\n" % (1 + t % 3) for t in range(30)))
        record, page = self.folder / "run.jsonl", self.folder / "page.html"
        self.ok("run", "experts", "-d", data, "--record", record, "-q")
        self.ok("report", record, "-o", page)
        self.assertNotIn("alice", page.read_text())
        self.ok("report", record, "--data", data, "-o", page)
        text = page.read_text()
        self.assertRegex(text, r'"Most frequent actions"[^[]*\[[^[]*\[\["alice","30"')
        self.assertIn('["best choice","alice"]', text)
        plain = self.file("plain.csv", b"0.1,0.2\n")
        done = hannan("report", record, "--data", plain, "-o", page)
        self.assertEqual(done.status, 2)
        self.assertIn(b"H100", done.err)

    def test_the_page_of_an_experiment_begins_with_a_sentence(self):
        plan = self.file("plan.toml", b"""name = "two"
seeds = 3
[[streams]]
name = "hostile"
kind = "killer"
rounds = 200
[[learners]]
name = "leader"
kind = "leader"
[[learners]]
name = "hedge"
kind = "hedge"
[[tables]]
title = "All"
""")
        self.ok("experiment", plan, "-o", self.folder / "two", "-q")
        self.ok("report", self.folder / "two", "-o", self.folder / "page.html")
        text = (self.folder / "page.html").read_text()
        self.assertRegex(text, r'"says":\[\{"text":"hedge","strong":true\},\{"text":" had the least regret in "\},\{"text":"1 of 1 setting","strong":true\}\]')


class InUse(ComparedLogs):
    """Experts: the column that is in use today."""

    def setUp(self):
        super().setUp()
        self.rows = [[(t * 7 % 10) / 10, (t * 3 % 8) / 10, 0.1] for t in range(80)]
        self.data = self.file("losses.csv", ("ann,bob,cec\n" + "".join(",".join(map(str, row)) + "\n" for row in self.rows)).encode())

    def test_the_column_is_the_baseline(self):
        for k, name in enumerate(("ann", "bob", "cec")):
            result, said = self.compared("experts", "-d", self.data, "--as-logged", name)
            told = sum(row[k] for row in self.rows)
            players = {player["name"]: player for player in result["players"]}
            self.assertEqual(result["baseline"], "as logged")
            self.assertAlmostEqual(players["as logged"]["money"], told, delta=1e-9)
            for player in players.values():
                self.assertAlmostEqual(player["over_baseline"], player["money"] - told, delta=1e-9)
            judged = result["players"][0]["judgement"]
            self.assertAlmostEqual(judged["gain"], told - players["flipflop"]["money"], delta=1e-9)
            self.assertEqual(judged["recommendation"] == "deploy", name != "cec")  # of which there is none better
            self.assertIn("as logged", self.page)

    def test_without_it_nothing_is_recommended(self):
        result, _ = self.compared("experts", "-d", self.data)
        self.assertNotIn("as logged", {player["name"] for player in result["players"]})

    def test_it_is_a_column_of_experts_that_are_all_awake(self):
        done = hannan("compare", "experts", "-d", self.data, "--as-logged", "anna")
        self.assertEqual(done.status, 2)
        self.assertIn(b"H106: --as-logged", done.err)
        self.assertIn(b"ann, bob, cec", done.err)
        gaps = self.file("gaps.csv", b"ann,bob\n0.5,\n0.1,0.2\n")
        done = hannan("compare", "experts", "-d", gaps, "--missing", "sleep", "-l", "adahedge", "--as-logged", "ann")
        self.assertIn(b"H108: --as-logged", done.err)
        bids = self.file("bids.csv", b"0.5,0.2\n")
        done = hannan("compare", "vcg-reserves", "--param", "levels=4", "-d", bids, "--as-logged", "ann")
        self.assertIn(b"H108: --as-logged", done.err)


class MoneyOfDecisions(FolderTest):
    """-p has the money of every action beside its levels."""

    def test_levels_prices_and_factors(self):
        log = self.file("log.csv", b"round,bidder,bid,value\n" + b"".join(b"%d,ann,%d,9\n%d,bob,3,8\n" % (t, 4 + t % 3, t) for t in range(30)))
        for how, money in ((["--prices", "0,2.5,4"], lambda z: [0, 2.5, 4][z]), (["--param", "levels=5", "--cap", "10"], lambda z: z * 2)):
            for end in ("csv", "jsonl"):
                out = self.folder / f"p.{end}"
                self.ok("run", "vcg-reserves", *how, "-d", log, "--format", "long", "-p", out, "-q")
                rows = table(out) if end == "csv" else [json.loads(line) for line in out.read_text().splitlines()]
                self.assertEqual(len(rows), 30)
                seen = set()
                for row in rows:
                    action = [int(z) for z in row["action"].split()] if end == "csv" else row["action"]
                    amounts = [float(m) for m in row["money"].split()] if end == "csv" else row["money"]
                    self.assertEqual(amounts, [money(z) for z in action])
                    seen.add(tuple(action))
                self.assertGreater(len(seen), 1)

    def test_without_a_cap_there_is_no_money(self):
        data = self.file("bids.csv", b"0.5,0.25\n0.75,0.5\n")
        self.ok("run", "vcg-reserves", "--param", "levels=4", "-d", data, "-p", self.folder / "p.csv", "-q")
        self.assertNotIn("money", table(self.folder / "p.csv")[0])


if __name__ == "__main__":
    main()
