"""Holds docs/architecture.md, docs/glossary.md and docs/decisions against the sources: architecture_check.py [ROOT]

The drawing is that of the sources, every station of a walk is where the page says, a word of the glossary has one entry,
and every decision is on the list with one page."""
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(sys.argv.pop()).resolve() if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parents[2]
STATION = re.compile(r"^\| [^|]+ \| (`[^|]*?) \|", re.MULTILINE)
PAGE_LINES = 60  # of a decision


def draw(root, *flags):
    return subprocess.run([sys.executable, "-B", ROOT / "scripts/drawing", "--root", root, *flags], capture_output=True, text=True)


class Drawing(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.write("docs/architecture.md", "| `core/` | values |\n| `io/` | files |\n| `play/` | the loop |\n")
        (self.root / "docs/pictures").mkdir()
        self.write("hannan/core/a.hpp", "#pragma once\n")
        self.write("hannan/io/b.hpp", '#include "hannan/core/a.hpp"\n')
        self.write("hannan/play/c.cpp", '#include "hannan/io/b.hpp"\n#include "hannan/core/a.hpp"\n')
        self.assertEqual(draw(self.root).stderr, "")

    def write(self, path, text):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def test_the_committed_drawing_is_that_of_the_sources(self):
        done = draw(ROOT, "--check")
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_an_arrow_that_follows_from_others_is_left_out(self):
        picture = (self.root / "docs/pictures/architecture.svg").read_text()
        self.assertEqual(picture.count('marker-end="url(#tip)"'), 2)  # play to io, io to core; play to core follows

    def test_another_include_or_another_text_makes_it_out_of_date(self):
        self.assertEqual(draw(self.root, "--check").returncode, 0)
        self.write("hannan/play/c.cpp", '#include "hannan/core/a.hpp"\n')
        done = draw(self.root, "--check")
        self.assertEqual(done.returncode, 1)
        self.assertIn("run scripts/drawing", done.stderr)

    def test_a_folder_without_a_row_and_a_row_without_a_folder_are_refused(self):
        self.write("hannan/noise/d.cpp", '#include "hannan/core/a.hpp"\n')
        self.assertIn("no row for folder noise/", draw(self.root).stderr)
        self.write("docs/architecture.md", "| `core/` | a |\n| `io/` | b |\n| `play/` | c |\n| `noise/` | d |\n| `gone/` | e |\n")
        self.assertIn("a row for the missing folder gone/", draw(self.root).stderr)

    def test_a_circle_is_refused(self):
        self.write("hannan/core/a.hpp", '#include "hannan/play/c.cpp"\n')
        self.assertIn("circle", draw(self.root).stderr)


class Walks(unittest.TestCase):
    def test_every_station_is_where_the_page_says(self):
        page = (ROOT / "docs/architecture.md").read_text()
        walks = page[page.index("## The walk of one outcome"):page.index("## Where a change goes")]
        stations = STATION.findall(walks)
        self.assertGreater(len(stations), 20)
        for station in stations:
            names = re.findall(r"`([^`]+)`", station)
            paths = re.findall(r"\b((?:hannan|service)/[\w./]+)", station)
            for path in paths:
                self.assertTrue((ROOT / path).exists(), station)
            texts = [(ROOT / path).read_text() for path in paths] or [f.read_text() for f in (ROOT / "service").glob("host*.cpp")]
            for name in names:
                word = re.split(r"::", re.sub(r"\(.*|<.*", "", name))[-1]
                self.assertTrue(any(re.search(rf"\b{word}\b", text) for text in texts), station)


class Glossary(unittest.TestCase):
    def test_a_word_has_one_entry(self):
        page = (ROOT / "docs/glossary.md").read_text()
        entries = page[:page.index("## Words with two meanings")]
        words = [word.strip() for row in re.findall(r"^\| ([^|]+) \| [^|]+ \|$", entries, re.MULTILINE)
                 for word in row.split(", ") if row not in ("word", "---")]
        self.assertGreater(len(words), 80)
        self.assertEqual([word for word in words if words.count(word) > 1], [])

    def test_the_words_that_the_sources_use_most_are_there(self):
        page = (ROOT / "docs/glossary.md").read_text()
        for word in ("evidence", "floor", "gap", "pivot", "pool", "segment", "regret", "limit", "credit", "snapshot"):
            self.assertRegex(page, rf"(?m)^\| (?:[^|]*, )?{word}\b")


    def test_words_with_two_meanings_have_a_word_for_each_above(self):
        page = (ROOT / "docs/glossary.md").read_text()
        entries, kept = page[:page.index("## Words with two meanings")], page[page.index("Kept, because"):]
        terms = re.findall(r"\*([^*]+)\*", "".join(re.findall(r"^\|[^|]*\|([^|]*)\|", kept, re.MULTILINE)))
        self.assertGreater(len(terms), 12)
        for term in terms:
            self.assertIn(f"\n| {term} |", entries)

    def test_a_floor_says_of_what_it_is(self):
        """A proven, claimed or price floor; "the floor" alone where the sentence before said which."""
        code = re.compile(r"```.*?^ *```|`[^`\n]*`|^ {4}.*$|floor\(|[\w-]*[-_/#]floor\w*|\\\\text\{floor\}", re.DOTALL | re.MULTILINE)
        bare = re.compile(r"(?i)\b(?:an?|its|their|no|one|best) (?:\w+ )?floor\b")
        found = []
        for page in sorted((ROOT / "docs").rglob("*.md")):
            if page.name not in ("glossary.md", "results.md") and "decisions" not in page.parts:
                text = re.sub(r"\s+", " ", code.sub("", page.read_text()))
                found += [(page.name, one) for one in bare.findall(text) if not re.search(r"proven|claimed|price", one)]
        self.assertEqual(found, [])


class Decisions(unittest.TestCase):
    def test_every_decision_is_on_the_list_and_has_one_page(self):
        pages = sorted(page.name for page in (ROOT / "docs/decisions").glob("*.md") if page.name != "README.md")
        listed = re.findall(r"^\| (\d+) \| \[([^]]+)\]\((\d{3}-[a-z0-9-]+\.md)\) \|$", (ROOT / "docs/decisions/README.md").read_text(), re.MULTILINE)
        self.assertEqual([name for _, _, name in listed], pages)
        for place, (number, title, name) in enumerate(listed, 1):
            text = (ROOT / "docs/decisions" / name).read_text()
            self.assertEqual((int(number), int(name[:3])), (place, place))
            self.assertEqual(text.split("\n")[0], f"# {number}. {title}")
            self.assertLessEqual(len(text.split("\n")), PAGE_LINES)
            for part in ("**Chosen.**", "**What else there was.**", "**Why.**", "**What it costs.**"):
                self.assertIn(part, text, name)


if __name__ == "__main__":
    unittest.main()
