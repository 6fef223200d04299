"""Pages of runs and comparisons with a decision for every segment, in headless Chromium; one with 10^4 segments."""
import json
import random
import subprocess
import sys
import unittest

import chromium

PROGRAM = sys.argv[1] if len(sys.argv) > 1 else "hannan"
HOSTILE = "</script><script>window.hacked=1</script><b>x"
MANY = 10_000


def hannan(*args):
    done = subprocess.run([PROGRAM, *map(str, args)], capture_output=True, timeout=200)
    assert done.returncode == 0, (args, done.stderr)
    return done.stdout


def make_pages(folder):
    coins = random.Random(2)
    lines = []
    for _ in range(1500):
        country, site = coins.choice(["de", "fr", "", HOSTILE]), coins.choice(["a.com", "b.com", "c.com"])
        bid = {"de": 0.8, "fr": 0.3}.get(country, 0.5) + (0.1 if country == "de" and site == "a.com" else 0)
        lines.append({"context": [country, site], "outcome": [bid]})
    data = folder / "data.jsonl"
    data.write_text("".join(json.dumps(line) + "\n" for line in lines))
    game = ["vcg-reserves", "--param", "bidders=1", "--param", "levels=10", "-d", data]
    hannan("run", *game, "--by", "country,site", "--record", folder / "run.rec", "--summary", folder / "run.json", "-q")
    hannan("compare", *game, "--by", "country,site", "--cap", 2, "--currency", "EUR", "-o", folder / "result.json", "-q")
    hannan("run", *game, "--by", "country", "--by", "site", "--record", folder / "orders.rec", "-q")
    for name, *files in (("run", "run.rec"), ("result", "result.json"), ("orders", "orders.rec"), ("summary", "run.json")):
        hannan("report", *(folder / f for f in files), "-o", folder / f"{name}.html")
    # Sites of 100 pages each.
    rows = "".join(f"s{i // 100},p{i},{i % 2},{1 - i % 2}\n" for i in range(MANY) for _ in range(2))
    (folder / "many.csv").write_text("site,page,a,b\n" + rows)
    hannan("run", "experts", "-d", folder / "many.csv", "--by", "site,page", "--record", folder / "many.rec", "--set", "track=end", "-q")
    hannan("report", folder / "many.rec", "--no-verify", "-o", folder / "many.html")


def setUpModule():
    chromium.set_up(make_pages)


class Page(chromium.PageTest):
    def open(self, name, width=1200, scheme="light"):
        chromium.size(self.driver, width, 900)
        chromium.scheme(self.driver, scheme)
        self.driver.get_log("browser")
        self.driver.get((self.folder / name).as_uri())
        self.js("document.querySelectorAll('details.fold').forEach((part) => { part.open = true })")
        self.js("figures.forEach((f) => f.draw())")
        self.assertEqual(self.driver.get_log("browser"), [], name)

    def names(self):
        """The first cell of each row of the table."""
        return self.js("return [...document.querySelectorAll('.tree tbody tr')].map((r) => r.querySelector('button, span')?.firstChild.textContent)")

    def cells(self, i):
        return self.js("return [...document.querySelectorAll('.tree tbody tr')[arguments[0]].cells].map((c) => c.textContent)", i)

    def toggle(self, name):
        return self.js("return [...document.querySelectorAll('.tree th button')].find((b) => b.firstChild.textContent === arguments[0])", name)

    def status(self):
        return self.js("return document.querySelector('.segments [role=status]').textContent")

    def type(self, text):
        self.js("const i = document.querySelector('.segments input'); i.value = arguments[0]; i.dispatchEvent(new Event('input'))", text)

    def choose(self, value):
        self.js("const s = document.querySelector('.segments select'); s.value = arguments[0]; s.dispatchEvent(new Event('change'))", value)


class Segments(Page):
    def report(self):
        return json.loads((self.folder / "run.rec").read_text().splitlines()[-1])["end"]

    def test_every_page_draws_without_a_complaint(self):
        for name in ("run", "result", "orders", "summary"):
            for scheme in ("light", "dark"):
                self.open(f"{name}.html", scheme=scheme)
                self.assertEqual(self.js("return document.querySelectorAll('.tree').length"), 1, name)
                self.assertIsNone(self.js("return window.hacked ?? null"))

    def test_the_first_level_is_open_and_has_the_figures_of_the_report(self):
        self.open("run.html")
        nodes = {tuple(n["segment"]): n for n in self.report()["nodes"]}
        first = sorted((s for s in nodes if len(s) == 1), key=lambda s: -nodes[s]["rounds"])
        self.assertEqual(self.names(), ["all"] + [s[0] or "(none)" for s in first])
        self.assertIn(f"{len(nodes)} segments", self.status())
        root = nodes[()]["weight"]
        for i, segment in enumerate(first, 1):
            node, cells = nodes[segment], self.cells(i)
            self.assertEqual(cells[1], f"{node['rounds']:,}")
            self.assertEqual(cells[2], str(node["action"][0]))
            self.assertAlmostEqual(float(cells[3].replace(",", "")), node["rounds"] - 1 - node["own"], delta=0.006 * node["rounds"])
            self.assertAlmostEqual(float(cells[5].rstrip(" %")), 100 * (1 - root) * node["weight"], delta=0.06)
        exported = {tuple(v["segment"]) for v in self.report()["map"]}
        bold = self.js("return [...document.querySelectorAll('.tree tbody tr')].map((r) => r.classList.contains('own'))")
        self.assertEqual(bold, [True] + [s in exported for s in first])

    def test_a_segment_opens_and_closes_with_the_keyboard(self):
        from selenium.webdriver.common.keys import Keys
        self.open("run.html")
        before = self.names()
        button = self.toggle("de")
        self.assertEqual(button.get_attribute("aria-expanded"), "false")
        button.send_keys(Keys.ENTER)
        self.assertEqual(button.get_attribute("aria-expanded"), "true")
        at = before.index("de")
        self.assertEqual(sorted(self.names()[at + 1:at + 4]), ["a.com", "b.com", "c.com"])
        shares = [float(self.cells(i)[5].rstrip(" %")) for i in range(at, at + 4)]
        self.assertGreater(sum(shares[1:]), 0)
        button.send_keys(Keys.SPACE)
        self.assertEqual(self.names(), before)
        self.assertEqual(button.get_attribute("aria-expanded"), "false")

    def test_finding_and_showing_some(self):
        self.open("run.html")
        self.type("DE a.com")
        self.assertEqual(self.names(), ["de › a.com"])
        self.assertIn("1 of ", self.status())
        self.type("nothing has this")
        self.assertEqual((self.names(), self.status()[:5]), ([], "0 of "))
        self.type("")
        self.choose("own")
        self.assertEqual(len(self.names()), len(self.report()["map"]))
        self.choose("")
        self.assertEqual(self.names()[0], "all")

    def test_the_levels_over_time_and_their_alternative(self):
        for name, title in (("run", "Which level decides"), ("result", "Which level decides: flipflop"), ("orders", "Which level decides")):
            self.open(f"{name}.html")
            chart = self.js("return figures.find((f) => f.chart.title === arguments[0]).chart", title)
            names = [s["name"] for s in chart["series"]]
            self.assertEqual(names, ["all", "below"] if name == "orders" else ["all", "country", "site"])
            ends = [s["values"][-1] for s in chart["series"]]
            self.assertAlmostEqual(sum(ends), 100, delta=0.01)
            for i, value in enumerate(ends):
                self.assertIn(f"{names[i]} {round(value)} %", chart["alt"].split("at the end ")[1])
        lines = [json.loads(line) for line in (self.folder / "run.rec").read_text().splitlines()[1:-1]]
        self.open("run.html")
        drawn = self.js("return figures.find((f) => f.chart.title === 'Which level decides').chart.series[0]")
        last, width = drawn["at"][-1], drawn["at"][1] - drawn["at"][0]
        tail = [line["weights"][0] for line in lines[int((last - 1) // width * width):int(last)]]
        self.assertAlmostEqual(drawn["values"][-1], 100 * sum(tail) / len(tail), delta=1e-4)

    def test_of_several_orders_each_has_the_share_that_the_root_gives_it(self):
        self.open("orders.html")
        end = json.loads((self.folder / "orders.rec").read_text().splitlines()[-1])["end"]
        self.assertEqual({name.split(": ")[0] for name in self.names()[1:]}, {"1", "2"})
        for i, name in enumerate(self.names()[1:], 1):
            share = end["orders"][int(name.split(": ")[0]) - 1]["weight"]
            self.assertAlmostEqual(float(self.cells(i)[5].rstrip(" %")), 100 * share, delta=0.06, msg=name)

    def test_a_comparison_says_what_segments_were_worth(self):
        self.open("result.html")
        says = next(p for p in json.loads((self.folder / "result.json").read_text())["players"] if p["name"] == "flipflop")["segments"]["says"]
        self.assertRegex(self.js("return document.querySelector('h1').textContent"), r"^Learned prices per segment would have earned [\d,]+\u00a0EUR more than one decision for all: ")
        self.assertIn(says, self.js("return document.querySelector('.verdict.good').textContent"))
        self.assertIn("Earned, EUR", self.js("return document.querySelector('.tree thead').textContent"))

    def test_a_phone_needs_no_sideways_scrolling(self):
        for name in ("run", "result", "many"):
            self.open(f"{name}.html", width=320)
            self.assertLessEqual(self.js("return document.documentElement.scrollWidth"), 320, name)


class Many(Page):
    def test_ten_thousand_segments_are_shown_at_once_and_found_at_once(self):
        self.open("many.html")
        self.assertIn("10,101 segments", self.status())
        self.assertEqual(len(self.names()), 101, "rows are made when they are opened")
        self.js("[...document.querySelectorAll('.tree th button')].find((b) => b.firstChild.textContent === 's7').click()")
        self.assertEqual(len(self.names()), 201)
        self.assertIn("p799", self.names())
        self.type("p9")
        self.assertIn("1,111 of 10,101", self.status())
        self.assertEqual(len(self.names()), 201, "200 and the button for more")
        self.js("[...document.querySelectorAll('.tree td button')].at(-1).click()")
        self.assertEqual(len(self.names()), 401)
        self.type("p9999")
        self.assertEqual(self.names(), ["s99 › p9999"])
        self.js("[...document.querySelectorAll('.segments .tools button')].find((b) => b.textContent === 'Open all').click()")
        rows = len(self.names())
        self.assertTrue(2000 <= rows <= 2300, rows)
        self.js("[...document.querySelectorAll('.segments .tools button')].find((b) => b.textContent === 'Close all').click()")
        self.assertEqual(len(self.names()), 101)


if __name__ == "__main__":
    if chromium.missing():
        print("SKIPPED: no browser to test pages in; missing:", ", ".join(chromium.missing()), "(scripts/setup --tests installs them)")
        sys.exit(chromium.SKIPPED)
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]], verbosity=1)
