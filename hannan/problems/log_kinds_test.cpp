#include "hannan/problems/log_kinds.hpp"

#include <gtest/gtest.h>

#include "hannan/game/money.hpp"
#include "hannan/runtime/registry.hpp"

namespace hannan::detail {
namespace log_kinds_test {

std::shared_ptr<const Money> money_of(const char* kind, const char* params) {
  return make_problem(kind, parse_json(params), "params")->game().money();
}

TEST(LogKinds, AreListedInTheOrderOfTheRegistryAsASentence) {
  EXPECT_EQ(log_kinds_of({LogShape::kBids}), "vcg-reserves and level-auction");
  EXPECT_EQ(log_kinds_of({LogShape::kBids, LogShape::kOwnBid}), "vcg-reserves, level-auction and first-price-bidding");
  EXPECT_EQ(log_kinds_of({}), "");
  EXPECT_EQ(first_log_kind([](const LogUse&) { return true; }), log_kinds().front().name);
  EXPECT_EQ(log_use("routing").shape, LogShape::kNone);
}

TEST(LogKinds, ProblemsWithoutADecisionAreMadeForLogsThatAreNotPlayed) {
  for (const LogKind& kind : log_kinds()) {
    if (!kind.use.unplayed) continue;
    const auto problem = make_problem(std::string(kind.name), kind.use.unplayed({.owners = 3}), "params");
    EXPECT_EQ(problem->game().action_count(), 1) << kind.name;
  }
}

TEST(Money, AmountsAreListsOrLevelsOfAScale) {
  const auto levels = money_of("vcg-reserves", R"({"bidders":2,"levels":4})");
  EXPECT_EQ(levels->amounts.what, "reserve");
  EXPECT_EQ(levels->amounts.owners, 2U);
  EXPECT_EQ(levels->amounts.levels, 4);
  EXPECT_TRUE(levels->amounts.lists.empty());
  EXPECT_FALSE(levels->first_asks_nothing);  // the lowest level asks for a quarter of the cap
  const auto shares = money_of("vcg-reserves", R"({"shares":[[1,0.75],[1,0.5]],"units":2})");
  EXPECT_EQ(shares->amounts.unit, Amounts::Unit::kShare);
  EXPECT_EQ(shares->floors, Money::Floors::kCeilings);
  EXPECT_EQ(shares->shares->most, 1);                            // 2 units (1 - 0.5)
  EXPECT_EQ(shares->most_gain({.unit = 3, .outside = 10}), 30);  // 3 * 2 * (1 - 0.5) * 10
  EXPECT_EQ(shares->most_gain({.unit = 3}), std::nullopt);
  EXPECT_EQ(money_of("experts", R"({"experts":2})"), nullptr);
}

// Bids 0.5 and 0.75 of two bidders, one unit: without a reserve 0.5 is paid, a loss of 0.5. A round shows 0.125 less
// than was earned.
TEST(Money, TheLossOfAskingForNothingIsThatOfTheSecondPrice) {
  const auto problem = make_problem("vcg-reserves", parse_json(R"({"bidders":2,"levels":4})"), "params");
  AnyOutcome y;
  problem->game().read_outcome(parse_json("[0.5,0.75]"), "outcome", y);
  const auto money = problem->game().money();
  EXPECT_EQ(money->unasked(y), 0.5);
  EXPECT_EQ(money->logged(y, 0.125), 0.375);
  EXPECT_FALSE(money->uncontested(y));
}

}  // namespace log_kinds_test
}  // namespace hannan::detail
