// What the verifier finds by a search over kept outcomes, against sums over all actions that are made here.
#include "hannan/verify/recomputed_totals.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "hannan/core/keyed_random.hpp"
#include "hannan/runtime/make_game.hpp"

namespace hannan::detail {
namespace recomputed_totals_test {

struct Case {
  const char* kind;
  Json params;
  double grid;    // entries of a row are multiples of 1/grid
  double growth;  // ... times this to the power of the round
  double discount;
};

std::vector<Case> cases() {
  const Json reserves = Json::object({{"bidders", 2}, {"levels", 4}});
  const Json any_range = Json::object({{"experts", 3}, {"range", "unknown"}});
  std::vector<Case> all;
  for (const double discount : {1.0, 0.9}) {
    all.push_back({.kind = "vcg-reserves", .params = reserves, .grid = 4, .growth = 1, .discount = discount});
    all.push_back({.kind = "experts", .params = any_range, .grid = 3, .growth = 1, .discount = discount});
    all.push_back({.kind = "experts", .params = any_range, .grid = 1000, .growth = 1.2, .discount = discount});
  }
  return all;
}

// Outcomes repeat, units grow, and searches come after one outcome or after several.
TEST(RecomputedTotals, FindTheLeastTotalWheneverTheySearch) {
  for (const Case& c : cases()) {
    const auto game = make_game(c.kind, c.params, "params");
    const ListedActions none(*game, 0);
    ASSERT_FALSE(none.listed());
    RecomputedTotals totals(*game, none, {.oracle = "", .discount = c.discount});
    const std::vector<AnyAction> actions = game->first_actions(1000);
    std::vector<double> expected(actions.size(), 0.0);
    for (std::uint64_t t = 1; t <= 60; ++t) {
      const KeyedRandom random(Key{.seed = 5}, Purpose::kTest, t);
      std::vector<double> row(game->row_width());
      for (std::size_t j = 0; j < row.size(); ++j)
        row[j] = std::pow(c.growth, static_cast<double>(t)) *
                 static_cast<double>(random.below(j, static_cast<std::uint64_t>(c.grid) + 1)) / c.grid;
      AnyOutcome outcome;
      game->read_row(row, outcome);
      totals.add(outcome, {});
      for (std::size_t k = 0; k < actions.size(); ++k)
        expected[k] = c.discount * expected[k] + game->loss(actions[k], outcome);
      if (t % 7 != 0 && t % 5 != 0 && t > 4) continue;
      const double least = *std::min_element(expected.begin(), expected.end());
      const auto found = totals.search();
      EXPECT_NEAR(found.value, least, 1e-9 * std::max(1.0, std::abs(least))) << c.kind << " " << c.discount << " " << t;
      EXPECT_NEAR(totals.total_of(found.action), least, 1e-9 * std::max(1.0, std::abs(least)));
      EXPECT_EQ(totals.search(RecomputedTotals::Effort::kEnd).value, found.value);
    }
  }
}

}  // namespace recomputed_totals_test
}  // namespace hannan::detail
