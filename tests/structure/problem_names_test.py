"""The check of problem names refuses each thing it names, and nothing else."""

import unittest

from problem_names import objections

NAMES = ["experts", "item-pricing"]


def of(text, path="cli/x.cpp"):
    return objections(path, text, NAMES)


class ProblemNames(unittest.TestCase):
    def test_refuses_a_name_with_file_and_line(self):
        found = of('int a;\nif (kind == "experts") b();\n')
        self.assertEqual(len(found), 1)
        self.assertTrue(found[0].startswith("cli/x.cpp:2: "), found)

    def test_refuses_names_of_two_words_inside_a_text(self):
        self.assertEqual(len(of('throw Error("expected item-pricing: others have none");')), 1)
        self.assertEqual(len(of('auto t = R"({"kind":"item-pricing"})";')), 1)
        self.assertEqual(of('throw Error("found ten experts");'), [])  # a word of English
        self.assertEqual(of('auto t = "item-pricing-next";'), [])

    def test_comments_and_shown_commands_may_name_problems(self):
        self.assertEqual(of('// "experts"\nint a; /* "item-pricing" */'), [])
        self.assertEqual(of('text += "  hannan run item-pricing -d x";'), [])
        self.assertEqual(of('command.examples = {"curl -d item-pricing",\n  "x"};\n'), [])
        self.assertEqual(len(of('command.examples = {"hannan run {}"};\nauto k = "experts";')), 1)

    def test_refuses_headers_of_one_problem(self):
        self.assertEqual(len(of('#include "hannan/problems/experts/experts.hpp"\n')), 1)
        self.assertEqual(of('#include "hannan/problems/log_kinds.hpp"\n'), [])

    def test_python_may_name_problems_in_docstrings_alone(self):
        self.assertEqual(of('def f():\n    """problem("experts")"""\n', "python/hannan/x.py"), [])
        self.assertEqual(len(of('def f():\n    return problem("experts")\n', "python/hannan/x.py")), 1)
        self.assertEqual(len(of('what = f"item-pricing {1}"\n', "python/hannan/x.py")), 1)


if __name__ == "__main__":
    unittest.main()
