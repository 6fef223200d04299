"""The site of scripts/site in a real browser and as files: every link leads somewhere, nothing asks another host, it can be read
on a narrow screen, in the dark and on paper, and search works without a network.

    site_test.py HANNAN
"""
import base64
import html.parser
import http.server
import pathlib
import subprocess
import sys
import threading
import unittest
import urllib.parse

import chromium
from chromium import PageTest, until

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(sys.argv.pop() if len(sys.argv) > 1 else "hannan").resolve()
NEEDED = "import mkdocs, material, pymdownx"
SOME = ("index.html", "docs/theory.html", "docs/service.html", "reference/commands/run.html", "reference/python/hannan-classes.html",
        "reference/cpp/core.html", "reference/service.html", "docs/architecture.html", "docs/results.html")


class Links(html.parser.HTMLParser):
    """Where a page leads, what it loads, and the places in it."""

    def __init__(self, text):
        super().__init__()
        self.hrefs, self.loads, self.ids = [], [], set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        self.ids |= {found[name] for name in ("id", "name") if found.get(name)}
        if tag == "a" and found.get("href"):
            self.hrefs.append(found["href"])
        if tag in ("script", "img", "iframe", "source") and found.get("src"):
            self.loads.append(found["src"])
        if tag == "link" and found.get("href"):
            self.loads.append(found["href"])


def make_site(folder):
    done = subprocess.run(["/usr/bin/python3", "-B", ROOT / "scripts/site", "--program", PROGRAM, "--out", folder / "site"],
                          capture_output=True, text=True)
    if done.returncode != 0:
        raise AssertionError(done.stderr + done.stdout)
    class Quiet(http.server.SimpleHTTPRequestHandler):
        def __init__(self, *parts):
            super().__init__(*parts, directory=str(folder / "site"))

        def log_message(self, *parts):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Quiet)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    unittest.addModuleCleanup(server.server_close)
    unittest.addModuleCleanup(server.shutdown)
    Site.address = f"http://127.0.0.1:{server.server_port}/"


class Site(PageTest):
    address = ""

    def open(self, page, width=1200, scheme="light"):
        chromium.size(self.driver, width, 900)
        chromium.scheme(self.driver, scheme)
        self.driver.get(self.address + page)

    def pages(self):
        return sorted(self.folder.glob("site/**/*.html"))

    def test_every_link_leads_to_a_page_and_a_place_in_it(self):
        known = {page: Links(page.read_text()) for page in self.pages()}
        self.assertGreater(len(known), 80)
        wrong, links = [], 0
        for page, found in known.items():
            for href in found.hrefs:
                target, _, anchor = href.partition("#")
                if ":" in target.split("/")[0] or page.name == "404.html":
                    continue
                links += 1
                there = (page.parent / urllib.parse.unquote(target)).resolve() if target else page
                there = there / "index.html" if there.is_dir() else there
                if not there.exists() or (anchor and there in known and urllib.parse.unquote(anchor) not in known[there].ids):
                    wrong.append(f"{page.relative_to(self.folder)}: {href}")
        self.assertGreater(links, 2000)
        self.assertEqual(wrong, [])

    def test_nothing_is_loaded_from_another_host(self):
        for page in self.pages():
            for load in Links(page.read_text()).loads:
                self.assertFalse(load.startswith(("http:", "https:", "//")) and "canonical" not in load, (page.name, load))
        for sheet in self.folder.glob("site/**/*.css"):
            self.assertNotIn("url(http", sheet.read_text(), sheet.name)

    def test_pages_ask_nobody_else_and_say_nothing_in_the_console(self):
        for page in SOME:
            self.open(page)
            asked = self.js("return performance.getEntriesByType('resource').map((e) => e.name)")
            self.assertEqual([one for one in asked if not one.startswith((self.address, "data:", "blob:"))], [], page)
            self.assertEqual([line for line in self.driver.get_log("browser") if line["level"] == "SEVERE"], [], page)

    def test_at_390_pixels_no_page_is_wider_than_the_screen(self):
        for page in SOME:
            self.open(page, width=390)
            self.assertLessEqual(self.js("return document.documentElement.scrollWidth"), 390, page)

    def test_in_the_dark_pages_are_dark_and_texts_are_light(self):
        def lightness(name):
            text = self.js(f"return getComputedStyle(document.body).{name}")
            return sum(float(x) for x in text[text.index("(") + 1:-1].split(",")[:3]) / 3
        for scheme, holds in (("dark", lambda: lightness("backgroundColor") < 80 and lightness("color") > 150),
                              ("light", lambda: lightness("backgroundColor") > 200 and lightness("color") < 100)):
            self.open("index.html", scheme=scheme)
            self.js("localStorage.clear()")  # a choice by hand stays
            self.open("index.html", scheme=scheme)
            until(holds)

    def test_links_can_be_read_in_the_dark_and_in_the_light(self):
        """The contrast of text and ground is at least 4.5, as WCAG 2 asks of texts of this size."""
        ratio = """
            const channel = c => (c /= 255) <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
            const light = text => { const [r, g, b] = text.match(/[0-9.]+/g).map(Number); return 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b); };
            const of = light(getComputedStyle(document.querySelector(".md-content p a")).color), ground = light(getComputedStyle(document.body).backgroundColor);
            return (Math.max(of, ground) + 0.05) / (Math.min(of, ground) + 0.05);"""
        for scheme in ("dark", "light"):
            self.open("docs/architecture.html", scheme=scheme)
            self.js("localStorage.clear()")
            self.open("docs/architecture.html", scheme=scheme)
            until(lambda: self.js(ratio) >= 4.5)

    def test_on_paper_long_lines_of_code_are_not_cut(self):
        self.open("index.html", width=700)
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
        cut = self.js("return [...document.querySelectorAll('pre > code')].filter((e) => e.scrollWidth > e.clientWidth + 1).length")
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
        self.assertEqual(cut, 0)

    def test_on_paper_there_is_the_text_and_no_navigation(self):
        self.open("docs/guide.html")
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
        shown = self.js("return [...document.querySelectorAll('.md-header, .md-sidebar, .md-footer')].filter((e) => e.offsetHeight > 0).length")
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
        self.assertEqual(shown, 0)
        pdf = base64.b64decode(self.driver.execute_cdp_cmd("Page.printToPDF", {})["data"])
        self.assertGreater(len(pdf), 50_000)

    def test_search_finds_a_page_and_asks_nobody_else(self):
        self.open("index.html")
        self.js("document.querySelector('.md-search__input').focus()")
        self.driver.find_element("css selector", ".md-search__input").send_keys("rehearsal")
        until(lambda: self.js("return document.querySelectorAll('.md-search-result__link').length") > 0)
        asked = self.js("return performance.getEntriesByType('resource').map((e) => e.name)")
        self.assertEqual([one for one in asked if not one.startswith((self.address, "data:", "blob:"))], [])

    def test_formulas_are_drawn(self):
        self.open("docs/theory.html")
        until(lambda: self.js("return document.querySelectorAll('.katex').length") > 50)
        self.assertEqual(self.js("return document.querySelectorAll('.katex-error').length"), 0)


def setUpModule():
    chromium.set_up(make_site)


if __name__ == "__main__":
    lacking = chromium.missing()
    if subprocess.run(["/usr/bin/python3", "-c", NEEDED], capture_output=True).returncode != 0:
        lacking.append("mkdocs-material")
    if lacking:
        print(f"skipped, for {', '.join(lacking)} is not installed: scripts/setup --tests installs it")
        sys.exit(chromium.SKIPPED)
    unittest.main()
