"""The page of a comparison as it is drawn: better is right and of one colour, charts, labels, phones."""
import re

import chromium
from compared_pages import Page, main, make_pages


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
                if more.startswith("+") or more.endswith(" less"):
                    self.assertGreaterEqual(left, -1.5, (name, more))
                elif more.startswith("−") or more.endswith(" more"):
                    self.assertLessEqual(right, 1.5, (name, more))
        less = {p["name"]: p["money"] for p in self.result("costs")["players"]}
        self.assertLess(less["flipflop"], less["today"])  # less cost, and yet to the right
        self.assertRegex(self.text(".ranking tr.mine .more"), r"^[\d,.]+ less$")  # a saving has no plus
        self.assertNotIn("+", self.driver.title + self.text(".verdict") + self.text(".ranking"))

    def test_a_bad_rival_does_not_flatten_the_others(self):
        self.open("rival")
        share = self.js("""const box = [...document.querySelectorAll('.gain')].at(-1), line = box.querySelector('.line.s1').getBBox(); return line.height / 1000""")
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
    def test_a_range_that_is_cut_is_said_to_go_on(self):
        seen = set()
        for name in ("better", "keep", "unsure", "worse", "costs", "limits"):
            self.open(name)
            beyond, says = self.js("""const figure = document.querySelector('figure.gains'), box = figure.querySelector('.band').getBBox();
                return [box.y < -0.1 || box.y + box.height > 1000.1, figure.querySelector('.sub').textContent.endsWith('goes on beyond the chart.')]""")
            self.assertEqual(says, beyond, name)
            seen.add(beyond)
        self.assertEqual(seen, {False, True})

    def test_series_have_colours_far_apart_dashes_and_marks(self):
        for scheme in ("light", "dark"):
            self.open("rival", scheme=scheme)
            lines = self.js("return [...[...document.querySelectorAll('.gain')].at(-1).querySelectorAll('.line')].map((l) => [getComputedStyle(l).stroke, getComputedStyle(l).strokeDasharray, getComputedStyle(l).strokeWidth])")
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
        self.assertRegex(self.text(".first .tip"), r"^1[567] Apr 2026, auction 4\d\d\n\+[\d,]+ USD\n95 % range [+−][\d,.]+ to \+[\d,]+ USD$")
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

    def test_no_label_of_a_chart_stands_on_another_and_what_leaves_the_scale_is_said(self):
        for width in (1280, 700, 390):
            self.open("far", width=width)
            chromium.until(lambda: self.js("return [...document.querySelectorAll('.gain .inside')].every((e) => e.style.left)"))
            boxes = self.js("""const chart = [...document.querySelectorAll('.gain')].at(-1);
                return [...chart.querySelectorAll('.gone, .name, .inside, .x, .y')].filter((e) => e.offsetWidth).map((e) => { const b = e.getBoundingClientRect(); return [e.textContent, b.left, b.top, b.right, b.bottom] })""")
            for i, (text, left, top, right, bottom) in enumerate(boxes):
                for other, l, t, r, b in boxes[:i]:
                    self.assertFalse(left < r - 1 and l < right - 1 and top < b - 1 and t < bottom - 1, (width, text, other))
            gone = [text for text in self.texts(".gain .gone" if width > 640 else ".legend li") if "off the scale" in text]
            self.assertEqual(len(gone), 2, (width, gone))

    def test_names_of_lines_become_a_legend(self):
        self.open("rival", width=390)
        self.assertEqual(self.js("return [...document.querySelectorAll('.gain .name')].filter((e) => e.offsetParent).length"), 0)
        self.assertGreaterEqual(self.js("return [...document.querySelectorAll('.legend li')].filter((e) => e.offsetParent).length"), 4)
        self.open("rival")
        self.assertEqual(self.js("return [...document.querySelectorAll('.legend li')].filter((e) => e.offsetParent).length"), 0)


def setUpModule():
    chromium.set_up(make_pages)


if __name__ == "__main__":
    main()
