"""The include check refuses each kind of wrong include, and accepts the right ones."""

import unittest

from include_check import LAYERS, check, objections


class IncludeCheck(unittest.TestCase):
    def refuses(self, files):
        self.assertEqual(len(objections(files)), 1, objections(files))

    def accepts(self, files):
        self.assertEqual(objections(files), [])

    def test_a_folder_includes_itself_and_lower_layers(self):
        self.accepts({"hannan/core/oracle.hpp": ['"hannan/core/evidence.hpp"', "<vector>"]})
        for low, lower_layer in enumerate(LAYERS):
            for upper_layer in LAYERS[low + 1:-1]:
                for lower in set(lower_layer) - {"verify"}:  # which has rules of its own
                    for upper in set(upper_layer) - {"verify"}:
                        self.accepts({f"hannan/{upper}/x.cpp": [f'"hannan/{lower}/x.hpp"']})
                        self.refuses({f"hannan/{lower}/x.cpp": [f'"hannan/{upper}/x.hpp"']})

    def test_folders_of_one_layer_do_not_include_each_other(self):
        self.accepts({"hannan/learners/hedge.hpp": ['"hannan/learners/mixture.hpp"']})
        self.refuses({"hannan/oracles/x.hpp": ['"hannan/certify/bounds.hpp"']})
        self.refuses({"hannan/external/x.cpp": ['"hannan/check/check.hpp"']})
        self.refuses({"hannan/compare/x.cpp": ['"hannan/experiment/x.hpp"']})

    def test_the_programs_stand_on_top_and_apart(self):
        self.accepts({"cli/run.cpp": ['"command.hpp"', '"hannan/play/play.hpp"'], "cli/command.hpp": []})
        self.refuses({"cli/x.cpp": ['"service/api.hpp"'], "service/api.hpp": []})
        self.refuses({"hannan/report/x.cpp": ['"hannan/hannan.hpp"']})

    def test_includes_of_includes_are_followed(self):
        chain = {"hannan/streams/source.hpp": ['"hannan/game/game.hpp"'],
                 "hannan/game/game.hpp": ['"cli/x.hpp"'],  # wrong as it is written, and where it leads
                 "cli/x.hpp": []}
        found = objections(chain)
        self.assertIn("hannan/streams/source.hpp -> hannan/game/game.hpp -> cli/x.hpp: "
                      "streams does not include cli", found)

    def test_no_problem_reaches_another(self):
        self.accepts({"hannan/problems/routing/routing.cpp": ['"hannan/game/game.hpp"'],
                      "hannan/game/game.hpp": []})
        self.refuses({"hannan/problems/routing/routing.cpp": ['"hannan/problems/experts/experts.hpp"']})
        self.refuses({"hannan/problems/routing/routing.cpp": ['"hannan/problems/shared.hpp"'],
                      "hannan/problems/shared.hpp": ['"hannan/problems/experts/experts.hpp"']})

    def test_the_verifier_includes_the_interface_of_problems_and_reaches_no_formula(self):
        self.accepts({"hannan/verify/x.cpp": ['"hannan/runtime/make_game.hpp"', '"hannan/io/json.hpp"'],
                      "hannan/runtime/make_game.hpp": ['"hannan/game/game.hpp"']})
        for header in ("runtime/pipe", "runtime/any_problem", "certify/certificate", "certify/bounds", "check/check"):
            self.assertTrue(objections({"hannan/verify/x.cpp": [f'"hannan/{header}.hpp"']}), header)
        for folder in ("learners", "certify", "check", "noise", "schedules", "oracles", "contexts"):
            self.refuses({"hannan/verify/x.cpp": ['"hannan/runtime/make_game.hpp"'],
                          "hannan/runtime/make_game.hpp": [f'"hannan/{folder}/x.hpp"']})

    def test_a_third_party_library_stays_in_one_source_file(self):
        self.accepts({"hannan/io/json.cpp": ["<nlohmann/json.hpp>", "<fmt/format.h>"]})
        for header in ("nlohmann/json.hpp", "simdjson.h", "zlib.h", "expat.h", "openssl/evp.h", "toml++/toml.h",
                       "coin/ClpSimplex.hpp", "Random123/philox.h", "hwy/highway.h", "CLI/CLI.hpp"):
            self.refuses({"hannan/io/csv.cpp": [f"<{header}>"]})
        for header in ("nlohmann/json.hpp", "fmt/format.h"):
            self.refuses({"hannan/io/json.hpp": [f"<{header}>"]})
        self.accepts({"cli/parse.cpp": ["<CLI/CLI.hpp>"]})

    def test_a_folder_without_a_layer_and_a_bare_name_are_refused(self):
        self.refuses({"hannan/cellar/x.hpp": ['"hannan/core/error.hpp"']})
        self.refuses({"hannan/io/json.cpp": ['"json.hpp"']})

    def test_an_empty_tree_counts_no_files(self):
        self.assertEqual(check("/nonexistent"), ([], 0))


if __name__ == "__main__":
    unittest.main()
