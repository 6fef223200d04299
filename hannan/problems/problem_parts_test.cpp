// Constructors of the built-in problems check their arguments: those who make them in C++ have no JSON in front of
// them.
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "hannan/core/error.hpp"
#include "hannan/problems/classification/classification.hpp"
#include "hannan/problems/experts/experts.hpp"
#include "hannan/problems/finite_game/finite_game.hpp"
#include "hannan/problems/first_price_bidding/first_price_bidding.hpp"
#include "hannan/problems/item_pricing/item_pricing.hpp"
#include "hannan/problems/level_auction/level_auction.hpp"
#include "hannan/problems/multi_unit/multi_unit.hpp"
#include "hannan/problems/routing/routing.hpp"
#include "hannan/problems/second_price_bidding/second_price_bidding.hpp"
#include "hannan/problems/security_game/security_game.hpp"
#include "hannan/problems/threshold_bidding/threshold_bidding.hpp"
#include "hannan/problems/vcg_reserves/vcg_reserves.hpp"

namespace hannan::detail {
namespace problem_parts_test {

// "code place" of the error, or "none".
std::string fault_of(const std::function<void()>& make) {
  try {
    make();
  } catch (const Error& e) {
    return code_name(e.code()) + " " + e.at();
  }
  return "none";
}

ActionList listed(std::vector<int> action) { return ActionList(std::vector<std::vector<int>>{std::move(action)}); }

TEST(TypedProblems, RefuseNumbersOutOfRangeAndNameThem) {
  EXPECT_EQ(fault_of([] { Experts(0); }), "H105 experts");
  EXPECT_EQ(fault_of([] { VcgReserves({.bidders = 0, .levels = 4}); }), "H105 bidders");
  EXPECT_EQ(fault_of([] { VcgReserves({.bidders = 2, .levels = 5000}); }), "H105 levels");
  EXPECT_EQ(fault_of([] { ItemPricing({.items = 33, .levels = 4}); }), "H105 items");
  EXPECT_EQ(fault_of([] { MultiUnit({.bidders = 2, .units = 0}); }), "H105 units");
  EXPECT_EQ(fault_of([] { MultiUnit({.bidders = 1000, .units = 1'000'000'000, .range = Range::kAll}); }), "H105 units");
  EXPECT_EQ(fault_of([] { LevelAuction({.bidders = 2, .levels = 3, .thresholds = 4}); }), "H105 thresholds");
  EXPECT_EQ(fault_of([] { LevelAuction({.bidders = 64, .levels = 1000, .thresholds = 500}); }), "H105 thresholds");
  EXPECT_EQ(fault_of([] { VcgReserves({.bidders = 2, .levels = 4}); }), "none");
}

TEST(TypedProblems, RefuseTablesThatAreNone) {
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(fault_of([] { Experts(2, {{1}, {1, 2}}); }), "H105 matrix[1]");
  EXPECT_EQ(fault_of([] { Experts(2, {{1}}); }), "H105 matrix");
  EXPECT_EQ(fault_of([] { FiniteGame({.table = {}}); }), "H105 losses");
  EXPECT_EQ(fault_of([] { FiniteGame({.table = {{0.5, 2}}}); }), "H105 losses[0][1]");
  EXPECT_EQ(fault_of([=] { FiniteGame({.table = {{0.5, kNaN}}, .form = Form::kReward}); }), "H105 rewards[0][1]");
  EXPECT_EQ(fault_of([] { FiniteGame({.table = {{0, 1}}, .columns = {{{1.0, 2}}}}); }), "H105 columns[0][0]");
  EXPECT_EQ(fault_of([] { FiniteGame({.table = {{0}, {1}}, .matrix = {{1}}}); }), "H105 matrix");
}

TEST(TypedProblems, RefuseValuationsAndPricesThatDoNotFit) {
  EXPECT_EQ(fault_of([] { SecondPriceBidding(1, 4, {0}); }), "H105 valuation");
  EXPECT_EQ(fault_of([] { SecondPriceBidding(1, 4, {0, 5}); }), "H105 valuation[1]");
  EXPECT_EQ(fault_of([] { SecondPriceBidding(2, 4, {0, 3, 2, 1}); }), "H105 valuation");  // more items worth less
  EXPECT_EQ(fault_of([] { SecondPriceBidding(2, 4, {0, 3, 2, 3}); }), "none");
  const auto bidding = [](std::vector<std::vector<double>> prices, const ActionList& actions = {}) {
    return fault_of([&] {
      ThresholdBidding({.items = 1, .levels = 4, .valuation = {0, 4}, .prices = prices, .actions = actions});
    });
  };
  EXPECT_EQ(bidding({}), "H105 prices");
  EXPECT_EQ(bidding({{0.5, 0.5}}), "H105 prices[0]");
  EXPECT_EQ(bidding({{-0.5}}), "H105 prices[0][0]");
  EXPECT_EQ(bidding({{0.5}}, listed({5})), "H105 actions[0][0]");
  EXPECT_EQ(bidding({{0.5}}), "none");
}

TEST(TypedProblems, RefuseGamesGraphsAndPointsThatAreNone) {
  const SecurityGame::Type type{.attacker = {{0}, {1}}, .defender = {{1}, {-1}}};
  EXPECT_EQ(fault_of([] { SecurityGame({.targets = 1, .levels = 3, .resources = 1, .types = {}, .actions = {}}); }),
            "H105 types");
  EXPECT_EQ(
      fault_of([&] { SecurityGame({.targets = 2, .levels = 3, .resources = 1, .types = {type}, .actions = {}}); }),
      "H105 types[0].attacker.covered");
  EXPECT_EQ(fault_of([&] {
              SecurityGame({.targets = 1, .levels = 3, .resources = 0, .types = {type}, .actions = listed({2})});
            }),
            "H105 actions");
  const auto graph = [](std::vector<WalkNetwork::Edge> edges, int target) {
    return fault_of([&] {
      Routing({.graph = {.edges = edges, .vertices = 3, .source = 0, .target = target, .hops = {}}, .names = {}});
    });
  };
  EXPECT_EQ(graph({}, 1), "H105 edges");
  EXPECT_EQ(graph({{0, 3}}, 1), "H105 edges[0]");
  EXPECT_EQ(graph({{0, 1}}, 0), "H105 target");
  EXPECT_EQ(graph({{0, 1}}, 2), "H105 target");                // no way there
  EXPECT_EQ(graph({{0, 1}, {1, 0}, {1, 2}}, 2), "H102 hops");  // a cycle
  EXPECT_EQ(graph({{0, 1}, {1, 2}}, 2), "none");
  EXPECT_EQ(fault_of([] { Classification({.name = "circles", .table = Points{{0}}}); }), "H106 hypotheses");
  EXPECT_EQ(fault_of([] { Classification({.name = "stumps", .table = Points{{0}, {0, 1}}}); }), "H105 points[1]");
  EXPECT_EQ(fault_of([] { Classification({.name = {}, .table = Points{{0, 2}}}); }), "H105 predictions[0][1]");
  EXPECT_EQ(fault_of([] { Classification({.name = "stumps", .table = Points{{0}, {1}}}); }), "none");
}

}  // namespace problem_parts_test
}  // namespace hannan::detail
