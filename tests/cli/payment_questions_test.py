"""What winners pay is asked until a flag says it, and nothing is recommended before.

Rivals of tenders are other bidders at or above the winner, monopoly prices count every bid, duplicates are called so. Expected figures are computed here
from the raw rows, by no code of the program."""
import json
import random
import re

from compared_logs import ComparedLogs, table
from program import DATA, hannan, main



class Compared(ComparedLogs):
    def compared(self, log, *args):
        return super().compared(*args, "-d", log, "--format", "long")

    def verdicts(self, result):
        found = {player["judgement"]["recommendation"] for player in result["players"] if player.get("judgement")}
        if result.get("holdout"):
            found.add(result["holdout"]["judgement"]["recommendation"])
        return found


def purchases(rounds, seed):
    """Rows (round, bidder, bid, reserve price, winner) of purchases, in which a ceiling would save much at second prices."""
    coins = random.Random(seed)
    for t in range(rounds):
        reserve = 1000
        bids = {f"s{i}": round(coins.uniform(300, 400) if i == 0 else coins.uniform(900, 990), 2) for i in range(3)}
        least = min(bids, key=bids.get)
        for who, bid in bids.items():
            yield t, who, bid, reserve, int(who == least)


class Questions(Compared):
    def expect_question(self, result, said, *flags):
        """The question is the first thing printed, names the flags that answer it, and nothing is recommended."""
        self.assertTrue(said.startswith("QUESTION: "), said[:200])
        first = said.splitlines()[0]
        for flag in flags:
            self.assertIn(flag, first)
        self.assertEqual(self.verdicts(result), {"cannot tell"})
        self.assertIn("--payment", result["players"][0]["judgement"]["reason"])
        self.assertTrue(result["as_logged"]["asks"])

    def expect_none(self, result, said):
        self.assertNotIn("QUESTION", said)
        self.assertNotIn("asks", result["as_logged"])

    def test_a_purchase_with_winners_is_asked_what_suppliers_are_paid(self):
        rows = "".join(",".join(map(str, row)) + "\n" for row in purchases(200, 3))
        log = self.file("log.csv", ("round,bidder,bid,reserveprice,winner\n" + rows).encode())
        for how in (["--won", "winner"], []):
            args = ["vcg-reserves", "--reverse", "--scale", "reserveprice", *how, "--slots", "all"]
            self.expect_question(*self.compared(log, *args, "--holdout", "0.3"), "--payment pay-as-bid", "--payment second-price", "--paid")
            result, said = self.compared(log, *args, "--payment", "second-price")
            self.expect_none(result, said)
            self.assertEqual(self.verdicts(result), {"deploy"})
            result, said = self.compared(log, *args, "--payment", "pay-as-bid")
            self.expect_none(result, said)
            self.assertEqual(self.verdicts(result), {"cannot tell"})

    def test_a_purchase_without_a_word_of_winners_is_asked_too(self):
        rows = "".join(",".join(map(str, row[:4])) + "\n" for row in purchases(60, 4))
        log = self.file("log.csv", ("round,bidder,bid,estimate\n" + rows).encode())
        self.expect_question(*self.compared(log, "vcg-reserves", "--reverse", "--scale", "estimate"), "--payment pay-as-bid")

    def test_a_column_that_tells_of_winners_or_payments_is_not_overlooked(self):
        for name, cells in (("winner", ("1", "0")), ("Winner", ("ann", "ann")), ("price", ("12", "12")), ("paid", ("12", "0")), ("is_won", ("yes", "no")),
                            ("winning_bid", ("12", "12")), ("sold_price", ("12", "")), ("hammer", ("12", "12")), ("award", ("x", "")),
                            ("status", ("Awarded", "Evaluated")), ("result", ("won", "lost"))):
            rows = "".join(f"{t},ann,12,{cells[0]}\n{t},bob,3,{cells[1]}\n" for t in range(60))
            log = self.file("log.csv", f"round,bidder,bid,{name}\n{rows}".encode())
            with self.subTest(column=name):
                result, said = self.compared(log, "vcg-reserves", "--prices", "0,5,11", "-l", "leader")
                self.expect_question(result, said, f'"{name}"', "--payment second-price")
        result, said = self.compared(log, "vcg-reserves", "--prices", "0,5,11", "-l", "leader", "--payment", "second-price")
        self.expect_none(result, said)
        self.assertEqual(self.verdicts(result), {"deploy"})

    def test_other_columns_raise_no_question(self):
        rows = "".join(f"{t},ann,12,2,9,a\n{t},bob,3,2,9,b\n" for t in range(60))
        log = self.file("log.csv", f"round,bidder,bid,reserve_price,list price,window\n{rows}".encode())
        self.expect_none(*self.compared(log, "vcg-reserves", "--prices", "0,5,11"))

    def test_what_was_paid_answers_unless_it_is_neither_price(self):
        rows = "".join(f"{t},ann,12,{{}}\n{t},bob,4,{{}}\n" for t in range(60))
        for paid, open_question in ((4, False), (12, True), (8, True)):
            log = self.file("log.csv", f"round,bidder,bid,price\n{rows}".replace("{}", str(paid)).encode())
            result, said = self.compared(log, "vcg-reserves", "--prices", "0,5,11", "--paid", "price")
            with self.subTest(paid=paid):
                (self.expect_question if open_question else self.expect_none)(result, said)

    def test_convert_asks_first_and_a_table_of_it_decides_nothing(self):
        rows = "".join(f"{t},ann,12,1\n{t},bob,3,0\n" for t in range(400))
        log = self.file("log.csv", f"round,bidder,bid,won\n{rows}".encode())
        done = hannan("convert", log, "--cap", "20", "-o", self.folder / "t.csv", "--summary", self.folder / "s.json")
        self.assertTrue(done.err.startswith(b"QUESTION: "), done.err[:100])
        result = json.loads(self.ok("compare", "vcg-reserves", "--param", "levels=20", "--log", self.folder / "s.json", "-d", self.folder / "t.csv", "--json").out)
        self.assertEqual(self.verdicts(result), {"cannot tell"})

    def test_the_page_puts_the_question(self):
        rows = "".join(f"{t},ann,12,1\n{t},bob,3,0\n" for t in range(100))
        self.compared(self.file("log.csv", f"round,bidder,bid,won\n{rows}".encode()), "vcg-reserves", "--prices", "0,5,11")
        self.ok("report", self.folder / "result.json", "-o", self.folder / "page.html", "-q")
        page = (self.folder / "page.html").read_text()
        self.assertIn("a question about it is open", page)
        self.assertNotIn("may be chance", page.split('"block":"ranking"')[0])


def rivals(rows, reverse):
    """(paid, second, whether a better bid lost) of the rows (bidder, bid, won) of an auction of one unit each."""
    sign = -1 if reverse else 1
    paid = second = 0.0
    for who, bid, won in rows:
        if not won:
            continue
        others = [b for w, b, lost in rows if not lost and w != who and sign * b <= sign * bid]
        paid += bid
        second += max(others, key=lambda b: sign * b) if others else (bid if reverse else 0)
    winners = [bid for _, bid, won in rows if won]
    return paid, second, bool(winners) and any(sign * bid > min(sign * w for w in winners) for _, bid, won in rows if not won)


class Tenders(Compared):
    def check(self, log, auctions, reverse, *how):
        expected = [rivals(rows, reverse) for rows in auctions]
        paid, second, lost = (sum(auction[k] for auction in expected) for k in range(3))
        result, said = self.compared(log, "vcg-reserves", *how, "--payment", "pay-as-bid", *(["--reverse"] if reverse else []))
        logged = result["as_logged"]
        self.assertAlmostEqual(logged["rule"], paid, delta=1e-9 * paid)
        self.assertAlmostEqual(logged["second_price"], second, delta=1e-9 * paid)
        self.assertEqual(logged["lower_bid_lost" if reverse else "higher_bid_lost"], lost)
        if lost:
            self.assertIn(f"in {lost} of them a {'lower' if reverse else 'higher'} bid lost", said)
        # With the same bids no other rule costs less, or brings more (docs/judgement.md).
        self.assertTrue(second >= paid * (1 - 1e-12) if reverse else second <= paid * (1 + 1e-12))
        return result

    def test_rivals_are_other_bidders_at_or_behind_the_winner(self):
        coins = random.Random(8)
        for reverse in (True, False):
            auctions = []
            for _ in range(120):
                rows = [[f"f{coins.randrange(4)}", coins.randrange(20, 60), False] for _ in range(coins.randrange(1, 6))]
                coins.choice(rows)[2] = True
                auctions.append(rows)
            text = "".join(f"{t},{who},{bid},{int(won)}\n" for t, rows in enumerate(auctions) for who, bid, won in rows)
            self.check(self.file("log.csv", b"round,bidder,bid,won\n" + text.encode()), auctions, reverse, "--won", "won")

    def test_the_public_tenders(self):
        if not (DATA / "worldbank_procurement_bids").is_dir():
            self.skipTest("HANNAN_DATA names no folder of the data sets")
        log = DATA / "worldbank_procurement_bids/bids.csv"
        auctions = {}
        for row in table(log):
            if row["evaluated.price.currency"] == "USD" and row["bidder.name"] and float(row["evaluated.price.amount"]) >= 0:
                auctions.setdefault(row["contract"], []).append((row["bidder.name"], float(row["evaluated.price.amount"]), row["status"] == "Awarded"))
        self.check(log, auctions.values(), True, "--round", "contract", "--bidder", "bidder.name", "--bid", "evaluated.price.amount", "--won", "status=Awarded",
                   "--sort-by", "contract", "--where", "evaluated.price.currency=USD")


class OneReserveForAll(Compared):
    def monopoly(self, auctions, prices):
        """What the monopoly price of all bids so far earns, auction by auction: second price with one reserve."""
        reached, reserve, money = [0] * len(prices), 0, 0.0
        for bids in auctions:
            staying = sorted((bid for bid in bids if bid >= prices[reserve]), reverse=True)
            money += max(staying[1] if len(staying) > 1 else 0, prices[reserve]) if staying else 0
            for z, price in enumerate(prices):
                reached[z] += sum(bid >= price for bid in bids)
            reserve = max(range(len(prices)), key=lambda z: (prices[z] * reached[z], -z))
        return money

    def check(self, log, auctions, prices, *how):
        result, _ = self.compared(log, "vcg-reserves", *how, "--slots", "all", "--prices", ",".join(map(str, prices)))
        found = {player["name"]: player["money"] for player in result["players"]}
        expected = self.monopoly(auctions, prices)
        self.assertAlmostEqual(found["monopoly price"], expected, delta=1e-9 * expected)

    def test_the_monopoly_price_counts_every_bid(self):
        coins = random.Random(5)
        auctions = [[coins.randrange(1, 40) for _ in range(coins.randrange(1, 9))] for _ in range(300)]
        rows = "".join(f"{t},b{i},{bid}\n" for t, bids in enumerate(auctions) for i, bid in enumerate(bids))
        self.check(self.file("log.csv", b"round,bidder,bid\n" + rows.encode()), auctions, [0, 5, 10, 15, 20, 25, 30])

    def test_on_the_public_site(self):
        if not (DATA / "ebay_auctions").is_dir():
            self.skipTest("HANNAN_DATA names no folder of the data sets")
        log, auctions = DATA / "ebay_auctions/auction.csv", {}
        for row in table(log):
            bids = auctions.setdefault(row["auctionid"], {})
            if row["bidder"]:
                bids[row["bidder"]] = max(float(row["bid"]), bids.get(row["bidder"], 0))
        self.check(log, [list(bids.values()) for bids in auctions.values()], [0, 50, 100, 200, 400], "--round", "auctionid", "--payment", "second-price")


class Duplicates(Compared):
    def test_rows_that_repeat_a_bid_are_called_duplicates(self):
        rows = "".join(f"{t},ann,12\n{t},ann,12\n{t},bob,3\n{t},bob,2\n{t},bob,2\n" for t in range(50))
        log = self.file("log.csv", b"round,bidder,bid\n" + rows.encode())
        result, _ = self.compared(log, "vcg-reserves", "--prices", "0,5")
        self.assertEqual((result["data"]["rows"]["duplicates"], result["data"]["rows"]["superseded"]), (100, 50))
        self.assertIn("100 duplicates: rows that repeat a bid of the same bidder in the round", self.err)
        self.assertIn("50 bids below the same bidder's highest", self.err)
        same = self.file("same.csv", ("round,bidder,bid\n" + "".join(f"{t},ann,12\n{t},ann,12\n{t},bob,3\n" for t in range(50))).encode())
        self.compared(same, "vcg-reserves", "--prices", "0,5")
        self.assertIn("50 duplicates", self.err)
        self.assertIsNone(re.search("below the same bidder's highest", self.err))


if __name__ == "__main__":
    main()
