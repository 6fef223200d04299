"""Tests of namespace_check.py."""

import unittest

import namespace_check


class NamespaceCheck(unittest.TestCase):
    PUBLIC = {"hannan/hannan.hpp": '#include "hannan/core/a.hpp"\n',
              "hannan/core/a.hpp": '#include "hannan/core/b.hpp"\nnamespace hannan {\n}',
              "hannan/core/b.hpp": "namespace hannan::bounds {\n}"}

    def test_public_headers_are_in_hannan_and_the_rest_in_detail(self):
        texts = self.PUBLIC | {"hannan/io/c.hpp": "namespace hannan::detail {\n}", "cli/d.hpp": "namespace hannan::detail::cli {\n}"}
        self.assertEqual(namespace_check.objections(texts), [])

    def test_a_hidden_header_in_hannan_is_found(self):
        for name in ("hannan", "hannan::limits", "hannan::details"):
            found = namespace_check.objections(self.PUBLIC | {"hannan/io/c.hpp": f"namespace {name} {{\n}}"})
            self.assertEqual(len(found), 1, name)

    def test_a_public_header_in_detail_is_found(self):
        for name in ("hannan::detail", "hannan::detail::limits"):
            found = namespace_check.objections(self.PUBLIC | {"hannan/core/a.hpp": f'#include "hannan/core/b.hpp"\nnamespace {name} {{\n}}'})
            self.assertEqual(len(found), 1, name)

    def test_what_a_public_header_needs_may_be_in_detail(self):
        texts = self.PUBLIC | {"hannan/core/b.hpp": "namespace hannan::detail {\n}"}
        self.assertEqual(namespace_check.objections(texts), [])

    def test_a_test_stands_in_the_namespace_of_its_file(self):
        good = {"hannan/io/c_test.cpp": "namespace hannan::detail {\nnamespace c_test {\n}\n}"}
        self.assertEqual(namespace_check.objections_to_tests(good), [])
        nameless = {"hannan/io/c_test.cpp": "namespace hannan::detail {\nnamespace {\n}\n}"}
        other = {"hannan/io/c_test.cpp": "namespace hannan::detail::d_test {\n}"}
        twice = good | {"hannan/core/c_test.cpp": "namespace hannan::c_test {\n}"}
        for texts, count in ((nameless, 1), (other, 1), (twice, 2)):
            self.assertEqual(len(namespace_check.objections_to_tests(texts)), count, texts)


if __name__ == "__main__":
    unittest.main()
