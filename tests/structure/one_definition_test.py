"""What one_definition.py takes for a class defined twice, and what not."""

import unittest

import one_definition


class Doubles(unittest.TestCase):
    def twice(self, first, second):
        return one_definition.doubles({"a.hpp": first, "b.hpp": second})[0]

    def test_two_classes_of_one_name_are_found(self):
        found = self.twice("namespace hannan {\nclass List {\n};\n}", "namespace hannan {\nstruct List final : Base<int> { int x; };\n}")
        self.assertEqual(found, ["hannan::List: a.hpp, b.hpp"])

    def test_other_namespaces_and_nested_classes_are_others(self):
        plain = "namespace hannan { class List { }; }"
        for other in ("namespace hannan { namespace { class List { }; } }", "namespace hannan::cli { class List { }; }",
                      "namespace hannan { class Other { class List { }; }; }", "namespace hannan { class List; }",
                      "namespace hannan { template <class List> struct Other { }; }", "namespace hannan { void f() { struct List { }; } }",
                      "namespace hannan { /* class List { */ // class List {\n const char* s = \"class List {\"; }",
                      "namespace hannan { class List::Inner { }; }"):
            self.assertEqual(self.twice(plain, other), [], other)

    def test_specialisations_are_told_apart_by_their_arguments(self):
        one = "namespace hannan {\ntemplate <>\nstruct Codec<Doors> {\n};\n}"
        self.assertEqual(self.twice(one, one.replace("Doors", "Stocks")), [])
        self.assertEqual(len(self.twice(one, one)), 1)


if __name__ == "__main__":
    unittest.main()
