"""Logs that know what was earned only within limits, one bidder's log, rounds held out and what is handed on.

Expected figures are computed here from the raw files, by no code of the program."""
import json
import random

from compared_logs import LOGS, ComparedLogs, players_of, table
from program import DATA, hannan, main



class Compared(ComparedLogs):
    def compared(self, *args):
        return super().compared(*args, "-q")[0]


class TopHidden(Compared):
    """Of the winner's bid the log shows only what was paid."""

    def site(self, path):
        auctions = {}
        for row in table(path):
            auction = auctions.setdefault(row["auctionid"], [float(row["openbid"]), float(row["price"]), {}])
            auction[2][row["bidder"]] = max(float(row["bid"]), auction[2].get(row["bidder"], 0))
        for opening, price, bids in auctions.values():
            bids = sorted((bid for bid in bids.values() if bid >= opening), reverse=True)
            second = max(bids[1] if len(bids) > 1 else 0, opening) if bids else 0
            yield price, second, bids[0] if bids else 0

    def check(self, path, *how):
        auctions = list(self.site(path))
        result = self.compared("vcg-reserves", "-d", path, "--format", "long", "--round", "auctionid", "--opening", "openbid", "--paid", "price",
                               "--currency", "USD", "--top-hidden", *how)
        logged = result["as_logged"]
        self.assertAlmostEqual(logged["rule"], sum(second for _, second, _ in auctions), delta=1e-6)
        self.assertAlmostEqual(logged["paid"], sum(price for price, _, _ in auctions), delta=1e-6)
        self.assertNotIn("asks", logged)
        judged = result["players"][0]["judgement"]
        self.assertGreaterEqual(judged["most_gain"], judged["gain"] - 1e-9)
        self.assertNotEqual(judged["recommendation"], "deploy")
        self.assertIn("as logged", self.page)
        return result

    def test_a_made_up_site(self):
        self.check(LOGS / "site.csv", "--prices", "0,20,40,60,80,100", "--slots", "rank", "-n", "1")

    def test_without_the_flag_the_log_is_asked_about(self):
        summary = json.loads(self.ok("convert", LOGS / "site.csv", "--round", "auctionid", "--opening", "openbid", "--paid", "price", "-o",
                                     self.folder / "t.jsonl", "--json").out)
        self.assertIn("--top-hidden", summary["as_logged"]["asks"][0])

    def test_a_reserve_above_what_is_shown_may_gain_and_is_not_kept_off(self):
        # Shown tops are 10 and seconds 9; a reserve of 11 earns 0 or 11 in every round. The learner plays on what is sure.
        log = self.file("log.csv", b"round,bidder,bid\n" + b"".join(b"%d,a,10\n%d,b,9\n" % (t, t) for t in range(100)))
        result = self.compared("vcg-reserves", "--prices", "0,11", "-d", log, "--format", "long", "--names", "a", "--top-hidden", "-l", "ada")
        judged = result["players"][0]["judgement"]
        played = result["players"][0]["money"]
        self.assertAlmostEqual(judged["gain"], played - 900, delta=1e-6)
        # A round in which 11 was played earns 11 at most: (rounds at 11) * 2 more than 900, where it earned 9 (b wins) or less for sure.
        rounds = (900 - played) / 9  # eager: b, one of the others, pays nothing alone
        self.assertAlmostEqual(judged["most_gain"], 2 * rounds, delta=1e-6)

    def test_bids_without_prices_in_money_are_refused(self):
        done = hannan("compare", "vcg-reserves", "--param", "levels=4", "-d", LOGS / "site.csv", "--format", "long", "--round", "auctionid", "--cap", "200",
                      "--top-hidden")
        self.assertEqual(done.status, 2)
        self.assertIn(b"H108", done.err)

    def test_the_public_site(self):
        if not (DATA / "ebay_auctions").is_dir():
            self.skipTest("HANNAN_DATA names no folder of the data sets")
        self.check(DATA / "ebay_auctions/auction.csv", "--prices", "0,50,100,200,400", "--slots", "rank", "-n", "1")


class Posted(Compared):
    """Every offer is a row, sold or not. Logs that say nothing of other prices: posted_prices_test.py."""

    def test_offers_by_row(self):
        offers = [(t, "tea", 2 + t % 3, int(t % 4 < 2)) for t in range(60)] + [(t, "jam", 3 + t % 2, int(t % 5 > 1)) for t in range(60)]
        log = self.file("sales.csv", ("visit,good,price,sold\n" + "".join(",".join(map(str, row)) + "\n" for row in sorted(offers))).encode())
        result = self.compared("item-pricing", "--payment", "posted", "-d", log, "--format", "long", "--round", "visit", "--item", "good", "--bid", "price",
                               "--won", "sold", "--prices", "0,1,2,3,4")
        money = sum(price * sold for _, _, price, sold in offers)
        self.assertEqual(result["as_logged"]["rule"], money)
        self.assertEqual(result["as_logged"]["sold"], sum(sold for _, _, _, sold in offers))
        self.assertEqual(result["hidden"]["share"], 0)
        players = players_of(result)
        self.assertAlmostEqual(players["as logged"]["money"], money, delta=1e-6)
        # The best fixed prices by what is sure: each good by itself.
        best = sum(max(p * sum(sold for _, name, price, sold in offers if name == good and price >= p) for p in (0, 1, 2, 3, 4)) for good in ("tea", "jam"))
        self.assertAlmostEqual(players["best fixed"]["money"], best, delta=1e-9)
        judged = result["players"][0]["judgement"]
        self.assertGreater(judged["most_gain"], judged["gain"])
        self.assertEqual(judged["recommendation"], "cannot tell")
        self.assertIn("this log cannot tell", self.page)


class OwnLog(Compared):
    def check(self, path, factor, *how):
        rows = [line.split() for line in path.read_text().splitlines()]
        paid = sum(float(row[1]) for row in rows)
        worth = sum(float(row[2]) * factor for row in rows)
        result = self.compared("first-price-bidding", "-d", path, "--format", "long", "--header", "none", "--separator", "space", "--bid", "2",
                               "--paid", "2", "--value", "3", "--value-factor", str(factor), *how)
        logged = result["as_logged"]
        self.assertAlmostEqual(logged["rule"], paid, delta=1e-6)
        self.assertAlmostEqual(logged["worth"], worth, delta=1e-9 * worth)
        players = players_of(result)
        self.assertAlmostEqual(players["as logged"]["money"], worth - paid, delta=1e-6 * worth)
        best = max(sum((1 - k) * float(row[2]) * factor for row in rows if k * float(row[2]) * factor > float(row[1]) * (1 + 1e-9))
                   for k in (i / 20 for i in range(20)))
        self.assertAlmostEqual(players["best fixed"]["money"], best, delta=1e-6 * worth)
        self.assertIsNotNone(result["players"][0]["judgement"])

    def test_a_made_up_log(self):
        self.check(LOGS / "own.txt", 20000)

    def test_the_public_log(self):
        if not (DATA / "ipinyou_rtb").is_dir():
            self.skipTest("HANNAN_DATA names no folder of the data sets")
        self.check(DATA / "ipinyou_rtb/2997_test_theta_first50k.txt", 20000, "-l", "leader")


    def check_shares(self, rows):
        """D_t / v_t from what the leader played, by this file alone, against the judgement."""
        path = self.file("own.txt", "".join(f"{price:.2f} {worth:.2f}\n" for price, worth in rows).encode())
        how = ["-d", path, "--format", "long", "--header", "none", "--separator", "space", "--bid", "1", "--paid", "1", "--value", "2", "-l", "leader"]
        result = self.compared("first-price-bidding", *how)
        self.ok("run", "first-price-bidding", "--param", "grids=" + json.dumps(result["params"]["grids"]), *how, "-p", self.folder / "p.jsonl", "-q")
        gains = [-json.loads(line)["loss"] - (worth - price) for line, (price, worth) in zip((self.folder / "p.jsonl").read_text().splitlines(), rows, strict=True)]
        return result["players"][0]["judgement"], gains, [gain / worth for gain, (_, worth) in zip(gains, rows)]

    def test_gains_are_judged_as_shares_of_the_value(self):
        coins = random.Random(4)
        values = [round(10 ** coins.uniform(0, 4), 2) for _ in range(400)]
        judged, gains, shares = self.check_shares([(round(value * coins.uniform(0.1, 0.9), 2), value) for value in values])
        n = len(shares)
        self.assertAlmostEqual(judged["gain"], sum(gains), delta=1e-6)
        self.assertAlmostEqual(judged["shares"]["gain"], sum(shares) / n, delta=1e-9)
        totals = [sum(shares[i * n // 8:(i + 1) * n // 8]) for i in range(8)]
        half = 2.3646242510102993 * (sum((total - sum(totals) / 8) ** 2 for total in totals) / 7) ** 0.5 * 8 ** 0.5
        for found, expected in zip(judged["shares"]["blocks"], (sum(shares) - half, sum(shares) + half)):
            self.assertAlmostEqual(found, expected / n, delta=1e-9)
        self.assertEqual(judged["recommendation"], "keep")
        self.assertIn("of the value (95 % range", judged["says"])
        self.assertIn("as a share of what winning is worth, the difference is", self.page)

    def test_where_more_than_the_value_was_paid_gains_are_judged_in_money(self):
        coins = random.Random(4)
        judged, gains, _ = self.check_shares([(round(value * coins.uniform(0.1, 1.4), 2), value) for value in (round(coins.uniform(1, 100), 2) for _ in range(400))])
        self.assertNotIn("shares", judged)
        self.assertAlmostEqual(judged["gain"], sum(gains), delta=1e-6)
        self.assertIsNotNone(judged["range"])


class HandedOn(Compared):
    """A reserve of 11 gains 1 in every round; the second half may differ."""

    def changing_log(self, second=b"12"):
        rows = b"".join(b"%d,Acme,12\n%d,b,10\n" % (t, t) for t in range(80))
        return self.file("log.csv", b"round,bidder,bid\n" + rows + b"".join(b"%d,Acme,%s\n%d,b,10\n" % (t, second, t) for t in range(80, 100)))

    def args(self, log, *more):
        return ["vcg-reserves", "--prices", "0,11", "-d", log, "--format", "long", "--names", "Acme", "--currency", "EUR", "-l", "leader", *more]

    def test_next_and_best_carry_their_verdicts(self):
        for which in ("next", "best"):
            result = self.compared(*self.args(self.changing_log()), "--decisions", self.folder / "d.csv", "--export", which, "--holdout", "0.4")
            judged = result["players"][0]["judgement"] if which == "next" else result["holdout"]["judgement"]
            rows = table(self.folder / "d.csv")
            self.assertEqual(rows, [{"bidder": "Acme", "reserve": "11", "currency": "EUR", "decision": which, "verdict": judged["recommendation"]}])
            self.compared(*self.args(self.changing_log()), "--decisions", self.folder / "d.json", "--export", which)
            made = json.loads((self.folder / "d.json").read_text())
            self.assertEqual(made["decisions"], [{"bidder": "Acme", "reserve": 11}])
            self.assertEqual((made["decision"], made["currency"]), (which, "EUR"))

    def test_rounds_held_out_judge_what_the_others_chose(self):
        result = self.compared(*self.args(self.changing_log(b"10.5")), "--holdout", "0.2")
        held = result["holdout"]
        # From the first 80 rounds 11 is chosen. In the last 20 it excludes Acme, and b pays nothing: 10 less each.
        self.assertEqual((held["from"], held["rounds"], held["action"]), (80, 20, [1]))
        self.assertAlmostEqual(held["baseline"], 200)
        self.assertAlmostEqual(held["money"], 0)
        self.assertAlmostEqual(held["judgement"]["gain"], -200)

    def test_what_loses_is_not_written(self):
        log, out = self.changing_log(b"10.5"), self.folder / "d.csv"
        done = hannan("compare", *self.args(log), "--decisions", out, "--export", "best", "-q")
        self.assertEqual(done.status, 3)
        self.assertIn(b"H212", done.err)
        self.assertIn(b'against "as logged"', done.err)
        self.assertFalse(out.exists())
        self.assertEqual(hannan("compare", *self.args(log), "--decisions", out, "--export", "best", "-q", "--anyway").status, 0)
        self.assertTrue(out.exists())
        floors = self.folder / "f.json"
        self.assertIn(b"H212", hannan("compare", *self.args(log), "--floors", floors, "--export", "best", "-q").err)
        self.assertFalse(floors.exists())

    def test_floors_say_what_they_are(self):
        floors = self.folder / "f.json"
        result = self.compared(*self.args(self.changing_log()), "--floors", floors)
        made = json.loads(floors.read_text())
        self.assertEqual(made["values"], {"acme": 11, "*": 0})
        verdict = result["players"][0]["judgement"]["recommendation"]
        self.assertEqual(made["modelVersion"], f"hannan, next decision after 100 rounds, {verdict}")


if __name__ == "__main__":
    main()
