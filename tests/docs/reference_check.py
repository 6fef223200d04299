"""Counts public names without documentation: reference_check.py [ROOT]

Python: every name of __all__ of hannan, hannan.river and hannan.sklearn, with their methods, properties, fields and what
__init__ puts on self. C++: every public header (hannan/hannan.hpp, hannan/problems.hpp and what they reach, at most 25) has a
contract at its head, and every name that doxygen finds in namespace hannan, every member and every enumerator has a comment.
Both counts must be 0. Without doxygen the exit status is 77."""
import pathlib
import re
import sys
import tempfile
import unittest

ROOT = pathlib.Path(sys.argv.pop()).resolve() if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
from site_parts import cpp_api, python_api, service_api  # noqa: E402
from site_parts.stage import write  # noqa: E402


class Python(unittest.TestCase):
    def test_every_public_name_is_documented(self):
        names = python_api.public(ROOT)
        self.assertGreater(sum(1 + len(one.members) for some in names.values() for one in some), 200)
        self.assertEqual(python_api.undocumented(ROOT), [])

    def test_a_name_without_a_docstring_is_found(self):
        with tempfile.TemporaryDirectory() as folder:
            package = pathlib.Path(folder, "python/hannan")
            package.mkdir(parents=True)
            for file in ("river.py", "sklearn.py", "_core.pyi"):
                (package / file).write_text("__all__ = []\n")
            (package / "__init__.py").write_text('from ._a import A, f\n__all__ = ["A", "f"]\n')
            (package / "_a.py").write_text('class B:\n    def told(self):\n        """Said below."""\n    def untold(self): ...\n'
                                           'class A(B):\n    """A class with `d`."""\n    def told(self): ...\n    def _own(self): ...\n    x: int  # a number\n    y: int\n'
                                           "    def __init__(self):\n        self.a, self._b = 1, 2\n        # Said above.\n        self.c = 3\n        self.d: int = 4\n"
                                           "def f(): ...\n")
            self.assertEqual(python_api.undocumented(pathlib.Path(folder)), ["hannan.A.y", "hannan.A.a", "hannan.A.untold", "hannan.f"])


def headers(text):
    """A folder whose only public header has this text."""
    folder = tempfile.TemporaryDirectory()
    write(folder.name, "hannan/hannan.hpp", text)
    return folder


class PublicHeaders(unittest.TestCase):
    def test_they_are_at_most_25_whatever_they_include(self):
        headers = cpp_api.public(ROOT)
        self.assertLessEqual(len(headers), 25)
        self.assertGreater(len(headers), 15)

    def test_each_has_a_contract(self):
        self.assertEqual([header for header, text in cpp_api.public(ROOT).items() if len(cpp_api.head_of(text).split()) < 15], [])

    def test_examples_and_consumers_include_no_others(self):
        for folder in ("examples", "tests/consumer"):
            for file in (ROOT / folder).rglob("*.cpp"):
                for header in re.findall(r"#include <(hannan/[^>]+)>", file.read_text()):
                    self.assertIn(header, cpp_api.public(ROOT), file.name)


class Snippets(unittest.TestCase):
    def test_every_line_of_cpp_in_a_page_is_one_of_an_example_that_is_compiled(self):
        known = {re.sub(r"\s*//.*", "", line).strip() for file in (ROOT / "examples").glob("*.cpp") for line in file.read_text().split("\n")}
        found = 0
        for page in (ROOT / "README.md", *(ROOT / "docs").rglob("*.md")):
            for block in re.findall(r"^```cpp\n(.*?)^```", page.read_text(), re.MULTILINE | re.DOTALL):
                for line in block.strip().split("\n"):
                    self.assertIn(re.sub(r"\s*//.*", "", line).strip(), known, page.name)
                    found += 1
        self.assertGreater(found, 5)


@unittest.skipIf(cpp_api.lacking(), f"{cpp_api.lacking()} is not installed")
class Cpp(unittest.TestCase):
    def test_every_name_and_member_is_documented(self):
        self.assertGreater(len(cpp_api.flat(one for some in cpp_api.names(ROOT).values() for one in some)), 500)
        self.assertEqual(cpp_api.undocumented(ROOT), {})

    def test_a_name_without_a_comment_is_found(self):
        text = ("// A header about f, and about a field told.\n#pragma once\nnamespace hannan {\n"
                "struct First {\n  int x;\n  int told;\n};\n\n// Said.\nint f();\nint g();\n\nint h();  // behind it\nint i();\n\n"
                "template <class P>\nclass Mute {\n public:\n  Mute(int x);\n  ~Mute();\n  int size() const;\n  // Said.\n  int said() const;\n};\n\n"
                "// Said of no name.\n\nint mute(int x);\n\n// Colours: kRed.\nenum class Colour { kRed, kBlue };\n\n"
                "template <class P>\nconcept Plain = requires(P p) { p.x(); };\n\n// Of both.\nstruct Both {};  // and of itself\nint both(Both one);\n"
                "}  // namespace hannan\n")
        with headers(text) as folder:
            self.assertEqual(cpp_api.undocumented(pathlib.Path(folder)),
                             {"hannan/hannan.hpp": ["First", "First.x", "i", "Mute", "Mute.size", "mute", "Colour.kBlue", "Plain"]})

    def test_details_bodies_and_private_parts_are_left_out(self):
        text = ("// A box.\n#pragma once\n#include <x>\nnamespace hannan {\nnamespace detail {\nstruct Hidden { int x; };\n}\n"
                "// Something.\nclass Box {\n public:\n  Box(int n) : n_(n) { check(); }\n  const int& size(double<3> x = {}) const { return n_; }\n\n private:\n  int n_;\n};\n"
                "template <class B>\nconcept Sized = requires(const B& b) {\n  b.size();  // how many\n};\n}  // namespace hannan\n")
        with headers(text) as folder:
            found = cpp_api.names(pathlib.Path(folder))["hannan/hannan.hpp"]
        self.assertEqual([(one.path, one.declared) for one in cpp_api.flat(found)],
                         [("Box", "class Box"), ("Box.Box", "Box(int n);"), ("Box.size", "const int& size(double<3> x={}) const;"),
                          ("Sized", "template <class B>\nconcept Sized = requires(const B& b) {\n  b.size();  // how many\n};")])


class Service(unittest.TestCase):
    def test_every_route_says_what_it_does(self):
        with tempfile.TemporaryDirectory() as folder:
            service_api.page(ROOT, pathlib.Path(folder))
            page = pathlib.Path(folder, "reference/service.md").read_text()
        routes = page[page.index("## Routes"):page.index("## Values")].split("\n### ")[1:]
        self.assertGreater(len(routes), 30)
        self.assertEqual([route.split("\n")[0] for route in routes if not route.split("\n")[2]], [])


if __name__ == "__main__":
    done = unittest.main(exit=False).result
    sys.exit(1 if not done.wasSuccessful() else 77 if done.skipped else 0)
