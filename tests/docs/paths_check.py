"""Every path of this repository that a page names must exist: paths_check.py ROOT

A path is a word that begins with a top-level folder of sources (hannan/, cli/, docs/, ...), and the target of a link
that is no address; a link is relative to its page. NAME, <name>, {a,b}, * and ... mark patterns: a pattern with * must match
something, the others are left out. Words in capitals, as in problems/<NAME>, are left out too."""
import pathlib
import re
import sys
import unittest

FOLDERS = ("hannan", "cli", "docs", "tests", "bench", "examples", "plans", "scripts", "cmake")
WORD = re.compile(r"(?<![\w./-])(?:%s)/[\w./*{}<>,+-]*" % "|".join(FOLDERS))
LINK = re.compile(r"\]\(([^)\s]+)\)")
MATH = re.compile(r"```math.*?```|\$[^$]*\$", re.DOTALL)  # brackets of a formula are no link
PATTERN = re.compile(r"[{}<>]|\.\.\.|[A-Z]{3,}")
# Outputs and build results that pages name, which are no part of the repository.
MADE = re.compile(r"^(?:cli/hannan|docs/_build)")


def exists(root, path):
    if "*" in path:
        return any(root.glob(path))
    return (root / path).exists()


def missing_in(text, page, root):
    """The paths that `text`, the page at `page`, names and that are not there."""
    found = []
    for word in WORD.findall(text):
        path = word.rstrip(".,/-")
        if "/" in path and not PATTERN.search(word.replace("README", "").replace("CMakeLists", "")) and not MADE.match(path) and not exists(root, path):
            found.append(path)
    for target in LINK.findall(MATH.sub("", text)):
        path = target.split("#", 1)[0]
        if path and "://" not in path and not path.startswith("mailto:") and not (page.parent / path).exists():
            found.append(target)
    return found


def pages(root):
    """All pages but the template of docs/results.md, whose links are relative to docs/."""
    left_out = ("build", ".git", "page")
    return sorted(page for page in root.rglob("*.md") if not set(page.relative_to(root).parts[:-1]) & set(left_out))


class CheckTest(unittest.TestCase):
    def setUp(self):
        self.root = pathlib.Path(__file__).resolve().parents[2]

    def missing(self, text, page="README.md"):
        return missing_in(text, self.root / page, self.root)

    def test_a_path_that_is_gone_is_found(self):
        self.assertEqual(self.missing("see `docs/guide.md` and hannan/engine/gone.cpp."), ["hannan/engine/gone.cpp"])

    def test_a_link_is_relative_to_its_page(self):
        self.assertEqual(self.missing("[guide](guide.md#commands)", "docs/logs.md"), [])
        self.assertEqual(self.missing("[guide](guide.md#commands)"), ["guide.md#commands"])

    def test_formulas_are_no_links(self):
        self.assertEqual(self.missing("$[L_t](x_t)$ and [gone](gone.md) and $a$"), ["gone.md"])

    def test_patterns_and_addresses_are_no_paths(self):
        self.assertEqual(self.missing("hannan/problems/<name>/x.hpp, plans/*.toml, https://example.org/docs/x.html, [a](https://example.org)"), [])
        self.assertEqual(self.missing("plans/*.gone"), ["plans/*.gone"])


def main():
    root = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 else pathlib.Path(__file__).parents[2]).resolve()
    found = [f"{page.relative_to(root)}: {path}" for page in pages(root) for path in missing_in(page.read_text(), page, root)]
    for line in found:
        print(f"{line} does not exist", file=sys.stderr)
    if not pages(root):
        sys.exit("found no page")
    result = unittest.main(exit=False).result
    sys.exit(1 if found or not result.wasSuccessful() else 0)


if __name__ == "__main__":
    main()
