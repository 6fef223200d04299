"""The include check refuses each kind of wrong arrow, and accepts the right ones."""

import unittest

from include_check import check, crossings, objection


class IncludeCheck(unittest.TestCase):
    def refuses(self, path, target):
        self.assertIsNotNone(objection(path, target), f"{path} including {target}")

    def accepts(self, path, target):
        self.assertIsNone(objection(path, target), f"{path} including {target}")

    def test_core_includes_nothing_else_of_ours(self):
        self.accepts("hannan/core/seen_outcomes.hpp", '"hannan/core/oracle.hpp"')
        for room in ("noise", "io", "certify", "engine"):
            self.refuses("hannan/core/seen_outcomes.hpp", f'"hannan/{room}/x.hpp"')

    def test_siblings_do_not_include_each_other(self):
        self.accepts("hannan/learners/hedge.hpp", '"hannan/learners/mixture.hpp"')
        self.refuses("hannan/learners/ada.hpp", '"hannan/noise/noise.hpp"')
        self.refuses("hannan/learners/ada.hpp", '"hannan/certify/bounds.hpp"')
        self.refuses("hannan/certify/emax.cpp", '"hannan/noise/noise.hpp"')
        self.refuses("hannan/io/json.cpp", '"hannan/problems/experts/experts.hpp"')

    def test_nothing_includes_what_stands_above_it(self):
        self.refuses("hannan/problems/experts/experts.cpp", '"hannan/runtime/any_problem.hpp"')
        self.refuses("hannan/problems/experts/experts.cpp", '"hannan/learners/ada.hpp"')
        self.refuses("hannan/game/source.cpp", '"hannan/runtime/any_problem.hpp"')
        self.refuses("cli/play.cpp", '"hannan/learners/ada.hpp"')
        self.accepts("cli/play.cpp", '"hannan/runtime/pipe.hpp"')

    def test_no_problem_includes_another(self):
        columns = "hannan/perturbations/explicit_columns.hpp"
        shared = {"hannan/problems/routing/routing.cpp": [columns], "hannan/problems/experts/experts.cpp": [columns]}
        self.assertEqual(crossings(["routing", "experts"], shared), [])
        straight = {"hannan/problems/routing/routing.cpp": ["hannan/problems/experts/experts.hpp"]}
        self.assertEqual(len(crossings(["routing", "experts"], straight)), 1)
        through_a_piece = shared | {columns: ["hannan/problems/experts/experts.hpp"]}
        self.assertEqual(len(crossings(["routing", "experts"], through_a_piece)), 1)

    def test_third_party_headers_stay_in_sources(self):
        self.accepts("hannan/io/json.cpp", "<nlohmann/json.hpp>")
        for header in ("nlohmann/json.hpp", "simdjson.h", "zlib.h", "coin/ClpSimplex.hpp", "Random123/philox.h", "CLI/CLI.hpp", "fmt/format.h"):
            self.refuses("hannan/io/json.hpp", f"<{header}>")
        self.accepts("hannan/io/json.hpp", "<vector>")

    def test_an_unknown_room_and_a_bare_name_are_refused(self):
        self.refuses("hannan/cellar/x.hpp", '"hannan/core/error.hpp"')
        self.refuses("hannan/io/json.cpp", '"json.hpp"')

    def test_an_empty_tree_counts_no_files(self):
        self.assertEqual(check("/nonexistent"), ([], 0))


if __name__ == "__main__":
    unittest.main()
