"""Lines of pages have at most 120 characters where they can be wrapped: lines_check.py [ROOT]

Tables, code and formulas are left alone (scripts/wrap). docs/results.md is made by scripts/results."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(sys.argv.pop()).resolve() if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parents[2]
MADE = ("docs/results.md",)


def wrap(*words):
    return subprocess.run([sys.executable, "-B", ROOT / "scripts/wrap", *words], capture_output=True, text=True)


class Lines(unittest.TestCase):
    def test_pages_are_wrapped(self):
        pages = [page for pattern in ("*.md", "docs/**/*.md", "bench/**/*.md") for page in sorted(ROOT.glob(pattern))
                 if page.relative_to(ROOT).as_posix() not in MADE]
        self.assertGreater(len(pages), 50)
        done = wrap("--check", *pages)
        self.assertEqual((done.stdout, done.stderr), ("", ""))

    def wrapped(self, text):
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder, "page.md")
            page.write_text(text)
            self.assertEqual(wrap(page).returncode, 0)
            return page.read_text()

    def test_a_long_line_is_found(self):
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder, "page.md")
            page.write_text("word " * 30)
            done = wrap("--check", page)
            self.assertEqual(done.returncode, 1)
            self.assertIn("expected at most 120", done.stdout)

    def test_only_paragraphs_with_a_long_line_change_and_items_keep_their_indent(self):
        long = "word " * 30
        text = f"short\nlines\n\n- {long}\n  more\n- other\n\n| {long} |\n\n    {long}\n\n```sh\n{long}\n```\n"
        found = self.wrapped(text)
        self.assertTrue(found.startswith("short\nlines\n\n- word"))
        self.assertIn("\n  word word", found)
        self.assertIn("word more\n- other\n", found)
        for kept in (f"| {long} |", f"    {long}\n", f"```sh\n{long}\n```"):
            self.assertIn(kept, found)

    def test_code_and_formulas_are_not_divided_and_no_line_begins_as_a_list(self):
        found = self.wrapped("x " * 55 + "`a long piece of code` " + "y " * 30 + "- 5 " + "z " * 40)
        self.assertIn("`a long piece of code`", found)
        for line in found.split("\n"):
            self.assertFalse(line.startswith("- "), line)
            self.assertLessEqual(len(line), 120)


if __name__ == "__main__":
    unittest.main()
