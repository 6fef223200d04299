"""scripts/mutations finds every number and operator of a formula, and nothing else."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts" / "mutants"))
from sites import Sites  # noqa: E402


def changes(text):
    sites = Sites()
    switched = sites.switched("x.cpp", text)
    return [change for _, _, _, change in sites.mutants], switched


class MutationSites(unittest.TestCase):
    def test_a_formula_has_its_numbers_operators_and_signs(self):
        found, _ = changes("double f(double a) { return -2 * a + 0.5; }\n")
        self.assertEqual([change.split(": ")[0] for change in found], ["-", "2", "*", "*", "+", "+", "0.5"])

    def test_pointers_templates_texts_and_comments_have_none(self):
        text = 'const char* f(const Foo* x) {  // 2 + 2\n  std::vector<double> v;\n  return *x ? "1 + 1" : x->y;\n}\n'
        self.assertEqual(changes(text)[0], [])

    def test_a_switch_keeps_the_precedence_of_its_operator(self):
        _, switched = changes("double f() { return a - b / c; }\n")
        self.assertIn("a +hannan::mutants::Minus{0}+ b *hannan::mutants::Over{2}* c", switched)

    def test_sums_choices_and_conditions_are_places_too(self):
        found, switched = changes("void f() {\n  if (a) s += std::min(b, c);\n  if (int d = e) g();\n}\n")
        self.assertEqual([change.split(": ")[0] for change in found], ["if", "+=", "+=", "std::min"])
        self.assertIn("s += hannan::mutants::added(1,  hannan::mutants::least(3, b, c));", switched)


if __name__ == "__main__":
    unittest.main()
