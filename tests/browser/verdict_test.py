"""The page of a comparison as it is seen in ten seconds: what was earned, against what, what to do."""
import re
from urllib.parse import unquote

import chromium
from compared_pages import Page, main, make_pages

MONEY, PERCENT = r"[\d,]+(\.\d\d)? USD", r"[\d.]+ %"


class Sentences(Page):
    def test_each_state_has_its_sentence_its_advice_and_its_colour(self):
        signed = r"[+−][\d,]+(\.\d\d)?"
        ranged = rf"On average such decisions gain between {signed} and {signed} USD \([+−]{PERCENT} to [+−]{PERCENT}\) over as many auctions \(95 % range\)\.$"
        for name, advice, says, lede, colour in (
                ("better", "✓Recommended: use the learned prices", rf"Learned prices would have earned {MONEY} more than you did: \+{PERCENT}", ranged, "--better"),
                ("worse", "✕Recommended: keep what you do", rf"Learned prices would have earned {MONEY} less than you did: −{PERCENT}", ranged, "--worse"),
                ("keep", "=Recommended: keep what you do", rf"Nothing worth a change: learned prices would have earned {MONEY} less than you did: −{PERCENT}", ranged, "--unsure"),
                ("unsure", "?Recommended: keep what you do; this log cannot tell", rf"No clear difference: {MONEY} more than you did, \+{PERCENT}, may be chance", ranged, "--unsure"),
                ("early", "?Too early to tell", "12 auctions are too few for a judgement", "From 40 auctions on", "--unsure"),
                ("hidden", "?Recommended: keep what you do; this log cannot tell", "This log cannot tell: more than a tenth of its money is not in these figures",
                 "decides nothing", "--unsure"),
                ("costs", "✓Recommended: use the learned choice", rf"The learned choice would have lost [\d,.]+ less than “today”: {PERCENT} less", r"^A loss of [\d,]+ instead of [\d,]+\. On average such decisions lose between [\d,.]+ less and [\d,.]+ less over as many rounds \(95 % range\)\. Losses are added up as they stand in the data\.$", "--better"),
                ("alone", "?Nothing to compare with", r"The learned choice lost [\d,]+\.\d\d, the best fixed choice, known only afterwards, [\d,]+\.\d\d", "^The data do not say what is done today.* Losses are added up", "--unsure")):
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
        for name in ("better", "worse", "keep", "unsure", "early", "hidden", "costs", "alone", "mistakes", "rule", "bids", "limits", "paid"):
            self.open(name)
            shown = self.driver.title + " " + self.js("return document.querySelector('main').innerText")  # without what is closed
            self.assertNotRegex(shown.replace(" --floors FILE", ""), r"(?i)(?<!\w)--[a-z]|\b(stumps?|decimated|quantiles?|hindsight)\b", name)
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
        self.open("choice")
        self.assertEqual(self.text("h1"), "This log cannot tell: 151 USD was earned, and of other prices it says nothing")
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
        self.assertIn("nothing to compare with", self.text(".lede"))

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
        self.assertIn("Dates are not shown. No column was named as the time", self.text("aside"))
        self.assertIn("This is a replay", self.text("aside"))
        self.open("better")
        self.assertNotIn("Dates are not", self.text("aside"))
        self.assertIn("One thing to know about the data", self.text("aside"))

    def test_theory_is_closed_at_first_and_each_part_of_it_has_a_sentence(self):
        self.open("better")
        self.assertEqual(self.js("return [...document.querySelectorAll('details.fold')].map((d) => [d.querySelector('h2').textContent, d.open])"),
                         [["How sure is this?", False], ["Technical details", False]])
        self.js("document.querySelectorAll('details.fold').forEach((d) => { d.open = true })")
        chromium.until(lambda: self.js("return figures.every((f) => f.plot.querySelector('.line').getBoundingClientRect().width > 0)"))
        heads = self.js("return [...document.querySelectorAll('details.fold .sub-head')].map((h) => [h.textContent, h.nextElementSibling?.className === 'about' ? h.nextElementSibling.textContent : ''])")
        told = dict(heads)
        for title in ("Regret of the learners against their bounds", "Noise rate", "Oracle calls", "Certificate of flipflop"):
            self.assertRegex(told[title], r"^[A-Z][^.]{20,}\.", title)
        points = self.texts("details.fold:first-of-type .points dt")
        self.assertEqual(points, ["The range.", "Days like these.", "What could have been.", "The promise.", "Not checked here."])


def setUpModule():
    chromium.set_up(make_pages)


if __name__ == "__main__":
    main()
