#include "hannan/problems/item_pricing/price_list_search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "hannan/core/keyed_random.hpp"
#include "hannan/problems/item_pricing/item_pricing_codec.hpp"

namespace hannan::detail {
namespace price_list_search_test {

using Demand = ItemPricing::Demand;

std::shared_ptr<const ItemPricing> priced(const std::vector<std::vector<double>>& lists, Demand demand) {
  ItemPricing::Parts parts;
  for (const auto& list : lists) parts.prices.emplace_back(list);
  parts.demand = demand;
  return std::make_shared<const ItemPricing>(parts);
}

Buyer wants(std::uint32_t bundle, double value, double fee = 0) {
  return {.bundle = bundle, .value = value, .values = {}, .fee = fee};
}
Buyer values(std::vector<double> values, double fee = 0) {
  return {.bundle = 0, .value = 0, .values = std::move(values), .fee = fee};
}

TEST(PriceLists, ABundleIsBoughtWhereItsPricesAndFeeAreWithinTheValue) {
  const auto p = priced({{0, 0.5, 1, 2, 5}, {0, 3, 10}}, Demand::kSingleMinded);
  EXPECT_EQ(p->raw({3, 1}, {wants(3, 5)}), 5);                            // 2 + 3
  EXPECT_EQ(p->raw({4, 1}, {wants(3, 5)}), 0);                            // 5 + 3
  EXPECT_EQ(p->raw({3, 1}, {wants(3, 5, 0.25)}), 0);                      // 2 + 3 + 0.25
  EXPECT_EQ(p->raw({2, 1}, {wants(3, 5, 0.25), wants(1, 1)}), 4.25 + 1);  // 1 + 3 + 0.25, and 1
  EXPECT_EQ(p->raw({1, 2}, {wants(0, 7)}), 0);
  EXPECT_EQ(p->raw({0, 1}, {wants(2, 3 * (1 - 1e-10))}), 3);  // missed by rounding alone
  EXPECT_EQ(p->raw({0, 1}, {wants(2, 2.99)}), 0);
  EXPECT_EQ(p->loss({3, 1}, {wants(3, 5)}), -5);
}

TEST(PriceLists, UnitDemandTakesTheLargestUtilityAndOfTiesTheDearer) {
  const auto p = priced({{0, 1, 2}, {0, 3}}, Demand::kUnitDemand);
  EXPECT_EQ(p->raw({1, 1}, {values({2, 4})}), 3);       // utilities 1 and 1: the dearer
  EXPECT_EQ(p->raw({1, 1}, {values({2.5, 4})}), 1);     // 1.5 against 1
  EXPECT_EQ(p->raw({2, 1}, {values({1, 2})}), 0);       // neither
  EXPECT_EQ(p->raw({1, 1}, {values({2, 4}, 1)}), 4);    // both at utility 0, with the fee
  EXPECT_EQ(p->raw({1, 1}, {values({2, 4}, 1.5)}), 0);  // below 0
}

TEST(PriceLists, TheMostABuyerPays) {
  const auto single = priced({{0, 0.5, 1, 2, 5}, {0, 3, 10}}, Demand::kSingleMinded);
  EXPECT_EQ(single->spread({wants(1, 2.7)}).range(), 2);                           // its grid price
  EXPECT_EQ(single->spread({wants(1, 2.7, 0.25)}).range(), 2.25);                  // and the fee
  EXPECT_EQ(single->spread({wants(3, 5), wants(2, 3)}).range(), 8);                // value of the bundle, grid price
  EXPECT_EQ(single->spread({wants(3, 100), wants(1, 0.5, 0.25)}).range(), 15.25);  // the highest prices; 0 + fee
  EXPECT_EQ(single->spread({wants(1, 1, 2), wants(0, 3)}).range(), 0);             // cannot buy
  const auto unit = priced({{0, 0.5, 1, 2, 5}, {0, 3, 10}}, Demand::kUnitDemand);
  EXPECT_EQ(unit->spread({values({2, 4})}).range(), 3);
}

// 3000 problems of up to three items, data of both signs: the search against every action.
TEST(PriceLists, SearchFindsTheSmallestOfTheBest) {
  for (std::uint64_t i = 0; i < 3000; ++i) {
    const KeyedRandom random(Key{.seed = 9}, Purpose::kTest, i);
    std::uint64_t at = 0;
    const auto below = [&](std::uint64_t n) { return random.below(at++, n); };
    std::vector<std::vector<double>> lists(1 + below(3));
    for (auto& list : lists) {
      list = {0};
      for (std::uint64_t z = below(4); z > 0; --z)
        list.push_back(list.back() + 0.5 * static_cast<double>(1 + below(5)));
    }
    const auto p = priced(lists, below(2) == 0 ? Demand::kSingleMinded : Demand::kUnitDemand);
    const auto oracle = make_oracle("branch_bound", p, PriceListSearch{});
    const auto history = oracle->empty(), nothing = oracle->empty();
    const auto actions = p->first_actions(10'000);
    std::vector<double> sums(actions.size(), 0.0);
    for (std::uint64_t n = below(8); n > 0; --n) {
      const auto y = Codec<ItemPricing>::sample_outcome(*p, KeyedRandom(Key{.seed = 10}, Purpose::kTest, 10 * i + n));
      const double weight = static_cast<double>(below(7)) - 2.5;
      history->add(y, weight);
      for (std::size_t k = 0; k < actions.size(); ++k) sums[k] += weight * p->loss(actions[k], y);
    }
    const auto answer = oracle->best({*history, *nothing, 0.0}, 2);
    const double best = *std::min_element(sums.begin(), sums.end());
    std::size_t first = 0;
    while (sums[first] > best + 1e-9) ++first;
    ASSERT_TRUE(answer.proven()) << i;
    ASSERT_EQ(answer.action, actions[first]) << i;
    ASSERT_NEAR(answer.value, sums[first], 1e-9) << i;
  }
}

}  // namespace price_list_search_test
}  // namespace hannan::detail
