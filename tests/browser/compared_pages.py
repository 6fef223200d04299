"""Pages of comparisons for tests: one for each state, each from a log that was made up for it."""
import datetime
import json
import random
import re
import subprocess
import sys
import unittest

import chromium

PROGRAM = sys.argv[1] if len(sys.argv) > 1 else "hannan"
PRICES = ["--param", "prices=0,0.5,1,1.5,2,2.5,3,4,5,6,8,12", "--param", "rule=lazy"]
LOG = ["--format", "long", "--round", "auction", "--bidder", "buyer", "--bid", "amount", "--currency", "USD"]


def hannan(*args):
    done = subprocess.run([PROGRAM, *map(str, args)], capture_output=True, timeout=120)
    assert done.returncode == 0, (args, done.stderr)


def single_bidders(coins, _):
    """Many auctions with one bidder, which bring nothing without a reserve."""
    return [(who, coins.lognormvariate(1.2, 0.5)) for who in coins.sample(["north", "south", "east", "west"], coins.choice([1, 1, 2, 3]))]


def close_bids(coins, share):
    """Four bids close to each other, and falling: a reserve can win next to nothing."""
    return [(who, coins.lognormvariate(1.2 - 0.9 * share, 0.25)) for who in ("north", "south", "east", "west")]


def heavy_tails(coins, _):
    bid = min(60, coins.paretovariate(1.3))
    return [("north", bid)] + ([("south", bid * coins.uniform(0.3, 1))] if coins.random() < 0.9 else [])


def many_bidders(coins, _):
    return [(f"b{coins.randrange(40)}", coins.lognormvariate(1, 0.6)) for _ in range(3)]


def write_log(path, rounds, bids, seed=1):
    """From 1 March to 31 May 2026."""
    coins, rows = random.Random(seed), ["auction,buyer,amount,at"]
    for t in range(rounds):
        at = datetime.datetime(2026, 3, 1) + datetime.timedelta(days=91.9 * t / rounds)
        rows += [f"{t},{who},{bid:.2f},{at.isoformat(sep=' ', timespec='seconds')}" for who, bid in bids(coins, t / rounds)]
    path.write_text("\n".join(rows) + "\n")
    return path


def write_own(path):
    """One bidder's log: what it paid, and what winning was worth to it, often less."""
    coins, rows = random.Random(3), ["price,worth"]
    for _ in range(2000):
        worth = coins.uniform(20, 100)
        rows.append(f"{worth * coins.uniform(0.2, 2):.2f},{worth:.2f}")
    path.write_text("\n".join(rows) + "\n")
    return path


def make_pages(folder):
    """A page per state, each from a log that was made up for it."""
    def page(name, problem, *args):
        # The pages of a single learner; that of a portfolio is in tests/cli/compared_portfolio_test.py.
        who = [] if "-l" in args else ["-l", "flipflop"]
        hannan("compare", problem, *args, *who, "-o", folder / f"{name}.json", "-q")
        hannan("report", folder / f"{name}.json", "--title", "Reserve prices for site-a", "-o", folder / f"{name}.html", "-q")

    def of_log(name, path, *args):
        page(name, "vcg-reserves", *PRICES, "-d", path, *LOG, "--timestamp", "at", *args)

    wins, loses = write_log(folder / "wins.csv", 900, single_bidders), write_log(folder / "loses.csv", 800, close_bids)
    of_log("better", wins)
    of_log("keep", loses)
    of_log("unsure", write_log(folder / "unsure.csv", 160, heavy_tails, seed=9))
    of_log("early", write_log(folder / "early.csv", 12, single_bidders))
    of_log("rival", loses, "--fixed", "twelve=[11,11,11,11]")
    far = [part for name, level in (("twelve dollars for every buyer", 11), ("eight dollars for every buyer", 10)) for part in ("--fixed", f"{name}={[level] * 4}")]
    hannan("compare", "vcg-reserves", *PRICES, "-d", loses, *LOG, *far, "-l", "leader", "-o", folder / "far.json", "-q")
    result = json.loads((folder / "far.json").read_text())
    result["players"] = [p for p in result["players"] if p["name"] not in ("uniform, learned", "monopoly price", "uniform, best")]  # both are drawn
    (folder / "far.json").write_text(json.dumps(result))
    hannan("report", folder / "far.json", "-o", folder / "far.html", "-q")
    page("nodates", "vcg-reserves", *PRICES, "-d", wins, *LOG)
    levels = ["vcg-reserves", "--param", "levels=20", "--param", "rule=lazy", "-d", loses, *LOG, "--timestamp", "at", "--cap", "12"]
    page("worse", *levels, "-l", "gftpl:c=1000")
    many = write_log(folder / "many.csv", 400, many_bidders)
    pooled = ["vcg-reserves", "--param", "levels=20", "--param", "rule=lazy", "-d", many, *LOG]
    page("hidden", *pooled, "-n", "10", "--rest-slots", "1", "--cap", "12", "--accept-hidden")
    page("warned", *pooled, "-n", "40", "--cap", "8")
    coins, rows = random.Random(5), ["a,b,c"]
    rows += [f"{coins.random() * 0.5:.4f},{coins.random() * 0.7:.4f},{min(1, coins.random() * (0.4 + 0.6 * t / 800)):.4f}" for t in range(800)]
    (folder / "losses.csv").write_text("\n".join(rows) + "\n")
    page("costs", "experts", "-d", folder / "losses.csv", "--fixed", "today=2", "--fixed", "flat=1")
    page("alone", "experts", "-d", folder / "losses.csv")
    tenders = ["round,bidder,bid,won"]
    for t in range(60):
        tenders += [f"{t},a,{3_993_062_000_000 + t},1", f"{t},b,{4_993_062_000_000 + 7 * t},0"]
    (folder / "tenders.csv").write_text("\n".join(tenders) + "\n")
    page("paid", "vcg-reserves", "-d", folder / "tenders.csv", "--format", "long", "--won", "won", "--payment", "pay-as-bid", "--reverse", "--currency", "JPY")
    shelf = ["price.red,price.blue,choice"] + [f"1.{t % 4}9,1.29,{'red' if t % 3 else 'blue'}" for t in range(120)]
    (folder / "shelf.csv").write_text("\n".join(shelf) + "\n")
    page("bids", "first-price-bidding", "-d", write_own(folder / "own.csv"), "--format", "long", "--round", "none", "--bid", "price", "--paid", "price", "--value", "worth")
    slope = ["size,age,ours,good"] + [f"{a},{b},{'yes' if a > 50 else 'no'},{'yes' if a + b > 99 else 'no'}" for a, b in ((t * 37 % 101, t * 53 % 97) for t in range(400))]
    (folder / "slope.csv").write_text("\n".join(slope) + "\n")
    rule = ["classification", "--from", folder / "slope.csv", "--param", "label=good", "--param", "hypotheses=stumps"]
    page("mistakes", *rule, "--as-logged", "ours")
    page("rule", *rule, "--drop", "ours")
    page("choice", "item-pricing", "--payment", "posted", "-d", folder / "shelf.csv", "--format", "wide", "--choice", "choice", "--currency", "USD")
    offers = ["visit,good,price,sold"] + [line for t in range(120) for line in (f"{t},red,1.{t % 4}9,{int(t % 3 > 0)}", f"{t},blue,1.{(t + 1) % 3}9,{int(t % 5 > 2)}")]
    (folder / "offers.csv").write_text("\n".join(offers) + "\n")
    page("limits", "item-pricing", "--payment", "posted", "-d", folder / "offers.csv", "--format", "long", "--round", "visit", "--item", "good", "--bid", "price",
         "--won", "sold", "--currency", "USD")


class Page(chromium.PageTest):
    def open(self, name, width=1280, height=800, scheme="light"):
        chromium.size(self.driver, width, height)
        chromium.scheme(self.driver, scheme)
        self.driver.get_log("browser")
        self.driver.get((self.folder / f"{name}.html").as_uri())
        self.assertEqual(self.driver.get_log("browser"), [], name)

    def text(self, selector):
        return self.js("return document.querySelector(arguments[0]).textContent.replace(/\\u00a0/g, ' ')", selector)

    def texts(self, selector):
        return self.js("return [...document.querySelectorAll(arguments[0])].map((e) => e.textContent.replace(/\\u00a0/g, ' '))", selector)

    def colour(self, selector, what):
        """A computed colour as the page's tokens are written: #rrggbb."""
        found = self.js("return getComputedStyle(document.querySelector(arguments[0]))[arguments[1]]", selector, what)
        return "#" + "".join(f"{int(part):02x}" for part in re.findall(r"\d+", found)[:3])

    def token(self, name):
        return self.js("return colour(arguments[0])", name)

    def result(self, name):
        return json.loads((self.folder / f"{name}.json").read_text())


def main():
    if chromium.missing():
        print("SKIPPED: no browser to test pages in; missing:", ", ".join(chromium.missing()), "(scripts/setup --tests installs them)")
        sys.exit(chromium.SKIPPED)
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]], verbosity=2)
