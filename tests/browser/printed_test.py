"""Pages of `hannan report` on paper: printed at once, without scrolling, every chart has its lines, also those of closed parts."""
import base64
import re
import zlib

import chromium
from compared_pages import Page, hannan, main, single_bidders, write_log, LOG, PRICES


def make_pages(folder):
    log = write_log(folder / "log.csv", 400, single_bidders)
    hannan("compare", "vcg-reserves", *PRICES, "-d", log, *LOG, "--timestamp", "at", "-o", folder / "result.json", "-q")
    hannan("report", folder / "result.json", "-o", folder / "compared.html", "-q")
    hannan("convert", log, *LOG[2:], "--cap", "12", "-q", "-o", folder / "bids.csv", "--summary", folder / "bids.json")
    hannan("run", "vcg-reserves", "--param", "levels=20", "--param", "rule=lazy", "-d", folder / "bids.csv", "--record", folder / "run.jsonl", "-q")
    hannan("report", folder / "run.jsonl", "--log", folder / "bids.json", "-o", folder / "record.html", "-q")
    plan = folder / "plan.toml"
    plan.write_text('name = "tiny"\nseeds = 2\n[[streams]]\nname = "iid"\nkind = "iid"\nexperts = 4\nrounds = 200\n'
                    '[[learners]]\nname = "leader"\nkind = "leader"\n[[learners]]\nname = "gftpl"\nkind = "gftpl"\n[[tables]]\ntitle = "One"\n')
    hannan("experiment", plan, "-o", folder / "out", "-q")
    hannan("report", folder / "out", "-o", folder / "plan.html", "-q")


def drawn_lines(pdf):
    """Straight pieces of paths on the pages of a PDF. Chromium writes a canvas as a picture or a part of its own, an SVG as paths of the page."""
    objects = {int(number): body for number, body in re.findall(rb"(?m)^(\d+) 0 obj\n(.*?)\nendobj", pdf, re.DOTALL)}
    pages = [body for body in objects.values() if re.search(rb"/Type /Page\b", body)]
    contents = [objects[int(number)] for body in pages for number in re.findall(rb"/Contents (\d+) 0 R", body)]
    texts = [zlib.decompress(re.search(rb"stream\n(.*)\nendstream", body, re.DOTALL)[1]) for body in contents]
    return sum(len(re.findall(rb"(?m) l$", text)) for text in texts)


class Printed(Page):
    def print(self):
        return base64.b64decode(self.driver.execute_cdp_cmd("Page.printToPDF", {"printBackground": True})["data"])

    def test_without_scrolling_every_chart_has_its_lines(self):
        for name in ("compared", "record", "plan"):
            for width in (1280, 390):
                self.open(name, width=width)
                found = drawn_lines(self.print())
                pieces = self.js("return figures.map((f) => f.chart.series.reduce((sum, s) => sum + s.values.filter((v) => v !== null).length - 1, 0)).reduce((a, b) => a + b)")
                self.assertGreater(pieces, 10)
                self.assertGreater(found, 0.9 * pieces, (name, width))

    def test_a_chart_on_paper_has_a_line_a_series_and_numbers_on_both_axes(self):
        self.open("record")
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
        self.js("document.querySelectorAll('details.fold').forEach((part) => { part.open = true })")
        sheets = self.js("""return figures.map((f) => { const of = (name) => [...f.plot.querySelectorAll(name)].filter((e) => e.getBoundingClientRect().width > 0);
            return [f.chart.title, of('.line').length, f.chart.series.length, of('.x').length, of('.y').length, f.root.querySelectorAll('canvas').length] })""")
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
        self.assertGreater(len(sheets), 5)
        for title, lines, series, x, y, canvas in sheets:
            self.assertEqual((lines, canvas), (series, 0), title)
            self.assertTrue(x >= 1 and y >= 2, title)

    def test_paper_shows_the_series_and_rounds_that_are_seen_and_parts_are_closed_again(self):
        self.open("record")
        first = "figures.find((f) => f.chart.series.length === 2)"
        self.js(f"const f = {first}; f.toggle(1, false); f.zoom(2)")
        closed = self.js("return document.querySelectorAll('details.fold:not([open])').length")
        self.assertGreater(closed, 0)
        self.js("addEventListener('beforeprint', () => { window.open_then = document.querySelectorAll('details.fold:not([open])').length })")
        self.print()
        self.assertEqual(self.js("return window.open_then"), 0)
        self.assertEqual(self.js(f"return {first}.plot.querySelectorAll('.line').length"), 1)
        low, high = self.js(f"return {first}.window")
        labels = [float(text.replace(",", "")) for text in self.js(f"return [...{first}.plot.querySelectorAll('.x')].map((e) => e.textContent)")]
        self.assertTrue(labels and all(low <= x <= high for x in labels), (low, high, labels))
        self.assertEqual(self.js("return document.querySelectorAll('details.fold:not([open])').length"), closed)


def setUpModule():
    chromium.set_up(make_pages)


if __name__ == "__main__":
    main()
