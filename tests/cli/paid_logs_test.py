"""Logs in which winners pay their own bids, purchases, and logs in several currencies, against raw files read by Python alone.

The logs of examples/logs are made up, in the columns of public ones; those are read too where they are at hand."""
import collections
import json

from compared_logs import LOGS, ComparedLogs, table
from program import DATA, FolderTest, hannan, main


TENDERS = ["--round", "contract", "--bidder", "bidder.name", "--bid", "amount", "--won", "status=Awarded", "--sort-by", "contract"]
QUOTA = ["--round", "auction", "--bid", "pb", "--quantity", "qb", "--won", "qr", "--paid", "pr", "--sort-by", "auction",
         "--payment", "pay-as-bid", "--currency", "CHF"]


def groups(rows, column):
    """Rows by round, rounds as they first come."""
    found = collections.OrderedDict()
    for row in rows:
        found.setdefault(row[column], []).append(row)
    return list(found.values())


def uniform(points, sold, best):
    """What every unit costs at the best losing bid: (bid, wanted) of each row; None where no bid loses."""
    left = sold
    for bid, wanted in sorted(points, key=lambda p: best * p[0], reverse=True):
        if wanted > left * (1 + 1e-12):
            return bid
        left -= wanted
    return None


class PayAsBid(ComparedLogs):
    def compared(self, log, *args):
        return super().compared("vcg-reserves", "-d", log, "--format", "long", *args)

    def check(self, log, args, auctions):
        """auctions: (paid, second) each, computed from the raw file."""
        paid, second = (sum(a[k] for a in auctions) for k in (0, 1))
        summary = json.loads(self.ok("convert", log, *args, "-o", self.folder / "t.jsonl", "--json", "--accept-hidden").out)
        logged = summary["as_logged"]
        self.assertAlmostEqual(logged["rule"], paid, delta=1e-9 * paid)
        self.assertAlmostEqual(logged["second_price"], second, delta=1e-9 * paid)
        self.assertEqual(logged["auctions"], len(auctions))
        result, said = self.compared(log, *args)
        players = {player["name"]: player for player in result["players"]}
        self.assertAlmostEqual(players["as logged"]["money"], paid, delta=1e-9 * paid)
        self.assertAlmostEqual(players["second price"]["money"], second, delta=1e-9 * paid)
        self.assertEqual(result["baseline"], "as logged")
        judged = result["players"][0]["judgement"]
        self.assertEqual(judged["recommendation"], "cannot tell")
        self.assertIn("this log cannot tell", said)
        self.assertIn("bids would change", said)
        self.assertIn("first-price-bidding", said)
        page = self.folder / "page.html"
        self.ok("report", self.folder / "result.json", "-o", page)
        self.assertIn("this log cannot tell", page.read_text())
        return result, said

    def tenders(self, rows, amount, factor=lambda row: 1.0):
        auctions = []
        for rows in rows:
            bids = [float(row[amount]) * factor(row) for row in rows]
            won = [float(row["status"] == "Awarded") for row in rows]
            paid = sum(b * w for b, w in zip(bids, won))
            # A rival is another firm that lost, at or above the winner; where there is none it is what was paid.
            second = 0.0
            for row, bid, mine in zip(rows, bids, won):
                others = [b for other, b, w in zip(rows, bids, won) if not w and b >= bid and other["bidder.name"] != row["bidder.name"]]
                second += (min(others) if others else bid) if mine else 0
            auctions.append((paid, second))
        return auctions

    def test_tenders_of_one_currency(self):
        log = LOGS / "tenders.csv"
        rows = [row for row in table(log) if row["currency"] == "USD"]
        how = [*TENDERS, "--where", "currency=USD", "--currency", "USD", "--payment", "pay-as-bid", "--reverse"]
        result, said = self.check(log, how, self.tenders(groups(rows, "contract"), "amount"))
        self.assertEqual(result["unit"], "loss")
        # At the price of the next firm the same tenders cost more.
        self.assertIn("what suppliers were paid", said)

    def test_mixed_currencies_are_refused_without_rates(self):
        log = LOGS / "tenders.csv"
        how = [*TENDERS, "--currency-column", "currency", "--payment", "pay-as-bid", "--reverse"]
        done = hannan("convert", log, *how, "-o", self.folder / "t.jsonl")
        self.assertEqual(done.status, 3)
        self.assertIn(b"H211", done.err)
        self.assertIn(b"--rates", done.err)
        self.assertFalse((self.folder / "t.jsonl").exists())
        rates = {"USD": 1.0, "EUR": 1.08}
        auctions = self.tenders(groups(table(log), "contract"), "amount", lambda row: rates[row["currency"]])
        result, said = self.check(log, [*how, "--rates", LOGS / "rates.csv"], auctions)
        self.assertEqual(result["currency"], "USD")
        self.assertIn(" USD in ", said)
        wrong = self.file("wrong.csv", b"GBP,1.2\nUSD,1\n")
        done = hannan("convert", log, *how, "--rates", wrong, "-o", self.folder / "t.jsonl")
        self.assertEqual(done.status, 2)
        self.assertIn(b"H106", done.err)

    def test_shares_of_a_quota(self):
        log = LOGS / "quota.csv"
        self.check(log, QUOTA, self.quota(log))

    def quota(self, log):
        auctions = []
        for rows in groups(table(log), "auction"):
            points = [(float(row["pb"]), float(row["qb"])) for row in rows]
            won = [float(row["qr"]) for row in rows]
            paid = sum(float(row["pr"]) for row in rows)
            own = sum(b * w for (b, _), w in zip(points, won))
            price = uniform(points, sum(won), 1) or 0
            auctions.append((paid, price * sum(won) * (paid / own if own else 1)))
        return auctions

    def test_nothing_is_written_from_such_a_log(self):
        for flag in ("--floors", "--decisions"):
            done = hannan("compare", "vcg-reserves", "-d", LOGS / "quota.csv", "--format", "long", *QUOTA, flag, self.folder / "f.json")
            self.assertEqual(done.status, 2)
            self.assertIn(b"H108", done.err)

    def test_the_public_logs_of_such_kinds(self):
        if not (DATA / "worldbank_procurement_bids").is_dir():
            self.skipTest("HANNAN_DATA names no folder of the data sets")
        log = DATA / "worldbank_procurement_bids/bids.csv"
        how = ["--round", "contract", "--bidder", "bidder.name", "--bid", "evaluated.price.amount", "--won", "status=Awarded",
               "--sort-by", "contract", "--payment", "pay-as-bid", "--reverse"]
        done = hannan("convert", log, *how, "--currency-column", "evaluated.price.currency", "-o", self.folder / "t.jsonl")
        self.assertIn(b"H211", done.err)
        # Rows without a name or with a negative amount are no bids; a contract of such rows alone brought nothing.
        bids = [[row for row in rows if row["bidder.name"] and float(row["evaluated.price.amount"]) >= 0]
                for rows in groups([row for row in table(log) if row["evaluated.price.currency"] == "USD"], "contract")]
        usd = [*how, "--where", "evaluated.price.currency=USD", "--currency", "USD"]
        self.check(log, usd, self.tenders(bids, "evaluated.price.amount"))
        log = DATA / "swiss_meat_quota_auctions/setofbids.csv"
        self.check(log, QUOTA, self.quota(log))


class Recognition(FolderTest):
    def test_a_log_that_the_lowest_bid_wins_is_asked_about(self):
        summary = json.loads(self.ok("convert", LOGS / "tenders.csv", *TENDERS, "--currency-column", "none", "-o", self.folder / "t.jsonl", "--json",
                                     "--accept-hidden").out)
        asks = summary["as_logged"]["asks"]
        self.assertEqual(len(asks), 1)
        self.assertIn("--reverse", asks[0])
        lowest = two = 0
        for rows in groups(table(LOGS / "tenders.csv"), "contract"):
            bids = [float(row["amount"]) for row in rows]
            if len(set(bids)) < 2:
                continue
            two += 1
            lowest += any(row["status"] == "Awarded" and float(row["amount"]) == min(bids) for row in rows)
        self.assertIn(f"in {lowest} of {two} auctions", asks[0])

    def test_a_question_that_is_open_decides_nothing(self):
        # Reserves would gain in every round, if winners paid the second price.
        log = self.file("log.csv", b"round,bidder,bid,price\n" + b"".join(b"%d,a,12,12\n%d,b,3,12\n" % (t, t) for t in range(400)))
        args = ["compare", "vcg-reserves", "--prices", "0,5,11", "-d", log, "--format", "long", "--paid", "price", "--json"]
        open_question = json.loads(self.ok(*args).out)
        self.assertEqual(open_question["players"][0]["judgement"]["recommendation"], "cannot tell")
        self.assertIn("--payment", open_question["players"][0]["judgement"]["reason"])
        answered = json.loads(self.ok(*args, "--payment", "second-price").out)
        self.assertEqual(answered["players"][0]["judgement"]["recommendation"], "deploy")

    def test_a_plain_log_of_second_prices_is_not_asked_about(self):
        log = self.file("log.csv", b"round,bidder,bid,price\n" + b"".join(b"%d,a,12,3\n%d,b,3,3\n" % (t, t) for t in range(50)))
        summary = json.loads(self.ok("convert", log, "--paid", "price", "-o", self.folder / "t.jsonl", "--json").out)
        self.assertNotIn("asks", summary["as_logged"])


class Purchases(FolderTest):
    """Second-price purchases with a price of not buying in every round."""

    def test_no_ceiling_is_what_was_logged(self):
        log = LOGS / "tenders.csv"
        for units in (1, 2):
            cost = 0.0
            for rows in groups([row for row in table(log) if row["currency"] == "USD"], "contract"):
                outside = 1.1 * float(rows[0]["estimate"])
                asks = {}
                for row in rows:
                    asks[row["bidder.name"]] = min(float(row["amount"]), asks.get(row["bidder.name"], float("inf")))
                asks = sorted(ask for ask in asks.values() if ask <= outside)
                bought = min(units, len(asks))
                price = asks[units] if len(asks) > units else outside
                cost += bought * price + (units - bought) * outside
            result = json.loads(self.ok("compare", "vcg-reserves", "--param", f"units={units}", "-d", log, "--format", "long", *TENDERS, "--where",
                                        "currency=USD", "--reverse", "--payment", "second-price", "--scale", "estimate", "--scale-factor", "1.1",
                                        "--json").out)
            players = {player["name"]: player for player in result["players"]}
            for name in ("as logged", "no ceiling"):
                self.assertAlmostEqual(players[name]["money"], cost, delta=1e-9 * cost)
            self.assertEqual(result["hidden"]["share"], 0)
            self.assertIsNotNone(result["players"][0]["judgement"])
            self.assertLessEqual(players["best fixed"]["money"], cost * (1 + 1e-12))

    def test_gains_are_judged_as_shares_where_estimates_differ(self):
        log = LOGS / "tenders.csv"
        how = ["-d", log, "--format", "long", *TENDERS, "--where", "currency=USD", "--reverse", "--payment", "second-price", "--scale", "estimate",
               "--currency", "USD"]
        done = hannan("compare", "vcg-reserves", *how, "-l", "leader", "-o", self.folder / "result.json")
        self.assertEqual(done.status, 0, done.err)
        result = json.loads((self.folder / "result.json").read_text())
        self.ok("run", "vcg-reserves", "--param", "shares=" + json.dumps(result["params"]["shares"]), *how, "-l", "leader", "-p", self.folder / "p.jsonl", "-q")
        auctions = groups([row for row in table(log) if row["currency"] == "USD"], "contract")
        auctions.sort(key=lambda rows: rows[0]["contract"])
        shares = []
        for rows, line in zip(auctions, map(json.loads, (self.folder / "p.jsonl").read_text().splitlines()), strict=True):
            outside = float(rows[0]["estimate"])
            asks = {}
            for row in rows:
                asks[row["bidder.name"]] = min(float(row["amount"]), asks.get(row["bidder.name"], float("inf")))
            asks = sorted(ask for ask in asks.values() if ask <= outside)
            logged = asks[1] if len(asks) > 1 else outside
            shares.append((logged - line["loss"]) / outside)
        judged = result["players"][0]["judgement"]
        n = len(shares)
        self.assertAlmostEqual(judged["shares"]["gain"], sum(shares) / n, delta=1e-9)
        sizes = [n // 8 + (i < n % 8) for i in range(8)]
        totals = [sum(shares[sum(sizes[:i]):sum(sizes[:i + 1])]) for i in range(8)]
        mean = sum(totals) / 8
        half = 2.3646242510102993 * (sum((total - mean) ** 2 for total in totals) / 7) ** 0.5 * 8 ** 0.5
        for found, expected in zip(judged["shares"]["blocks"], (sum(shares) - half, sum(shares) + half)):
            self.assertAlmostEqual(found, expected / n, delta=1e-9)
        self.assertIsNone(judged["range"])
        self.assertIn("of what it costs not to buy (95 % range", judged["says"])
        self.ok("report", self.folder / "result.json", "-o", self.folder / "page.html")
        self.assertIn("as a share of what it costs not to buy, the difference is", (self.folder / "page.html").read_text())

    def test_a_purchase_needs_a_price_of_not_buying(self):
        done = hannan("compare", "vcg-reserves", "-d", LOGS / "tenders.csv", "--format", "long", *TENDERS, "--where", "currency=USD", "--reverse",
                      "--payment", "second-price")
        self.assertEqual(done.status, 2)
        self.assertIn(b"--scale", done.err)


if __name__ == "__main__":
    main()
