"""The page of a comparison as it is seen in ten seconds: what was earned, against what, what to do."""
import datetime
import json
import random
import re
import subprocess
import sys
import unittest
from urllib.parse import unquote

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
        hannan("compare", problem, *args, "-o", folder / f"{name}.json", "-q")
        hannan("report", folder / f"{name}.json", "--title", "Reserve prices for site-a", "-o", folder / f"{name}.html", "-q")

    def of_log(name, path, *args):
        page(name, "vcg-reserves", *PRICES, "-d", path, *LOG, "--timestamp", "at", *args)

    wins, loses = write_log(folder / "wins.csv", 900, single_bidders), write_log(folder / "loses.csv", 800, close_bids)
    of_log("better", wins)
    of_log("keep", loses)
    of_log("unsure", write_log(folder / "unsure.csv", 160, heavy_tails, seed=9))
    of_log("early", write_log(folder / "early.csv", 12, single_bidders))
    of_log("rival", loses, "--fixed", "twelve=[11,11,11,11]")
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
    page("bids", "first-price-bidding", "-d", write_own(folder / "own.csv"), "--format", "long", "--round", "none", "--bid", "price", "--value", "worth")
    slope = ["size,age,ours,good"] + [f"{a},{b},{'yes' if a > 50 else 'no'},{'yes' if a + b > 99 else 'no'}" for a, b in ((t * 37 % 101, t * 53 % 97) for t in range(400))]
    (folder / "slope.csv").write_text("\n".join(slope) + "\n")
    rule = ["classification", "--from", folder / "slope.csv", "--param", "label=good", "--param", "hypotheses=stumps"]
    page("mistakes", *rule, "--as-logged", "ours")
    page("rule", *rule, "--drop", "ours")
    page("limits", "item-pricing", "--payment", "posted", "-d", folder / "shelf.csv", "--format", "wide", "--choice", "choice", "--currency", "USD")


def setUpModule():
    chromium.set_up(make_pages)


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


MONEY, PERCENT = r"[\d,]+(\.\d\d)? USD", r"[\d.]+ %"


class Sentences(Page):
    def test_each_state_has_its_sentence_its_advice_and_its_colour(self):
        signed = r"[+−][\d,]+(\.\d\d)?"
        ranged = rf"With 95 % certainty the difference lies between {signed} and {signed} USD \([+−]{PERCENT} to [+−]{PERCENT}\)\.$"
        for name, advice, says, lede, colour in (
                ("better", "✓Recommended: use the learned prices", rf"Learned prices would have earned {MONEY} more than you did: \+{PERCENT}", ranged, "--better"),
                ("worse", "✕Recommended: keep what you do", rf"Learned prices would have earned {MONEY} less than you did: −{PERCENT}", ranged, "--worse"),
                ("keep", "=Recommended: keep what you do", rf"Nothing worth a change: learned prices would have earned {MONEY} less than you did: −{PERCENT}", ranged, "--unsure"),
                ("unsure", "?Recommended: keep what you do; this log cannot tell", rf"No clear difference: {MONEY} more than you did, \+{PERCENT}, may be chance", ranged, "--unsure"),
                ("early", "?Too early to tell", "12 auctions are too few for a judgement", "From 40 auctions on", "--unsure"),
                ("hidden", "?Recommended: keep what you do; this log cannot tell", "This log cannot tell: more than a tenth of its money is not in these figures",
                 "decides nothing", "--unsure"),
                ("costs", "✓Recommended: use the learned choice", rf"The learned choice would have saved [\d,.]+ against “today”: {PERCENT} less cost", r"^[\d,]+ instead of [\d,]+\. With 95 % certainty", "--better"),
                ("alone", "?Nothing to compare with", r"The learned choice cost [\d,.]+, the best fixed choice, known only afterwards, [\d,.]+", "--fixed", "--unsure")):
            with self.subTest(name=name):
                self.open(name)
                self.assertEqual(self.text(".advice"), advice)
                self.assertRegex(self.text("h1"), f"^{says}$")
                self.assertRegex(self.text(".lede"), lede)
                self.assertEqual(self.colour(".advice", "backgroundColor"), self.token(colour))
                self.assertEqual(len(self.texts("h1")), 1)

    def test_the_figures_are_those_of_the_comparison_rounded_as_money_is(self):
        self.open("better")
        ours, = (p for p in self.result("better")["players"] if p["name"] == "flipflop")
        base, = (p for p in self.result("better")["players"] if p["name"] == "as logged")
        judged = ours["judgement"]
        self.assertIn(f"{judged['gain']:,.0f} USD more", self.text("h1"))
        self.assertIn(f"+{100 * judged['gain'] / base['money']:.1f} %", self.text("h1"))
        self.assertIn(f"{ours['money']:,.0f} USD instead of {base['money']:,.0f} USD", self.text(".lede"))
        self.assertIn(f"+{judged['range'][0]:,.0f} and +{judged['range'][1]:,.0f} USD", self.text(".lede"))
        self.assertEqual(self.driver.title.replace("\u00a0", " "),
                         f"Use the learned prices: +{judged['gain']:,.0f} USD (+{100 * judged['gain'] / base['money']:.1f} %) · Reserve prices for site-a")
        self.assertEqual(self.text("header"), "Reserve prices for site-a1 March to 31 May 2026 · 900 auctions")

    def test_the_sentence_is_there_without_scripts(self):
        self.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
        try:
            self.driver.get((self.folder / "hidden.html").as_uri())
            shown = self.driver.find_element("tag name", "body").text.replace("\u00a0", " ")
        finally:
            self.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
        warning, advice, says = (shown.index(text) for text in ("of the money in your log is not in these figures", "Recommended: keep what you do", "This log cannot tell:"))
        self.assertTrue(warning < advice < says, shown)

    def test_pages_have_no_exponents_no_endless_decimals_and_no_words_of_the_theory_in_sight(self):
        for name in ("better", "worse", "keep", "unsure", "early", "hidden", "costs"):
            self.open(name)
            shown = self.js("return document.querySelector('main').innerText")  # without what is closed
            shown = shown.replace(str(self.folder), "")  # a name that chance has given
            self.assertNotRegex(shown, r"\d[eE][+-]?\d|\d\.\d{4,}|NaN|undefined|Infinity", name)
            self.assertNotRegex(shown, r"(?i)\b(oracle|regret|bootstrap|flipflop|hedge|vcg|monopoly|certificate|eta|seed)\b", name)
            for money in re.findall(r"\d[\d,.]*(?= USD)", shown.replace("\u00a0", " ")):
                self.assertRegex(money, r"^(\d|\d{2,3}(,\d{3})*|\d(,\d{3})+|\d{1,3}(,\d{3})*\.\d\d)$", name)


class Open(Page):
    """Logs that leave something open."""

    def test_what_was_paid_and_limits_of_gains_stand_in_the_sentence(self):
        self.open("paid")
        paid = sum(3_993_062_000_000 + t for t in range(60))
        self.assertEqual(self.text("h1"), f"This log cannot tell: suppliers were paid {paid:,} JPY, their own bids")
        self.assertEqual(self.texts(".strip"), [])
        self.open("limits")
        self.assertRegex(self.text("h1"), rf"This log cannot tell: learned prices would have earned between {MONEY} less and {MONEY} more than you did: −{PERCENT} to \+{PERCENT}")

    def test_large_sums_stay_inside_the_page(self):
        for width in (1280, 390):
            self.open("paid", width=width)
            self.assertLessEqual(self.js("return document.documentElement.scrollWidth"), width)
            lefts = self.js("return [...document.querySelectorAll('.gain .y')].map((e) => e.getBoundingClientRect().left)")
            self.assertGreater(len(lefts), 1)
            self.assertGreaterEqual(min(lefts), 0, width)


class Words(Page):
    def test_a_classification_counts_whole_mistakes(self):
        self.open("mistakes")
        players = {p["name"]: p["money"] for p in self.result("mistakes")["players"]}
        more = round(players["flipflop"] - players["as logged"])
        self.assertEqual(self.text("h1"), f"Nothing worth a change: the learned rule would have made {more} more mistakes than you did: {100 * more / players['as logged']:.1f} % more")
        self.assertIn(f"{players['flipflop']:.0f} mistakes instead of {players['as logged']:.0f}.", self.text(".lede"))
        self.assertEqual(self.texts(".ranking thead th")[1], "Mistakes")
        for row in self.texts(".ranking tbody tr"):
            self.assertNotRegex(row.replace(" %", "%"), r"\d\.\d(?!\d*%)", row)  # whole but for percents
            self.assertRegex(row, r"\d+\.\d % → \d+\.\d %$")
        self.assertIn("Another method errs less.", self.text("aside"))
        self.open("rule")
        self.assertRegex(self.text("h1"), r"^The learned rule made \d+ mistakes, the best fixed rule, known only afterwards, \d+$")
        self.assertIn("--as-logged", self.text(".lede"))

    def test_bids_are_shares_of_the_value_and_goods_have_their_names(self):
        self.open("bids")
        self.assertEqual(self.text(".advice"), "✓Recommended: use the learned bids")
        factor = self.result("bids")["params"]["grids"][0][self.result("bids")["players"][0]["final_action"][0]]
        self.assertEqual(self.texts(".charts .now"), [f"{100 * factor:g} % of the value"])
        self.open("limits")
        self.assertEqual(self.texts(".charts h3"), ["blue", "red"])

    def test_which_of_few_was_chosen_stands_in_rows(self):
        self.open("costs")
        self.assertEqual(self.texts(".chosen dt"), ["a", "b", "c"])
        shares = [int(text.removesuffix(" %")) for text in self.texts(".chosen dd > span:last-child")]
        self.assertAlmostEqual(sum(shares), 100, delta=2)
        parts = self.js("return [...document.querySelectorAll('.chosen .track')].map((t) => [...t.children].reduce((sum, e) => sum + e.getBoundingClientRect().width, 0) / t.clientWidth)")
        for share, part in zip(shares, parts):
            self.assertAlmostEqual(share / 100, part, delta=0.02)

    def test_a_file_is_offered_only_where_it_is_recommended(self):
        for name in ("better", "bids"):
            self.open(name)
            link, file = self.js("const a = document.querySelector('main a.button'); return [a.getAttribute('href'), a.download]")
            rows = unquote(link.removeprefix("data:text/csv;charset=utf-8,")).splitlines()
            self.assertTrue(file.endswith(".csv"))
            self.assertEqual(rows[0].split(",")[-3:], ["currency", "decision", "verdict"])
            self.assertTrue(all(row.endswith(",next,deploy") for row in rows[1:]), rows)
        self.open("better")
        self.assertEqual([row.split(",")[1] + " USD" for row in unquote(self.js("return document.querySelector('main a.button').href").split(",", 1)[1]).splitlines()[1:]],
                         [f"{float(text.removesuffix(' USD')):g} USD" for text in self.texts(".charts .now")])
        for name in ("worse", "keep", "unsure", "early", "hidden", "limits", "costs"):
            self.open(name)
            self.assertEqual(self.texts("main a.button"), [], name)


class Order(Page):
    def test_hidden_money_stands_before_all_results(self):
        for name, share in (("hidden", r"\d\d\.\d"), ("warned", r"\d\.\d")):
            self.open(name)
            tops = [self.js("return document.querySelector(arguments[0]).getBoundingClientRect().top", one) for one in (".warns.serious", "h1", ".gain", ".ranking")]
            self.assertEqual(tops, sorted(tops), name)
            self.assertRegex(self.text(".warns.serious .head"), rf"^▲ {share} % of the money in your log is not in these figures$")
        self.open("better")
        self.assertEqual(self.texts(".warns.serious"), [])

    def test_the_first_screen_has_sentence_strip_chart_and_warnings(self):
        for name in ("better", "worse", "keep", "unsure", "costs"):
            self.open(name)
            for part in ("h1", ".lede", ".strip", ".gain", ".warns"):
                box = self.js("const b = document.querySelector(arguments[0]).getBoundingClientRect(); return [b.top, b.bottom, b.width]", part)
                self.assertGreater(box[2], 100, (name, part))
                self.assertLessEqual(box[1], 800, (name, part))

    def test_other_warnings_say_what_was_left_out_and_that_it_is_a_replay(self):
        self.open("hidden")
        self.assertIn("There are no dates in the data.", self.text("aside"))
        self.assertIn("This is a replay", self.text("aside"))
        self.open("better")
        self.assertNotIn("no dates", self.text("aside"))
        self.assertIn("One thing to know about the data", self.text("aside"))

    def test_theory_is_closed_at_first_and_each_part_of_it_has_a_sentence(self):
        self.open("better")
        self.assertEqual(self.js("return [...document.querySelectorAll('details.fold')].map((d) => [d.querySelector('h2').textContent, d.open])"),
                         [["How sure is this?", False], ["Technical details", False]])
        self.js("document.querySelectorAll('details.fold').forEach((d) => { d.open = true })")
        chromium.until(lambda: self.js("return figures.every((f) => f.graph || !f.root.closest('details.fold'))"))
        heads = self.js("return [...document.querySelectorAll('details.fold .sub-head')].map((h) => [h.textContent, h.nextElementSibling?.className === 'about' ? h.nextElementSibling.textContent : ''])")
        told = dict(heads)
        for title in ("Regret of the learners against their bounds", "Noise rate", "Oracle calls", "Certificate of flipflop"):
            self.assertRegex(told[title], r"^[A-Z][^.]{20,}\.", title)
        points = self.texts("details.fold:first-of-type .points dt")
        self.assertEqual(points, ["The range.", "Days like these.", "What could have been.", "The promise.", "Not checked here."])


class Sides(Page):
    def test_better_is_right_and_of_one_colour_for_money_and_for_costs(self):
        for name in ("better", "rival", "costs"):
            self.open(name)
            rows = self.js("""return [...document.querySelectorAll('.ranking tbody tr:not(.base)')].map((row) => {
                const fill = row.querySelector('.fill').getBoundingClientRect(), cell = row.querySelector('.bars'), box = cell.getBoundingClientRect();
                const zero = box.left + box.width * parseFloat(cell.style.getPropertyValue('--zero')) / 100;
                return [row.querySelector('.more').textContent, fill.left - zero, fill.right - zero, getComputedStyle(row.querySelector('.fill')).backgroundColor, row.className] })""")
            kinds = {"better": self.token("--better"), "worse": self.token("--worse"), "unsure": self.token("--unsure")}
            self.assertGreater(len(rows), 1)
            for more, left, right, fill, kind in rows:
                if "after" not in kind:
                    self.assertEqual("#" + "".join(f"{int(p):02x}" for p in re.findall(r"\d+", fill)[:3]), kinds[kind.split()[0]], (name, more))
                if more.startswith("+"):
                    self.assertGreaterEqual(left, -1.5, (name, more))
                elif more.startswith("−"):
                    self.assertLessEqual(right, 1.5, (name, more))
        less = {p["name"]: p["money"] for p in self.result("costs")["players"]}
        self.assertLess(less["flipflop"], less["today"])  # less cost, and yet to the right
        self.assertTrue(self.text(".ranking tr.mine .more").startswith("+"))

    def test_a_bad_rival_does_not_flatten_the_others(self):
        self.open("rival")
        share = self.js("""const box = [...document.querySelectorAll('.gain')].at(-1), line = box.querySelector('.line.i0').getBBox(); return line.height / 1000""")
        self.assertGreater(share, 0.15)
        gone = self.text(".gain .gone")
        self.assertRegex(gone, r"↓ twelve: −[\d,]+ USD, off the scale$")
        row = self.js("const row = [...document.querySelectorAll('.ranking tbody tr')].find((r) => r.textContent.startsWith('twelve')); return [row.querySelectorAll('.jag').length, row.textContent]")
        self.assertEqual(row[0], 1)
        amount = re.search(r"−[\d,]+ USD", gone)[0].removesuffix(" USD")
        self.assertIn(amount, row[1].replace("\u00a0", " "))
        own = self.js("const b = document.querySelector('.ranking tr.mine .fill').getBoundingClientRect(), c = document.querySelector('.ranking td.bars').getBoundingClientRect(); return b.width / c.width")
        self.assertGreater(own, 0.02)

    def test_a_rival_that_wins_is_named_above_the_table(self):
        self.open("better")
        rows = self.texts(".ranking tbody th")
        order = [p["over_baseline"] for p in sorted(self.result("better")["players"], key=lambda p: -p["over_baseline"]) if p["role"] != "hindsight"]
        self.assertEqual(order, sorted(order, reverse=True))
        best = max((p for p in self.result("better")["players"] if p["role"] == "rival"), key=lambda p: p["over_baseline"])
        ours = self.result("better")["players"][0]
        says = self.js("return document.querySelector('.ranking').previousElementSibling.textContent")
        names = {"uniform, learned": "One price for all, learned", "monopoly price": "Best past price per buyer"}
        inside = {"uniform, learned": "one learned price for all", "monopoly price": "best past price per buyer"}
        self.assertIn(inside[best["name"]], says.lower())
        self.assertIn("ahead of" if best["over_baseline"] >= ours["over_baseline"] else "behind", says)
        self.assertTrue(any(row.startswith(names[best["name"]]) for row in rows))

    def test_the_strip_shows_the_range_against_zero(self):
        for name, inside in (("better", False), ("unsure", True), ("worse", False)):
            for width in (1280, 360):
                self.open(name, width=width)
                zero, low, high, labels = self.js("""const s = document.querySelector('.strip'), box = (q) => s.querySelector(q).getBoundingClientRect(), r = box('.range');
                    return [box('.zero').left + 1, r.left, r.right, [...s.querySelectorAll('.below')].map((e) => { const b = e.getBoundingClientRect(); return [b.left, b.right, b.top] })]""")
                self.assertEqual(low < zero < high, inside, name)
                self.assertEqual(zero < low, name == "better")
                (a, b, top), (c, d, other) = labels
                self.assertTrue(b <= c or d <= a or top != other, "labels do not overlap")
                self.assertTrue(min(a, c) >= 0 and max(b, d) <= width)


def lab(text):
    """CIE L*a*b* of #rrggbb under D65."""
    linear = [(v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4) for v in (int(text[k:k + 2], 16) / 255 for k in (1, 3, 5))]
    xyz = [sum(w * v for w, v in zip(row, linear)) for row in ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505))]
    x, y, z = (t ** (1 / 3) if t > 216 / 24389 else (24389 / 27 * t + 16) / 116 for t in (v / n for v, n in zip(xyz, (0.9505, 1, 1.089))))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


class Charts(Page):
    def test_series_have_colours_far_apart_dashes_and_marks(self):
        for scheme in ("light", "dark"):
            self.open("rival", scheme=scheme)
            lines = self.js("return [...[...document.querySelectorAll('.gain')].at(-1).querySelectorAll('.line')].map((l) => [getComputedStyle(l).stroke, l.getAttribute('stroke-dasharray'), getComputedStyle(l).strokeWidth])")
            self.assertGreaterEqual(len(lines), 4)
            colours = ["#" + "".join(f"{int(p):02x}" for p in re.findall(r"\d+", stroke)[:3]) for stroke, _, _ in lines]
            for i, one in enumerate(colours):
                for other in colours[:i]:
                    self.assertGreater(sum((a - b) ** 2 for a, b in zip(lab(one), lab(other))) ** 0.5, 30, (scheme, one, other))
            self.assertEqual(len({dash for _, dash, _ in lines}), len(lines))
            self.assertEqual(colours[-1], self.token("--s1"))  # the learner, drawn last, on top
            self.assertEqual(lines[-1][2], "3px")
            marks = set(self.texts(".gain .name i") + self.texts(".gain .gone i"))
            self.assertEqual(len(marks), len(lines))

    def test_names_at_the_ends_of_lines_never_overlap(self):
        for name in ("better", "rival", "costs"):
            self.open(name)
            boxes = self.js("return [...document.querySelectorAll('.gain .name')].map((e) => { const b = e.getBoundingClientRect(); return [b.top, b.bottom] }).sort((a, b) => a[0] - b[0])")
            self.assertTrue(all(a[1] <= b[0] + 1 for a, b in zip(boxes, boxes[1:])), boxes)

    def test_labels_inside_charts_cover_neither_each_other_nor_ticks(self):
        for name in ("better", "worse", "keep", "unsure", "rival", "costs", "paid", "bids", "mistakes"):
            for width in (1280, 390):
                self.open(name, width=width)
                chromium.until(lambda: self.js("return [...document.querySelectorAll('.gain .inside')].every((e) => e.style.top !== '')"))
                for plot in self.js("""return [...document.querySelectorAll('.gain')].map((plot) => [...plot.querySelectorAll('.inside, .x, .y')]
                        .filter((e) => e.offsetParent).map((e) => { const b = e.getBoundingClientRect(); return [e.className, b.left, b.right, b.top, b.bottom] }))"""):
                    for i, (one, a, b, c, d) in enumerate(plot):
                        for other, e, f, g, h in plot[:i]:
                            if "inside" in one or "inside" in other:
                                self.assertTrue(b <= e + 1 or f <= a + 1 or d <= g + 1 or h <= c + 1, (name, width, one, other))

    def test_the_last_value_does_not_cover_its_line(self):
        for name in ("better", "worse", "costs", "paid", "bids"):
            self.open(name)
            chromium.until(lambda: self.js("return document.querySelector('.first .gain .inside').style.top !== ''"))
            covered = self.js("""const plot = document.querySelector('.first .gain'), box = plot.getBoundingClientRect(), label = plot.querySelector('.inside').getBoundingClientRect();
                return [...plot.querySelector('.line').getAttribute('d').matchAll(/[ML]([-\\d.]+) ([-\\d.]+)/g)].map((m) => [box.left + m[1] * box.width / 1000, box.top + m[2] * box.height / 1000])
                    .filter(([x, y]) => x > label.left && x < label.right && y > label.top && y < label.bottom).length""")
            self.assertEqual(covered, 0, name)

    def test_means_of_a_round_stand_on_one_line_and_money_has_two_decimals(self):
        for name in ("better", "worse", "bids", "mistakes"):
            self.open(name)
            for text, high in self.js("return [...document.querySelectorAll('.ranking tbody td:last-child span')].map((e) => [e.textContent, e.getClientRects().length])"):
                self.assertEqual(high, 1, (name, text))
                self.assertNotRegex(text, r"[1-9]\d*\.\d{3}|0\.[1-9]\d\d|0\.0[1-9]\d", name)

    def test_dates_stand_on_the_x_axis_where_the_log_has_them(self):
        from selenium.webdriver.common.keys import Keys
        self.open("better")
        self.assertEqual(self.texts(".first .gain .x"), ["1 Mar", "15 Mar", "1 Apr", "15 Apr", "1 May", "15 May"])
        places = self.js("return [...document.querySelectorAll('.first .gain .x')].map((e) => parseFloat(e.style.left))")
        days = [0, 14, 31, 45, 61, 75]
        for place, day in zip(places, days):
            self.assertAlmostEqual(place, 100 * day / 91.9, delta=1)
        plot = self.driver.find_element("css selector", ".first .gain")
        plot.send_keys(Keys.HOME)
        self.assertTrue(self.text(".first .tip").startswith("1 Mar 2026, auction "), self.text(".first .tip"))
        plot.send_keys(Keys.END)
        self.assertTrue(self.text(".first .tip").startswith("31 May 2026, auction 900\n+"), self.text(".first .tip"))
        self.assertIn("\n95 % range +", self.text(".first .tip"))
        self.open("nodates")
        ticks = self.texts(".first .gain .x")
        self.assertRegex(ticks[0], r"^auction \d00$")
        self.assertTrue(all(re.fullmatch(r"\d00", tick) for tick in ticks[1:]), ticks)

    def test_pointer_and_table_read_the_same_numbers(self):
        from selenium.webdriver.common.action_chains import ActionChains
        self.open("better")
        plot = self.driver.find_element("css selector", ".first .gain")
        ActionChains(self.driver, duration=50).move_to_element(plot).perform()
        self.assertRegex(self.text(".first .tip"), r"^1[567] Apr 2026, auction 4\d\d\n\+[\d,]+ USD\n95 % range [+−][\d,.]+ to \+[\d,]+$")
        self.js("document.querySelector('.first .numbers').open = true")
        chromium.until(lambda: self.js("return document.querySelectorAll('.first .numbers tbody tr').length") > 8)
        last = self.js("return [...document.querySelectorAll('.first .numbers tbody tr')].at(-1).innerText").replace("\u00a0", " ")
        gain = self.result("better")["players"][0]["judgement"]["gain"]
        self.assertRegex(last, rf"31 May 2026, auction 900\s+\+{gain:,.0f}\s")

    def test_the_range_of_the_chart_ends_as_the_one_that_decides(self):
        for name in ("better", "keep", "unsure"):
            judged = self.result(name)["players"][0]["judgement"]
            self.open(name)
            low, high = self.js("const d = JSON.parse(document.getElementById('data').textContent).sections[0].blocks.find((b) => b.block === 'beside').main[0].band; return [d.low.at(-1), d.high.at(-1)]")
            for found, expected in zip((low, high), judged["blocks" if judged["recommendation"] == "keep" else "range"]):
                self.assertAlmostEqual(found, expected, delta=1e-5 * abs(expected))


class Phones(Page):
    def test_tables_are_cards_and_nothing_scrolls_sideways(self):
        for name in ("better", "worse", "hidden", "rival", "costs", "early"):
            for width in (390, 360, 320):
                self.open(name, width=width)
                self.js("document.querySelectorAll('details.fold').forEach((d) => { d.open = true })")
                self.assertLessEqual(self.js("return document.documentElement.scrollWidth"), width, name)
                cards = self.js("return [...document.querySelectorAll('.ranking tbody tr')].map((r) => { const b = r.getBoundingClientRect(); return [b.left, b.right, getComputedStyle(r).display, r.scrollWidth - r.clientWidth] })")
                for left, right, display, over in cards:
                    self.assertTrue(0 <= left and right <= width and display == "grid" and over <= 0, (name, width))
                labels = self.js("return [...document.querySelectorAll('.ranking tbody td[data-label]')].map((c) => getComputedStyle(c, '::before').content)")
                self.assertTrue(labels and all(len(label) > 3 for label in labels))
            self.assertEqual(self.js("return document.querySelector('.ranking thead').offsetHeight"), 1)

    def test_names_of_lines_become_a_legend(self):
        self.open("rival", width=390)
        self.assertEqual(self.js("return [...document.querySelectorAll('.gain .name')].filter((e) => e.offsetParent).length"), 0)
        self.assertGreaterEqual(self.js("return [...document.querySelectorAll('.legend li')].filter((e) => e.offsetParent).length"), 4)
        self.open("rival")
        self.assertEqual(self.js("return [...document.querySelectorAll('.legend li')].filter((e) => e.offsetParent).length"), 0)


if __name__ == "__main__":
    if chromium.missing():
        print("SKIPPED: no browser to test pages in; missing:", ", ".join(chromium.missing()), "(scripts/setup --tests installs them)")
        sys.exit(chromium.SKIPPED)
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]], verbosity=2)
