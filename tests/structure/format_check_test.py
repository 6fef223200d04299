"""The format check refuses one wrong space and an empty tree: format_check_test.py CLANG_FORMAT."""
import pathlib
import sys
import tempfile
import unittest

from format_check import check

FORMATTER = sys.argv.pop(1)


class FormatCheck(unittest.TestCase):
    def said(self, text):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "hannan").mkdir()
            (root / ".clang-format").write_text("BasedOnStyle: Google\n")
            (root / "hannan/x.cpp").write_text(text)
            return check(FORMATTER, root)

    def test_accepts_what_the_formatter_writes(self):
        self.assertEqual(self.said("int f() { return 1; }\n"), ("", 1))

    def test_refuses_one_wrong_space(self):
        said, count = self.said("int f() {  return 1; }\n")
        self.assertIn("hannan/x.cpp:1", said)
        self.assertEqual(count, 1)

    def test_an_empty_tree_counts_no_files(self):
        self.assertEqual(check(FORMATTER, "/nonexistent"), ("", 0))


if __name__ == "__main__":
    unittest.main()
