"""The words check refuses each thing it names, and nothing else."""

import unittest

from words_check import LONGEST, objections


class WordsCheck(unittest.TestCase):
    def test_refuses_randomness_that_differs_between_compilers(self):
        for line in ("std::normal_distribution<double> d;", "std::mt19937 g;"):
            self.assertEqual(len(objections("hannan/core/x_test.cpp", line)), 1, line)

    def test_the_library_never_prints_exits_or_reads_globals(self):
        for line in ("std::cerr << 1;", 'printf("x");', "std::exit(1);", 'getenv("HOME")'):
            self.assertEqual(len(objections("hannan/core/x.cpp", line)), 1, line)
            self.assertEqual(objections("cli/main.cpp", line), [], line)

    def test_refuses_long_files_and_empty_names(self):
        self.assertEqual(objections("hannan/core/x.cpp", "\n" * LONGEST), [])
        self.assertEqual(len(objections("hannan/core/x.cpp", "\n" * (LONGEST + 1))), 1)
        self.assertEqual(len(objections("hannan/core/string_utils.hpp", "")), 1)
        self.assertEqual(objections("hannan/core/community.hpp", ""), [])


if __name__ == "__main__":
    unittest.main()
