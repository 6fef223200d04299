#include <gtest/gtest.h>

#include <string>

#include "hannan/problems/item_pricing/pricing_boxes.hpp"
#include "hannan/problems/item_pricing/unit_demand_boxes.hpp"
#include "tests/dice.hpp"
#include "tests/search_threads_check.hpp"

namespace hannan::detail {
namespace pricing_threads_test {

// Evidence of buyers and a table of noise per item.
template <class Search>
typename Search::History priced_history(const ItemPricing& p, Dice& dice) {
  const Search search;
  auto history = search.empty(p);
  for (int t = 0; t < 200; ++t) {
    Buyer buyer;
    if (p.demand() == ItemPricing::Demand::kSingleMinded) {
      buyer.bundle = 1 + static_cast<std::uint32_t>(dice.below((1 << p.items()) - 1));
      buyer.value = dice.unit();
    } else {
      for (int j = 0; j < p.items(); ++j) buyer.values.push_back(dice.unit());
    }
    search.add(p, history, {buyer}, dice.below(8) ? 1.0 : -0.5);
  }
  std::vector<double> table(p.domain(0));
  for (std::size_t j = 0; j < p.coordinates(); ++j) {
    for (double& v : table) v = 0.02 * dice.real();
    search.add_table(p, history, j, table);
  }
  return history;
}

ThreadsTrial pricing_trial(Dice& dice) {
  return {.request = {.keep = 1 + static_cast<std::size_t>(dice.below(3)),
                      .limits = {.nodes = dice.below(3) ? 400U : 30U},
                      .hints = {}},
          .bytes = dice.below(4) ? std::size_t{1} << 20 : 0};
}

TEST(PricingBoxes, SearchBundlesTheSameOnAnyNumberOfThreads) {
  std::uint64_t nodes = 0;
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Dice dice(710'000 + seed);
    const ItemPricing p(
        {.items = 6, .levels = 20, .buyers = 1, .demand = ItemPricing::Demand::kSingleMinded, .prices = {}});
    const auto history = priced_history<BundleSearch>(p, dice), none = BundleSearch{}.empty(p);
    BundleModel model(p, {history, none, 0});
    BundleBoxes boxes(model, *BundleBoxes::groups_for(model));
    boxes.leaf_points = 4;
    nodes += expect_same_on_threads(boxes, pricing_trial(dice));
    if (HasFailure()) return;
  }
  EXPECT_GT(nodes, 500U);
}

TEST(PricingBoxes, SearchUnitDemandTheSameOnAnyNumberOfThreads) {
  std::uint64_t nodes = 0;
  for (std::uint64_t seed = 0; seed < 16; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Dice dice(720'000 + seed);
    const ItemPricing p(
        {.items = 10, .levels = 16, .buyers = 1, .demand = ItemPricing::Demand::kUnitDemand, .prices = {}});
    const auto history = priced_history<UnitDemandSearch>(p, dice), none = UnitDemandSearch{}.empty(p);
    UnitDemandModel model(p, {history, none, 0});
    UnitDemandBoxes boxes(model);
    boxes.leaf_points = 1;
    nodes += expect_same_on_threads(boxes, pricing_trial(dice));
    if (HasFailure()) return;
  }
  EXPECT_GT(nodes, 300U);
}

}  // namespace pricing_threads_test
}  // namespace hannan::detail
