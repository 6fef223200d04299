"""Holds figures of README.md against the pages they come from: readme_check.py [ROOT]

Ratios of "How fast" are those of the table in bench/README.md, as measured last; a number of stories is that of docs/stories."""
import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(sys.argv.pop()) if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parents[2]
COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def section(page, title):
    return re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", page, re.MULTILINE | re.DOTALL).group(1)


def measured():
    """The fourth column of the table: name, ours, theirs, ratio, ..."""
    rows = (line.split("|") for line in (ROOT / "bench/README.md").read_text().splitlines() if line.startswith("|"))
    return [float(row[4]) for row in rows if len(row) > 7 and re.fullmatch(r" *[\d.e+]+ *", row[4])]


class Readme(unittest.TestCase):
    PAGE = (ROOT / "README.md").read_text()

    def test_ratios_are_those_of_the_last_table(self):
        ratios, found = measured(), re.findall(r"(over )?(\d[\d,.]*)(?: times|x\b)", section(self.PAGE, "How fast"))
        self.assertGreater(len(ratios), 20)
        self.assertTrue(found)
        for over, text in found:
            value, digits = float(text.replace(",", "")), len(text.partition(".")[2])
            with self.subTest(ratio=over + text):
                if over:
                    self.assertTrue(any(value <= ratio <= 1.1 * value for ratio in ratios))
                else:
                    self.assertIn(value, [round(ratio, digits) for ratio in ratios])

    def test_it_is_at_most_150_lines(self):
        self.assertLessEqual(len(self.PAGE.splitlines()), 150)

    def test_stories_are_as_many_as_there_are(self):
        stories = [page for page in (ROOT / "docs/stories").glob("*.md") if page.name != "README.md"]
        for page in ("README.md", "docs/stories/README.md", "docs/decide.md"):
            for count in re.findall(r"\b(\w+) (?:\[?stories|public stories)", (ROOT / page).read_text()):
                if count.lower() in COUNTS:
                    self.assertEqual(COUNTS.index(count.lower()), len(stories), page)


if __name__ == "__main__":
    unittest.main()
