#include "hannan/problems/first_price_bidding/first_price_bidding.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <string>

#include "hannan/core/error.hpp"
#include "hannan/core/keyed_random.hpp"
#include "hannan/problems/first_price_bidding/first_price_bidding_codec.hpp"

namespace hannan::detail {
namespace first_price_bidding_test {

using Problem = FirstPriceBidding;
using Rival = BidOffer::Rival;

BidOffer other(double value, double price) { return {true, value, Rival::kOther, price}; }
BidOffer least(double value, double price) { return {true, value, Rival::kLeast, price}; }
BidOffer no_rival(double value) { return {true, value, Rival::kNone, 0}; }

std::shared_ptr<const Problem> made(const std::vector<std::vector<double>>& grids, Problem::Mode mode,
                                    std::optional<double> budget = {}) {
  Problem::Parts parts{.grids = {}, .mode = mode, .budget = budget};
  for (const auto& grid : grids) parts.grids.emplace_back(grid);
  return std::make_shared<const Problem>(std::move(parts));
}

std::string fault(const std::function<void()>& make) {
  try {
    make();
  } catch (const Error& e) {
    return code_name(e.code()) + " " + e.at();
  }
  return "none";
}

TEST(FirstPriceBidding, WinsAboveTheOtherBidAndAtTheLeastOne) {
  const auto p = made({{0, 0.5, 0.6, 0.9}}, Problem::Mode::kShade);
  // Value 10: bids 0, 5, 6, 9. A tie with the other bid loses, the least bid itself wins.
  EXPECT_EQ(p->raw({1}, {other(10, 5)}), 0);
  EXPECT_DOUBLE_EQ(p->raw({2}, {other(10, 5)}), 4);
  EXPECT_DOUBLE_EQ(p->raw({1}, {least(10, 5)}), 5);
  EXPECT_EQ(p->raw({0}, {least(10, 5)}), 0);
  EXPECT_DOUBLE_EQ(p->raw({0}, {no_rival(10)}), 10);
  EXPECT_EQ(p->raw({3}, {BidOffer{}}), 0);
  EXPECT_EQ(p->loss({2}, {other(10, 5)}), -p->raw({2}, {other(10, 5)}));
}

TEST(FirstPriceBidding, RoundingDecidesNoTie) {
  // 0.3 * 0.1 is above 0.03 by a rounding; 0.03 as a rival's bid is the same bid.
  const auto shade = made({{0, 0.1}}, Problem::Mode::kShade);
  EXPECT_EQ(shade->raw({1}, {other(0.3, 0.03)}), 0);
  EXPECT_DOUBLE_EQ(shade->raw({1}, {least(0.3, 0.03 * (1 + 5e-10))}), 0.27);
  const auto absolute = made({{0, 3}}, Problem::Mode::kAbsolute);
  EXPECT_EQ(absolute->raw({1}, {other(10, 3 * (1 - 5e-10))}), 0);
  EXPECT_EQ(absolute->raw({1}, {other(10, 3 * (1 - 2e-9))}), 7);
}

TEST(FirstPriceBidding, RangeIsLargestLessLeastOfEveryItem) {
  const auto shade = made({{0, 0.5, 0.9}}, Problem::Mode::kShade);
  EXPECT_DOUBLE_EQ(shade->spread({other(10, 0)}).range(), 5);  // z0 = 1: 10 (1 - 0.5)
  EXPECT_DOUBLE_EQ(shade->spread({no_rival(10)}).range(), 9);  // 10 to 1
  EXPECT_EQ(shade->spread({other(4, 5)}).range(), 0);          // cannot be won
  const auto absolute = made({{0, 1, 2, 5}, {0, 3, 10}}, Problem::Mode::kAbsolute);
  // First item: 0 or 4-2 or 4-5 = -1; second: 0 or 8-10 = -2.
  const LossSpread spread = absolute->spread({other(4, 1), other(8, 3)});
  EXPECT_EQ(spread.least, -2);
  EXPECT_EQ(spread.most, 3);
}

TEST(FirstPriceBidding, RefusesGridsAndBudgetsThatAreNone) {
  using Mode = Problem::Mode;
  EXPECT_EQ(fault([] { made({}, Mode::kShade); }), "H105 grids");
  EXPECT_EQ(fault([] { made({{0, 0.5, 1}}, Mode::kShade); }), "H105 grids[0][2]");
  EXPECT_EQ(fault([] { made({{0, 1}, {0, 2e27}}, Mode::kAbsolute); }), "H105 grids[1][1]");
  EXPECT_EQ(fault([] { made({{0, 0.5}}, Mode::kShade, 3.0); }), "H105 budget");
  EXPECT_EQ(fault([] { made({{0, 1}, {0, 1.5}}, Mode::kAbsolute, 3.0); }), "H105 grids[1][1]");
  EXPECT_EQ(fault([] { made({{0, 1}}, Mode::kAbsolute, -1.0); }), "H105 budget");
  EXPECT_EQ(fault([] { made({{0, 1, 1'000'000'000}, {0, 999'999'999}}, Mode::kAbsolute, 1e9); }), "H105 budget");
  EXPECT_EQ(fault([] { made({{0, 1'000'000'000}, {0, 500'000'000}}, Mode::kAbsolute, 1e9); }), "none");
}

TEST(FirstPriceBidding, BudgetLeavesTheBidsWithinItInOrder) {
  const auto p = made({{0, 2, 4}, {0, 2, 6}}, Problem::Mode::kAbsolute, 6.0);
  // Sums up to 6: (0,0) (0,2) (0,6) (2,0) (2,2) (4,0) (4,2).
  const std::vector<Problem::Action> wanted{{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {2, 0}, {2, 1}};
  EXPECT_EQ(p->first_actions(100), wanted);
  ASSERT_EQ(p->size(), wanted.size());
  for (std::size_t k = 0; k < wanted.size(); ++k) EXPECT_EQ(p->action(k), wanted[k]);
  EXPECT_FALSE(p->allows({2, 2}));
  EXPECT_EQ(p->chain().states(), 4U);  // units of 2
}

// 3000 problems of up to 3 items, data of both signs: the curves and the knapsack against every action.
TEST(FirstPriceBidding, SearchFindsTheSmallestOfTheBest) {
  for (std::uint64_t i = 0; i < 3000; ++i) {
    const KeyedRandom random(Key{.seed = 5}, Purpose::kTest, i);
    std::uint64_t at = 0;
    const auto below = [&](std::uint64_t n) { return random.below(at++, n); };
    const bool shade = below(3) == 0;
    std::vector<std::vector<double>> grids(1 + below(3));
    for (auto& grid : grids) {
      grid = {0};
      for (std::uint64_t z = below(5); z > 0; --z)
        grid.push_back(grid.back() + (shade ? 0.125 : 1.0) * static_cast<double>(1 + below(2)));
      if (shade) std::erase_if(grid, [](double k) { return k >= 1; });
    }
    std::optional<double> budget;
    if (!shade && below(2) == 0) budget = static_cast<double>(below(12));
    const auto p = made(grids, shade ? Problem::Mode::kShade : Problem::Mode::kAbsolute, budget);
    const auto oracle = Problem::oracles(p).front();
    ASSERT_EQ(oracle->name(), p->chain().all() ? "separable" : "knapsack");
    const auto history = oracle->empty(), nothing = oracle->empty();
    const auto actions = p->first_actions(10'000);
    std::vector<double> values(actions.size(), 0.0);
    for (std::uint64_t n = below(8); n > 0; --n) {
      const auto y = Codec<Problem>::sample_outcome(*p, KeyedRandom(Key{.seed = 6}, Purpose::kTest, 10 * i + n));
      const double weight = static_cast<double>(below(7)) - 2.5;
      history->add(y, weight);
      for (std::size_t k = 0; k < actions.size(); ++k) values[k] += weight * p->loss(actions[k], y);
    }
    const auto answer = oracle->best({*history, *nothing, 0.0}, 3);
    const double best = *std::min_element(values.begin(), values.end());
    std::size_t first = 0;
    while (values[first] > best + 1e-9) ++first;
    ASSERT_EQ(answer.action, actions[first]) << i;
    ASSERT_NEAR(answer.value, values[first], 1e-9) << i;
    ASSERT_EQ(answer.pool.size(), std::min<std::size_t>(3, actions.size()));
  }
}

}  // namespace first_price_bidding_test
}  // namespace hannan::detail
