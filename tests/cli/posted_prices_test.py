"""Posted prices: what a log of them can tell, and price tests.

Expected figures are computed here from the raw rows, by no code of the program."""
import json
import math
import random

from compared_logs import LOGS, ComparedLogs
from program import DATA, hannan, main

LONG = ["item-pricing", "--payment", "posted", "--format", "long", "--bid", "price", "--won", "sold"]


class Compared(ComparedLogs):
    def expect_untold(self, result, said, reason):
        """No verdict, its reason, and no figure of any other price."""
        self.assertEqual([player["name"] for player in result["players"]], ["as logged"])
        judged = result["players"][0]["judgement"]
        self.assertEqual(judged["recommendation"], "cannot tell")
        self.assertIn(reason, judged["reason"])
        self.assertEqual(judged["says"], "this log cannot tell: " + judged["reason"])
        self.assertIn(judged["says"], said)
        for words in ("would have earned", "less and", "more than", "keep", "deploy"):
            self.assertNotIn(words, said)
        self.assertNotIn("most_gain", judged)
        self.assertIn("cannot tell", self.page)
        # What the page says, not its scripts.
        first = self.page[self.page.index('"block":"headline"'):][:1500]
        self.assertIn("This log cannot tell", first)
        for words in ("would have earned", "may be chance", "ranking", "keep what you do"):
            self.assertNotIn(words, first)


class CannotTell(Compared):
    def test_one_price(self):
        coins = random.Random(1)
        rows = [(t, 4, int(coins.random() < 0.4)) for t in range(300)]
        log = self.log("round,price,sold", rows)
        for prices in ([], ["--prices", "0,3,4,5"]):
            result, said = self.compared(*LONG, "-d", log, *prices)
            self.expect_untold(result, said, "one price only, 4")
            self.assertEqual(result["as_logged"]["rule"], 4 * sum(sold for _, _, sold in rows))

    def test_one_price_of_one_good_among_others(self):
        rows = [(t, "tea" if t % 2 else "jam", 4 if t % 2 else 5 + t % 3, t % 4 // 2) for t in range(200)]
        result, said = self.compared(*LONG, "--item", "good", "-d", self.log("round,good,price,sold", rows))
        self.expect_untold(result, said, '"tea" was offered at one price only')

    def test_units_sold_without_those_who_did_not_buy(self):
        # Demand is 100 - 10 p: a price of 5 earns 250 a day, and the log was run at 6 to 9. Its limits said that lower prices lose for sure.
        coins = random.Random(2)
        rows = [(t, p, 100 - 10 * p + coins.randrange(-3, 4)) for t, p in ((t, coins.randrange(6, 10)) for t in range(200))]
        log = self.log("round,price,sold", rows)
        for prices in ([], ["--prices", "0,4,5,6,7,8"]):
            result, said = self.compared(*LONG, "-d", log, *prices)
            self.expect_untold(result, said, "purchases only")
        # A day without a sale is no person who did not buy.
        result, said = self.compared(*LONG, "-d", self.log("round,price,sold", [*rows, (200, 9, 0)]))
        self.expect_untold(result, said, "several units sold at once")

    def test_rows_of_buyers_alone(self):
        rows = [(t, 3 + t % 4, 1) for t in range(200)]
        result, said = self.compared(*LONG, "-d", self.log("round,price,sold", rows))
        self.expect_untold(result, said, "purchases only")

    def test_choices_between_goods(self):
        result, said = self.compared("item-pricing", "--payment", "posted", "-d", LOGS / "shelf.csv", "--format", "wide", "--choice", "choice")
        self.expect_untold(result, said, "purchases only")
        rows = [(f"{1 + t % 4}.5", f"{2 + t % 3}.5", ("red", "blue", "none")[t % 3]) for t in range(120)]
        log = self.log("price.red,price.blue,choice", rows)
        result, said = self.compared("item-pricing", "--payment", "posted", "-d", log, "--format", "wide", "--choice", "choice")
        self.expect_untold(result, said, "turn to another")

    def test_nothing_is_written_from_such_a_log(self):
        log = self.log("round,price,sold", [(t, 4, t % 2) for t in range(100)])
        done = hannan("compare", *LONG, "-d", log, "--decisions", self.folder / "d.csv")
        self.assertEqual(done.status, 2)
        self.assertIn(b"one price only", done.err)
        self.assertFalse((self.folder / "d.csv").exists())

    def test_the_public_shelves(self):
        if not (DATA / "scanner_posted_prices").is_dir():
            self.skipTest("HANNAN_DATA names no folder of the data sets")
        for name, choice in (("Yogurt", "choice"), ("Catsup", "choice"), ("Ketchup", "Ketchup.choice")):
            result, said = self.compared("item-pricing", "--payment", "posted", "-d", DATA / f"scanner_posted_prices/{name}.csv", "--format", "wide", "--choice", choice)
            self.expect_untold(result, said, "purchases only")


class Limits(Compared):
    """A row for every offer, sold or not, of one unit."""

    def rows(self, goods):
        coins = random.Random(6)
        for t in range(600):
            good, (low, high) = coins.choice(sorted(goods.items()))
            price = coins.randrange(low, high)
            yield t, good, price, int(coins.random() < 1.2 - price / high)

    def test_the_best_fixed_prices_are_those_that_are_sure(self):
        rows = list(self.rows({"tea": (2, 9), "car": (20000, 20400)}))
        result, said = self.compared(*LONG, "--item", "good", "-d", self.log("round,good,price,sold", rows), "--prices", "quantiles:5")
        self.assertNotIn("censored", result["as_logged"])
        self.assertEqual((result["as_logged"]["offers"], result["as_logged"]["declined"]), (600, sum(not row[3] for row in rows)))
        played, best = rows[result["rehearsed"]:], 0
        for good, prices in zip(result["slots"], result["params"]["prices"]):
            best += max(p * sum(price >= p for _, name, price, sold in played if sold and name == good) for p in prices)
        players = {player["name"]: player["money"] for player in result["players"]}
        self.assertAlmostEqual(players["best fixed"], best, delta=1e-6)
        self.assertIn("cannot tell", said)

    def test_every_good_has_prices_of_its_own(self):
        rows = list(self.rows({"tea": (2, 9), "car": (20000, 20400)}))
        for how, part in ((["--prices", "quantiles:4"], 60), (["--prices", "quantiles-all:4"], 600), (["--prices", "quantiles:4", "--warm", "200"], 200)):
            result, _ = self.compared(*LONG, "--item", "good", "-d", self.log("round,good,price,sold", rows), *how)
            lists = dict(zip(result["slots"], result["params"]["prices"]))
            for good in ("tea", "car"):
                posted = sorted(price for _, name, price, _ in rows[:part] if name == good)
                expected = sorted({0, *(posted[math.ceil(len(posted) * k / 5) - 1] for k in range(1, 5))})
                self.assertEqual(lists[good], expected)

    def test_a_good_without_a_price_in_the_first_rounds_is_named(self):
        rows = [(t, "tea" if t < 100 else "jam", 2 + t % 3, t % 2) for t in range(200)]
        done = hannan("compare", *LONG, "--item", "good", "-d", self.log("round,good,price,sold", rows))
        self.assertNotEqual(done.status, 0)
        for part in (b'"jam"', b"--warm", b"--prices"):
            self.assertIn(part, done.err)


class PriceTests(Compared):
    """Prices drawn at random."""

    def rows(self, demand, rounds, seed):
        coins = random.Random(seed)
        for t in range(rounds):
            price = coins.choice(sorted(demand))
            yield t, price, int(coins.random() < demand[price])

    def means(self, rows):
        return {price: sum(p * sold for _, p, sold in rows if p == price) / sum(p == price for _, p, _ in rows) for _, price, _ in rows}

    def test_a_price_that_earns_more_is_deployed_and_the_others_are_not(self):
        rows = list(self.rows({4: 0.5, 6: 0.5, 8: 0.2}, 3000, 1))
        means, log = self.means(rows), self.log("visitor,price,sold", rows)
        for today, base in ((None, sum(p * sold for _, p, sold in rows) / len(rows)), (4, means[4])):
            result, said = self.compared(*LONG, "-d", log, "--round", "visitor", "--randomised", *(["--today", str(today)] if today else []))
            players = {player["name"]: player for player in result["players"]}
            judged = {name: player["judgement"]["recommendation"] for name, player in players.items() if player.get("judgement")}
            self.assertEqual(judged["price 6"], "deploy")
            self.assertEqual(judged["price 8"], "keep")
            self.assertEqual(list(players)[-1], "price 4, today" if today else "as logged")
            self.assertAlmostEqual(players["price 6"]["judgement"]["gain"], (means[6] - base) * len(rows), delta=1e-6)
            self.assertIn("deploy price 6: it would have earned", said)
            tested = {price["price"]: price for price in result["price_test"]["prices"]}
            for price, mean in means.items():
                self.assertAlmostEqual(tested[price]["mean"], mean, delta=1e-9)
                self.assertEqual(tested[price]["offers"], sum(p == price for _, p, _ in rows))

    def test_its_interval_is_that_of_welch(self):
        rows = list(self.rows({4: 0.5, 6: 0.4}, 1000, 2))
        result, _ = self.compared(*LONG, "-d", self.log("visitor,price,sold", rows), "--round", "visitor", "--randomised", "--today", "4")
        parts = []
        for price in (4, 6):
            earned = [p * sold for _, p, sold in rows if p == price]
            more = [*earned, 0, price]
            mean = sum(more) / len(more)
            parts.append((sum(earned) / len(earned), sum((x - mean) ** 2 for x in more) / (len(more) - 1) / len(more)))
        half = 1.9623 * (parts[0][1] + parts[1][1]) ** 0.5  # 97.5 % of Student's law at 900 degrees and more
        lo, hi = next(price["range"] for price in result["price_test"]["prices"] if price["price"] == 6)
        self.assertAlmostEqual((lo + hi) / 2, parts[1][0] - parts[0][0], delta=1e-9)
        self.assertAlmostEqual((hi - lo) / 2, half, delta=1e-3 * half)

    def test_equal_prices_and_few_offers_decide_nothing(self):
        rows = list(self.rows({4: 0.5, 5: 0.4}, 400, 3))
        result, said = self.compared(*LONG, "-d", self.log("visitor,price,sold", rows), "--round", "visitor", "--randomised")
        self.assertEqual({player["judgement"]["recommendation"] for player in result["players"] if player.get("judgement")}, {"cannot tell"})
        few = self.log("visitor,price,sold", rows[:50])
        self.expect_untold(*self.compared(*LONG, "-d", few, "--round", "visitor", "--randomised"), "40 offers and 10 sales")
        one = self.log("visitor,price,sold", [row for row in rows if row[1] == 4])
        self.expect_untold(*self.compared(*LONG, "-d", one, "--round", "visitor", "--randomised"), "a test needs two")

    def decided(self, log, *flags, **options):
        """The file of decisions and the result, of which it takes every word."""
        path = self.folder / options.get("file", "d.json")
        path.unlink(missing_ok=True)
        done = hannan("compare", *LONG, "-d", log, "--round", "visitor", "--randomised", "--currency", "EUR", "-q", "-o", self.folder / "r.json",
                      "--decisions", path, *flags)
        return done, path.read_text() if path.exists() else None, json.loads((self.folder / "r.json").read_text())

    def test_the_best_price_is_written_with_its_verdict(self):
        log = self.log("visitor,price,sold", self.rows({4: 0.5, 6: 0.5, 8: 0.2}, 3000, 1))
        for today in ([], ["--today", "4"]):
            done, text, result = self.decided(log, *today)
            self.assertEqual(done.status, 0, done.err)
            decision, judged = json.loads(text), result["players"][0]["judgement"]
            row, = decision["decisions"]
            self.assertEqual((row["item"], row["price"], decision["what"], decision["currency"], decision["rounds"]), ("1", 6, "price", "EUR", 3000))
            for found in (decision, row):
                self.assertEqual((found["verdict"], found["says"], found["gain"], found["range"]), ("deploy", judged["says"], judged["gain"], judged["range"]))
            self.assertEqual(decision["doubts"], [])
            self.assertEqual(decision["decision"], "price test")
        _, text, _ = self.decided(log, file="d.csv")
        self.assertEqual(text, "item,price,currency,decision,verdict\n1,6,EUR,price test,deploy\n")

    def test_prices_of_two_goods_are_decided_one_by_one(self):
        coins, rows = random.Random(5), []
        for t in range(3000):
            for good, demand in (("tea", {4: 0.5, 6: 0.5}), ("jam", {2: 0.4, 3: 0.27})):
                price = coins.choice(sorted(demand))
                rows.append((t, good, price, int(coins.random() < demand[price])))
        done, text, result = self.decided(self.log("visitor,good,price,sold", rows), "--item", "good")
        self.assertEqual(done.status, 0, done.err)
        found = {row["item"]: row for row in json.loads(text)["decisions"]}
        self.assertEqual((found["tea"]["price"], found["tea"]["verdict"]), (6, "deploy"))
        self.assertNotEqual(found["jam"]["verdict"], "deploy")
        players = {player["name"]: player for player in result["players"]}
        for good, row in found.items():
            self.assertEqual(row["says"], players[f"{good} at {row['price']}"]["judgement"]["says"])

    def test_what_loses_or_is_not_judged_is_not_written(self):
        rows = list(self.rows({4: 0.5, 6: 0.2}, 2000, 4))
        done, text, _ = self.decided(self.log("visitor,price,sold", rows), "--today", "4")
        self.assertEqual((done.status != 0, text), (True, None))
        self.assertIn(b"H212", done.err)
        self.assertIn(b"--anyway writes it", done.err)
        done, text, _ = self.decided(self.log("visitor,price,sold", rows), "--today", "4", "--anyway")
        row, = json.loads(text)["decisions"]
        self.assertEqual((done.status, row["price"], row["verdict"]), (0, 6, "keep"))
        few = self.log("visitor,price,sold", rows[:50])
        for flags, said in (([], b"in which no price is judged (no price has the 40 offers and 10 sales"), (["--export", "best"], b"no price is judged")):
            done = hannan("compare", *LONG, "-d", few, "--round", "visitor", "--randomised", "--decisions", self.folder / "n.json", *flags)
            self.assertNotEqual(done.status, 0)
            self.assertIn(b"H108", done.err)
            self.assertIn(said, done.err)
            self.assertFalse((self.folder / "n.json").exists())
        log = self.log("visitor,price,sold", rows)
        for flags, said in ((["--export", "best", "--decisions", self.folder / "n.json"], b"none is held out"), (["--floors", self.folder / "n.json"], b"prices of goods are no floors")):
            done = hannan("compare", *LONG, "-d", log, "--round", "visitor", "--randomised", *flags)
            self.assertNotEqual(done.status, 0)
            self.assertIn(said, done.err)

    def test_a_row_is_one_offer_and_the_flags_go_with_posted_prices(self):
        log = self.log("visitor,price,sold", [(t // 2, 3 + t % 2, t % 3 // 2) for t in range(200)])
        done = hannan("compare", *LONG, "-d", log, "--round", "visitor", "--randomised")
        self.assertIn(b"two offers of one good", done.err)
        self.assertEqual(hannan("compare", *LONG, "-d", log, "--round", "none", "--randomised").status, 0)
        for wrong in (["--today", "3"], ["--randomised", "--today", "3.5"]):
            self.assertEqual(hannan("compare", *LONG, "-d", log, "--round", "none", *wrong).status, 2)
        bids = self.file("bids.csv", b"round,bidder,bid\n1,a,3\n")
        self.assertIn(b"--randomised", hannan("compare", "vcg-reserves", "-d", bids, "--format", "long", "--randomised").err)


if __name__ == "__main__":
    main()
