#include "hannan/verify/noise_rows.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "hannan/runtime/registry.hpp"

namespace hannan::detail {
namespace noise_rows_test {

// Against the plain product of every row: every problem's matrices, codes and data sets alike.
TEST(NoiseRows, MultiplyAsTheRowsThemselvesDo) {
  const std::vector<std::pair<const char*, const char*>> problems{
      {"experts", R"({"experts":1})"},
      {"experts", R"({"experts":37,"matrix":)"},
      {"finite-game", R"({"rewards":[[0.1,0.7,0.4],[0.9,0.2,0.3],[0.35,0.45,0.85]]})"},
      {"vcg-reserves", R"({"bidders":3,"levels":5,"units":1,"rule":"eager"})"},
      {"routing", R"({"edges":[["s","a"],["a","t"],["s","b"],["b","t"],["a","b"]],"source":"s","target":"t"})"}};
  for (const auto& [kind, params] : problems) {
    std::string text = params;
    if (text.ends_with(':')) {  // entries that no difference hits exactly, and rows that repeat
      Json rows = Json::array();
      for (int k = 0; k < 37; ++k)
        rows.push_back(Json::array({Json(1.0 / (1 + k / 2)), Json(k % 5 * 1e9), Json(0.1 * k)}));
      text += dump(rows) + "}";
    }
    const auto problem = make_problem(kind, parse_json(text), "params");
    const auto actions = problem->game().action_table(1000);
    ASSERT_TRUE(actions);
    for (const auto& matrix : problem->game().perturbations()) {
      const auto row = [&](const AnyAction& x, std::span<double> out) { matrix->row(x, out); };
      std::vector<double> alpha(matrix->columns()), entries(matrix->columns()), found(actions->size());
      for (std::size_t j = 0; j < alpha.size(); ++j) alpha[j] = (static_cast<double>(j * j % 17) - 8.3) / 7;
      for (const bool shaped : {false, true}) {
        const NoiseRows rows(*actions, matrix->columns(), row,
                             shaped ? matrix->shape() : std::vector<CoordinateShape>{});
        ASSERT_TRUE(rows.known());
        rows.products(alpha, found);
        for (std::size_t k = 0; k < found.size(); ++k) {
          matrix->row(actions->action(k), entries);
          double expected = 0;
          for (std::size_t j = 0; j < alpha.size(); ++j) expected += entries[j] * alpha[j];
          EXPECT_NEAR(found[k], expected, 1e-14 * std::max(1.0, std::abs(expected))) << kind << " " << matrix->name();
          EXPECT_EQ(actions->place(actions->action(k)), k);
        }
      }
    }
  }
}

}  // namespace noise_rows_test
}  // namespace hannan::detail
