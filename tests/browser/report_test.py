"""Pages of `hannan report` in headless Chromium: hover, toggles, zoom, keys, themes, phones, paper, hostile names."""
import json
import random
import re
import subprocess
import sys
import unittest

import chromium

PROGRAM = sys.argv[1] if len(sys.argv) > 1 else "hannan"
HOSTILE = "</script><script>window.hacked=1</script><img src=x onerror=window.hacked=2>&<b>'\""
ROUNDS = 3000


def hannan(*args, status=0):
    done = subprocess.run([PROGRAM, *map(str, args)], capture_output=True, timeout=120)
    assert done.returncode == status, (args, done.stderr)
    return done


def make_pages(folder):
    """A page per kind, small; names of pages are those of the tests that use them."""
    coins = random.Random(1)
    bids = folder / "bids.csv"
    bids.write_text("".join(",".join(f"{coins.random():.3f}" for _ in range(3)) + "\n" for _ in range(ROUNDS)))
    game = ["vcg-reserves", "--param", "levels=10", "--param", "rule=lazy", "-d", bids]
    hannan("run", *game, "--record", folder / "run.jsonl", "-q")
    hannan("report", folder / "run.jsonl", "-o", folder / "run.html")
    hannan("compare", *game, "-o", folder / "result.json", "-q")
    result = json.loads((folder / "result.json").read_text())
    result["players"][0]["name"] = result["currency"] = HOSTILE
    (folder / "hostile.json").write_text(json.dumps(result))
    hannan("report", folder / "result.json", folder / "run.jsonl", "-o", folder / "both.html")
    hannan("report", folder / "hostile.json", "--title", HOSTILE, "-o", folder / "hostile.html")
    lines = (folder / "run.jsonl").read_text().splitlines(keepends=True)
    lines[1000] = re.sub(r'"loss":[0-9.e-]+', '"loss":0.123', lines[1000])
    (folder / "changed.jsonl").write_text("".join(lines))
    hannan("report", folder / "changed.jsonl", "-o", folder / "changed.html", status=3)
    plan = folder / "plan.toml"
    plan.write_text('name = "tiny"\nseeds = 2\n[[streams]]\nname = "iid"\nkind = "iid"\nexperts = 4\nrounds = 200\n'
                    '[[learners]]\nname = "leader"\nkind = "leader"\n[[learners]]\nname = "gftpl"\nkind = "gftpl"\n[[tables]]\ntitle = "One"\n')
    hannan("experiment", plan, "-o", folder / "out", "-q")
    hannan("report", folder / "out", "-o", folder / "plan.html")


def setUpModule():
    chromium.set_up(make_pages)


class Page(chromium.PageTest):
    def open(self, name, width=1200, scheme="light"):
        chromium.size(self.driver, width, 900)
        chromium.scheme(self.driver, scheme)
        for kind in ("browser", "performance"):
            self.driver.get_log(kind)  # what earlier pages said
        self.driver.get((self.folder / name).as_uri())
        self.js("document.querySelectorAll('details.fold').forEach((part) => { part.open = true })")

    def chart(self, title):
        """The figure under a heading, and its number in the page's list."""
        i = self.js("return figures.findIndex((f) => f.chart.title === arguments[0])", title)
        self.assertGreaterEqual(i, 0, title)
        plot = self.js("const f = figures[arguments[0]]; f.root.scrollIntoView({block: 'center'}); return f.plot", i)
        return i, plot

    def actions(self):
        from selenium.webdriver.common.action_chains import ActionChains
        return ActionChains(self.driver, duration=50)

    def range(self, i):
        return self.js("return figures[arguments[0]].window", i)

    def inked(self, i, series):
        """Pixels that the line of a series is wide and high together, with the colour and dash of its ink; 0 where it is not drawn."""
        return self.js("""const [i, s] = arguments, f = figures[i], ink = inked(inkOf(f.chart.series[s], s));
            const line = [...f.plot.querySelectorAll(".line")].find((one) => Object.entries(ink).every(([name, value]) => one.style.getPropertyValue(name) === value));
            if (!line || getComputedStyle(line).stroke === "none") return 0;
            const box = line.getBoundingClientRect();
            return box.width + box.height""", i, series)

    def colours(self):
        """Those of the lines of the first chart."""
        return self.js("return [...figures[0].plot.querySelectorAll('.line')].map((line) => getComputedStyle(line).stroke)")

    def readout(self, i):
        return self.js("return figures[arguments[0]].readout.textContent", i)


class Quiet(Page):
    def test_every_page_draws_all_its_charts_without_a_complaint_or_a_request(self):
        for name in ("run.html", "both.html", "changed.html", "plan.html", "hostile.html"):
            self.open(name)
            self.assertGreater(self.js("return figures.length"), 0)
            self.assertEqual(self.js("return figures.filter((f) => f.plot.querySelector('svg').getBoundingClientRect().width < 50).length"), 0)
            for i in range(self.js("return figures.length")):
                self.assertGreater(self.inked(i, 0), 20, (name, i, self.js("return figures[arguments[0]].chart.title", i)))
            self.assertEqual(self.driver.get_log("browser"), [], name)
            asked = [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
            urls = [entry["params"]["request"]["url"] for entry in asked if entry["method"] == "Network.requestWillBeSent"]
            self.assertEqual(urls, [(self.folder / name).as_uri()])

    def test_the_policy_stops_what_would_ask_the_network(self):
        self.open("run.html")
        self.js("fetch('https://example.invalid/x').catch(() => {}); document.body.append(Object.assign(new Image(), {src: 'https://example.invalid/y'}))")
        said = " ".join(entry["message"] for entry in self.driver.get_log("browser"))
        self.assertIn("Content Security Policy", said)

    def test_hostile_names_are_shown_as_text_and_run_nothing(self):
        self.open("hostile.html")
        self.assertIsNone(self.js("return window.hacked ?? null"))
        self.assertTrue(self.driver.title.endswith(" · " + HOSTILE), self.driver.title)
        self.assertEqual(self.js("return document.querySelector('header b').textContent"), HOSTILE)
        self.assertIn(HOSTILE, self.js("return document.querySelector('h1').textContent"))  # the currency
        self.assertIn(HOSTILE, self.js("return document.querySelector('section').textContent"))
        self.assertEqual(self.js("return document.querySelectorAll('img, main script, main b b').length"), 0)
        i, plot = self.chart("Money earned over time")
        self.actions().move_to_element(plot).perform()
        self.assertIn(HOSTILE, self.readout(i))


class Use(Page):
    def test_hover_reads_the_values_of_every_series(self):
        self.open("run.html")
        i, plot = self.chart("Behind the best fixed choice, and the 95 % limit")
        self.assertEqual(self.readout(i), "")
        self.actions().move_to_element(plot).perform()
        found = re.fullmatch(r"round ([\d,]+): regret ([\d.,-]+), limit \(95 %\) ([\d.,-]+)", self.readout(i))
        self.assertTrue(found, self.readout(i))
        at, *values = (float(text.replace(",", "")) for text in found.groups())
        self.assertAlmostEqual(at, ROUNDS / 2, delta=ROUNDS / 5)
        for series, value in enumerate(values):
            expected = self.js("""const [i, s, x] = arguments, one = figures[i].chart.series[s]; let k = one.at.length - 1;
                while (one.at[k] > x) --k; return one.values[k]""", i, series, at)
            self.assertAlmostEqual(value, expected, places=3)
        self.actions().move_to_element_with_offset(plot, 0, -400).perform()
        self.assertEqual(self.readout(i), "")

    def test_a_box_hides_its_series_and_shows_it_again(self):
        self.open("run.html")
        i, plot = self.chart("Behind the best fixed choice, and the 95 % limit")
        label = self.js("return [...figures[arguments[0]].root.querySelectorAll('label')].find((l) => l.textContent === 'limit (95 %)')", i)
        regret, bound = self.inked(i, 0), self.inked(i, 1)
        self.assertGreater(bound, 100)
        label.click()
        self.assertEqual(self.inked(i, 1), 0)
        self.assertGreater(self.inked(i, 0), 0)
        self.actions().move_to_element(plot).perform()
        self.assertNotIn("limit", self.readout(i))
        label.find_element("tag name", "input").send_keys(" ")  # by the keyboard
        self.assertEqual((self.inked(i, 0), self.inked(i, 1)), (regret, bound))

    def test_dragging_zooms_and_there_are_three_ways_back(self):
        self.open("run.html")
        i, plot = self.chart("Behind the best fixed choice, and the 95 % limit")
        all_rounds = self.range(i)
        button = {name: self.js("return figures[arguments[0]].root.querySelector(`button[aria-label='${arguments[1]}']`)", i, name)
                  for name in ("Zoom in", "Zoom out", "Show all rounds")}
        back = [lambda: button["Show all rounds"].click(), lambda: self.actions().move_to_element(plot).double_click().perform(),
                lambda: [button["Zoom out"].click() for _ in range(4)]]
        for reset in back:
            self.actions().move_to_element_with_offset(plot, -200, 0).click_and_hold().move_by_offset(150, 0).move_by_offset(150, 0).release().perform()
            low, high = self.range(i)
            self.assertAlmostEqual((high - low) / (all_rounds[1] - all_rounds[0]), 300 / plot.size["width"], delta=0.08)
            self.assertGreater(low, all_rounds[0])
            reset()
            self.assertAlmostEqual(self.range(i)[0], all_rounds[0], delta=30)
            self.assertAlmostEqual(self.range(i)[1], all_rounds[1], delta=30)
        button["Zoom in"].click()
        low, high = self.range(i)
        self.assertAlmostEqual((high - low) / (all_rounds[1] - all_rounds[0]), 0.5, delta=0.02)

    def test_arrow_keys_walk_along_the_chart(self):
        from selenium.webdriver.common.keys import Keys
        self.open("run.html")
        i, plot = self.chart("Behind the best fixed choice, and the 95 % limit")
        plot.send_keys(Keys.HOME)
        self.assertTrue(self.readout(i).startswith("round 1: regret "), self.readout(i))
        plot.send_keys(Keys.ARROW_RIGHT)
        second = self.readout(i)
        self.assertRegex(second, r"^round [2-9]: ")
        plot.send_keys(Keys.ARROW_RIGHT, Keys.ARROW_LEFT)
        self.assertEqual(self.readout(i), second)
        plot.send_keys(Keys.END)
        self.assertTrue(self.readout(i).startswith("round 3,000: regret "), self.readout(i))
        self.assertEqual(self.js("return getComputedStyle(figures[arguments[0]].plot.querySelector('.cursor')).display", i), "block")
        before = self.range(i)
        plot.send_keys("+")
        self.assertLess(self.range(i)[1] - self.range(i)[0], before[1] - before[0])
        plot.send_keys("0", Keys.ESCAPE)
        self.assertEqual((self.range(i), self.readout(i)), (before, ""))

    def test_small_panels_share_their_boxes_and_buttons(self):
        self.open("both.html")
        panels = self.js("return figures.map((f, i) => [f.chart.title, i]).filter(([t, i]) => t.startsWith('bidder') && figures[i].chart.series.length > 1).map(([, i]) => i).slice(0, 3)")
        self.assertEqual(len(panels), 3)
        boxes = self.js("return [...figures[arguments[0]].root.parentElement.previousElementSibling.querySelectorAll('input')]", panels[0])
        self.assertGreaterEqual(len(boxes), 2)
        boxes[1].click()
        for i in panels:
            self.assertEqual(self.js("return figures[arguments[0]].shown.slice(0, 2)", i), [True, False])
            self.assertEqual(self.inked(i, 1), 0)
            self.assertGreater(self.inked(i, 0), 0)

    def test_numbers_open_as_a_table(self):
        self.open("run.html")
        i, _ = self.chart("Behind the best fixed choice, and the 95 % limit")
        self.js("return figures[arguments[0]].root.querySelector('summary')", i).click()
        chromium.until(lambda: self.js("return figures[arguments[0]].root.querySelectorAll('tbody tr').length", i) > 0)
        cells = self.js("return [...figures[arguments[0]].root.querySelectorAll('tbody tr')].map((r) => [...r.children].map((c) => c.textContent))", i)
        self.assertEqual((cells[0][0], cells[-1][0]), ("1", "3,000"))
        end = json.loads((self.folder / "run.jsonl").read_text().splitlines()[-1])["end"]
        self.assertAlmostEqual(float(cells[-1][1].replace(",", "")), end["regret"], places=3)


class Looks(Page):
    @staticmethod
    def contrast(*colours):
        """Of two colours #rrggbb, as WCAG 2 defines it."""
        def light(text):
            parts = [int(text[k:k + 2], 16) / 255 for k in (1, 3, 5)]
            red, green, blue = (v / 12.92 if v <= 0.03928 else ((v + 0.055) / 1.055) ** 2.4 for v in parts)
            return 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05
        low, high = sorted(map(light, colours))
        return high / low

    def test_both_themes_have_contrast_enough(self):
        grounds = []
        for scheme in ("light", "dark"):
            self.open("both.html", scheme=scheme)
            value = lambda name: self.js("return colour(arguments[0])", name)
            grounds.append(value("--page"))
            for ink, ground, least in (("ink", "page", 4.5), ("ink-2", "page", 4.5), ("ink", "panel", 4.5), ("ink-2", "panel", 4.5), ("link", "page", 4.5), ("link", "panel", 4.5),
                                       ("page", "better", 4.5), ("page", "worse", 4.5), ("page", "unsure", 4.5), ("ink", "warn-bg", 4.5), ("warn", "warn-bg", 4.5),
                                       ("axis", "page", 3), *((f"s{i}", "page", 3) for i in range(1, 7))):
                self.assertGreaterEqual(self.contrast(value("--" + ink), value("--" + ground)), least, (scheme, ink, ground))
            self.assertEqual("#" + "".join(f"{int(part):02x}" for part in re.findall(r"\d+", self.colours()[-1])), value("--s1"))
            self.assertEqual(self.js("return matchMedia('(prefers-color-scheme: dark)').matches"), scheme == "dark")
        self.assertNotEqual(*grounds)

    def test_an_open_page_follows_the_theme(self):
        self.open("run.html")
        light = self.colours()
        chromium.scheme(self.driver, "dark")
        chromium.until(lambda: self.colours() != light)

    def test_series_differ_without_colour(self):
        self.open("both.html")
        i, _ = self.chart("Money earned over time")
        inks = self.js("return figures[arguments[0]].chart.series.map((s, k) => [inkOf(s, k) % COLOURS, String(dashOf(inkOf(s, k)))])", i)
        self.assertEqual(len(set(map(tuple, inks))), len(inks))
        self.assertGreaterEqual(len({dash for _, dash in inks}), min(6, len(inks)))

    def test_a_phone_needs_no_sideways_scrolling(self):
        for width in (390, 320):
            for name in ("both.html", "plan.html", "hostile.html", "changed.html"):
                self.open(name, width=width)
                self.assertLessEqual(self.js("return document.documentElement.scrollWidth"), width, name)
                lefts = self.js("return [...new Set([...document.querySelectorAll('.charts figure')].map((f) => Math.round(f.getBoundingClientRect().left)))]")
                self.assertLessEqual(len(lefts), 1, "one column")

    def test_it_prints_in_light_colours_and_comes_back(self):
        self.open("run.html", scheme="dark")
        dark = self.colours()
        self.assertGreater(len(self.driver.print_page()), 20_000)
        self.assertEqual(self.colours(), dark)
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print", "features": [{"name": "prefers-color-scheme", "value": "dark"}]})
        self.assertEqual(self.js("return [colour('--page'), colour('--s1')]"), ["#ffffff", "#0b3f7d"])
        self.assertEqual(self.js("return [...document.querySelectorAll('button, .numbers')].filter((e) => e.offsetParent).length"), 0)
        self.assertEqual(self.js("return document.querySelectorAll('details.fold:not([open])').length"), 0, "all parts are printed")
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})

    def test_a_reader_of_the_screen_is_told_everything(self):
        self.open("both.html")
        alts = self.js("return figures.map((f) => { const svg = f.plot.querySelector('svg'); return [svg.getAttribute('role'), svg.getAttribute('aria-label'), f.plot.tabIndex] })")
        for role, alt, tab in alts:
            self.assertEqual((role, tab), ("img", 0))
            self.assertRegex(alt, r"\d")
        regret = self.js("return figures.find((f) => f.chart.title === 'Behind the best fixed choice, and the 95 % limit').plot.querySelector('svg').getAttribute('aria-label')")
        self.assertRegex(regret, r"^Regret ends at [\d.,-]+, limit \(95 %\) [\d.,]+, after 3,000 rounds")
        self.assertEqual(self.js("return [...document.querySelectorAll('input')].filter((b) => b.offsetParent).filter((b) => !b.labels.length || !b.labels[0].textContent).length"), 0)
        self.assertEqual(self.js("return [...document.querySelectorAll('button')].filter((b) => !b.getAttribute('aria-label')).length"), 0)
        levels = self.js("return [...document.querySelectorAll('h1,h2,h3,h4')].map((h) => Number(h.tagName[1]))")
        self.assertTrue(all(b <= a + 1 for a, b in zip(levels, levels[1:])), levels)
        self.assertEqual(self.js("return [...document.querySelectorAll('nav a')].filter((a) => !document.querySelector(a.getAttribute('href'))).length"), 0)


class Verdicts(Page):
    def test_a_record_that_holds_says_so_and_one_that_was_changed_says_so_in_red(self):
        self.open("run.html")
        self.assertIn("Verified: 3,000 rounds", self.js("return document.querySelector('.verdict.good').textContent"))
        self.assertEqual(self.js("return document.querySelector('.advice').textContent"), "✓Checked: computed again by separate code, and agrees")
        self.assertRegex(self.js("return document.querySelector('h1').textContent"), r"^Learned prices earned [\d,.]+ in 3,000 auctions, [\d.,]+ less than the best fixed prices, known only afterwards$")
        self.assertTrue(self.js("return document.querySelector('.lede').textContent").endswith("Amounts are in the unit of the data: no currency was given."))
        self.open("changed.html")
        text = self.js("return document.querySelector('.verdict').textContent")
        self.assertIn("Do not use these figures", text)
        self.assertIn("H601: ", text)
        self.assertIn("changed.jsonl:1001", text)
        self.assertEqual(self.js("return document.querySelector('h1').textContent"), "This record does not hold")
        self.assertEqual(self.js("return document.querySelector('.verdict').className"), "verdict worse neutral")
        red, green, blue = map(int, re.findall(r"\d+", self.js("return getComputedStyle(document.querySelector('.advice')).backgroundColor"))[:3])
        self.assertGreater(red, 2 * max(green, blue))
        self.assertEqual(self.js("return document.querySelectorAll('.verdict.good').length"), 0)


if __name__ == "__main__":
    if chromium.missing():
        print("SKIPPED: no browser to test pages in; missing:", ", ".join(chromium.missing()), "(scripts/setup --tests installs them)")
        sys.exit(chromium.SKIPPED)
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]], verbosity=2)
