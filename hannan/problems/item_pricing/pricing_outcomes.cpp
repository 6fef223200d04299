// Outcomes that item-pricing makes itself: buyers of a simulated market, and lone buyers at the ends of their rules.
#include <algorithm>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "hannan/problems/extreme_rows.hpp"
#include "hannan/problems/item_pricing/item_pricing.hpp"

namespace hannan::detail {
namespace {

// A bundle of one to three items, drawn with repetition, worth the sum of their draws up to 1.
Buyer single_minded(const MarketDraws& draws, std::uint64_t place, std::uint64_t items) {
  // Draws are addressed by number: a buyer owns items + 4 of them from `place` on, so buyers never share one.
  const std::uint64_t wanted = 1 + draws.below(place, std::min<std::uint64_t>(3, items));
  Buyer buyer;
  double worth = 0;
  for (std::uint64_t i = 0; i < wanted; ++i) {
    const std::uint32_t bit = std::uint32_t{1} << draws.below(place + 1 + i, items);
    if ((buyer.bundle & bit) != 0) continue;
    buyer.bundle |= bit;
    worth += draws.value(place + 1 + i);
  }
  buyer.value = std::min(1.0, worth);
  return buyer;
}

// Values in [0,1] become shares of the highest prices.
void in_prices(Buyer& buyer, const std::vector<PriceList>& prices) {
  double tops = 0;
  for (std::size_t j = 0; j < prices.size(); ++j) {
    if (j < buyer.values.size()) buyer.values[j] *= prices[j].top();
    if ((buyer.bundle >> j & 1U) != 0) tops += prices[j].top();
  }
  buyer.value *= tops;
}

// The next set of so many items in lexicographic order; false after the last.
bool next_bundle(std::vector<int>& bundle, int items) {
  const auto size = static_cast<int>(bundle.size());
  int at = size;
  // Entry at - 1 is at its top if all behind it just fit: items - size + at - 1.
  while (at > 0 && bundle[static_cast<std::size_t>(at - 1)] == items - size + at - 1) --at;
  if (at == 0) return false;
  const auto from = bundle.begin() + (at - 1);
  std::iota(from, bundle.end(), *from + 1);
  return true;
}

Buyer buyer_of(const std::vector<int>& items, double value) {
  Buyer buyer;
  for (const int item : items) buyer.bundle |= std::uint32_t{1} << item;
  buyer.value = value;
  return buyer;
}

}  // namespace

// On a grid always as many buyers as the problem has; with price lists one to three.
ItemPricing::Outcome ItemPricing::simulated(const MarketDraws& draws) const {
  const auto items = static_cast<std::uint64_t>(parts_.items);
  Outcome y(static_cast<std::size_t>(parts_.buyers));
  if (in_money()) y.resize(1 + draws.below(999'999, 3));  // one to three
  for (std::size_t b = 0; b < y.size(); ++b) {
    const std::uint64_t place = b * (items + 4);
    if (parts_.demand == Demand::kUnitDemand) {
      y[b].values = drawn_values(draws, items, place);
    } else {
      y[b] = single_minded(draws, place, items);
    }
    if (in_money()) in_prices(y[b], parts_.prices);
  }
  return y;
}

// One buyer at a time: a round of several buyers pays the sum of what each would pay alone.
void ItemPricing::extreme_outcomes(ExtremeOutcomes<Outcome>& into) const {
  if (in_money()) return;  // conditions are computed on outcomes that are given
  const auto levels = static_cast<std::uint64_t>(parts_.levels);
  if (parts_.demand == Demand::kUnitDemand) {
    // The finest grid that fits: halves of a level tell values just below a price from those at it.
    for (const std::uint64_t step : {2 * levels, levels, std::uint64_t{1}}) {
      auto points = grid_points(step, coordinates(), into.left());
      if (points.empty()) continue;
      for (auto& values : points) into.add({Buyer{.bundle = 0, .value = 0, .values = std::move(values)}});
      return into.describe("one buyer with values on the grid of 1/" + std::to_string(step));
    }
    return;
  }
  for (int size = 1; size <= parts_.items; ++size) {
    std::vector<int> bundle(static_cast<std::size_t>(size));
    std::iota(bundle.begin(), bundle.end(), 0);
    do {
      for (int v = 0; v <= parts_.levels && into.left() > 0; ++v)
        into.add({buyer_of(bundle, static_cast<double>(v) / parts_.levels)});
      if (into.left() == 0)
        return into.describe("one buyer, bundles of up to " + std::to_string(size) + " items at every level");
    } while (next_bundle(bundle, parts_.items));
  }
  into.describe("one buyer, every bundle at every level");
}

}  // namespace hannan::detail
