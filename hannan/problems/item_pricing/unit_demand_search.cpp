// The unit-demand half of pricing_search.hpp.
//
// History: distinct vectors of values, in whole ticks, with their weights; equal vectors are merged, so T distinct
// buyers cost T entries however often they came. Model: exact values and lines, and the bound of pricing_search.hpp.
// weights_ are those of one grid unit of money as a loss: negative for buyers who really came.
#include <algorithm>
#include <cmath>
#include <utility>

#include "hannan/core/error.hpp"
#include "hannan/core/tolerance.hpp"
#include "hannan/oracles/box_search.hpp"
#include "hannan/oracles/grid_answer.hpp"
#include "hannan/problems/item_pricing/pricing_search.hpp"
#include "hannan/problems/item_pricing/unit_demand_boxes.hpp"

namespace hannan::detail {

// Weights that a discount has brought below kForgottenWeight are dropped, so a long discounted history stays short.
void UnitDemandSearch::History::scale(double factor) {
  noise.scale(factor);
  for (auto& [values, weight] : buyers) weight *= factor;
  std::erase_if(buyers, [](const auto& buyer) { return std::abs(buyer.second) < kForgottenWeight; });
}

void UnitDemandSearch::History::clear() {
  noise.clear();
  buyers.clear();
  warm = {};
}

// Keys of the map are unique, so a state that names a buyer twice was not written by this program.
void UnitDemandSearch::History::archive(Archive& a) {
  noise.archive(a);
  warm.archive(a);
  const auto count = a.open_list("buyers", buyers.size());
  std::vector<std::int64_t> ticks;  // far below 2^53
  const double most = static_cast<double>(noise.levels) * static_cast<double>(ItemPricing::kTicks);
  if (a.reading()) {
    buyers.clear();
    for (std::uint64_t i = 0; i < count; ++i) {
      double weight = 0;
      a.item();
      a.field("weight", weight);
      a.wholes("ticks", ticks, {0, most}, {noise.items, noise.items});
      if (!buyers.emplace(ticks, weight).second) a.refuse("ticks", "found a buyer of these values twice");
    }
  } else {
    for (auto& [key, weight] : buyers) {
      ticks = key;
      a.item();
      a.field("weight", weight);
      a.wholes("ticks", ticks, {0, most});
    }
  }
  a.close_list();
}

// `rounds` is the constant part of the loss, 1 a round; buyers carry what they take off it.
void UnitDemandSearch::add(const ItemPricing& p, History& h, const ItemPricing::Outcome& y, double weight) const {
  h.noise.rounds += weight;
  h.warm.advance();
  std::vector<std::int64_t> ticks(h.noise.items);
  for (const Buyer& buyer : y) {
    for (std::size_t j = 0; j < ticks.size(); ++j) ticks[j] = p.ticks(buyer.values[j]);
    h.buyers[ticks] += weight;
  }
}

// Boxes where their tables are small enough, the search value by value beyond. Both give the exact best unless the
// limit of nodes ends them, and the answer then says how far it is proven.
Answer<ItemPricing::Action> UnitDemandSearch::best(const ItemPricing& p, Evidence<History> e, std::size_t keep) const {
  UnitDemandModel model(p, e);
  const SearchRequest request{.keep = keep, .limits = {.nodes = nodes}, .hints = e.data.warm.hints(e.scale)};
  SearchResult found;
  if (UnitDemandBoxes::suits(p.coordinates(), p.domain(0))) {
    UnitDemandBoxes boxes(model);
    boxes.leaf_points = leaf_points;
    found = box_search(boxes, request);
  } else {
    found = branch_bound(model, request);
  }
  e.data.warm.remember(e.scale, found.pool);
  return priced_answer(p, found, keep);
}

// wishes_ has items_ entries for each buyer, by falling value, then by item.
UnitDemandModel::UnitDemandModel(const ItemPricing& p, const Evidence<UnitDemandSearch::History>& e)
    : items_(p.coordinates()), levels_(p.domain(0)), rounds_(e.data.noise.rounds), tables_(e.data.noise.tables) {
  const double unit = -1 / (static_cast<double>(levels_) * p.normaliser());
  const auto take = [&](const std::vector<std::int64_t>& ticks, double weight) {
    const std::size_t from = wishes_.size();
    for (std::size_t j = 0; j < items_; ++j) {
      wishes_.push_back({ticks[j], ItemPricing::level_of_ticks(ticks[j]), static_cast<int>(j)});
    }
    std::sort(wishes_.begin() + static_cast<std::ptrdiff_t>(from), wishes_.end(),
              [](const Wish& a, const Wish& b) { return a.ticks != b.ticks ? a.ticks > b.ticks : a.item < b.item; });
    weights_.push_back(unit * weight);
  };
  if (e.scale == 0) {
    for (const auto& [ticks, weight] : e.data.buyers) take(ticks, weight);
    return;
  }
  rounds_ += e.scale * e.noise.noise.rounds;
  for (std::size_t i = 0; i < tables_.size(); ++i) tables_[i] += e.scale * e.noise.noise.tables[i];
  // Noise that comes as data: a buyer of both must be bounded with the sign of the sum.
  for (const auto& [ticks, weight] : e.data.buyers) {
    const auto also = e.noise.buyers.find(ticks);
    take(ticks, weight + (also == e.noise.buyers.end() ? 0.0 : e.scale * also->second));
  }
  for (const auto& [ticks, weight] : e.noise.buyers) {
    if (!e.data.buyers.contains(ticks)) take(ticks, e.scale * weight);
  }
}

// A sum of step functions of one price, a row each item: O(1) to add a buyer, O(m) to read all prices.
class UnitDemandModel::Steps {
 public:
  Steps(std::size_t rows, std::size_t levels)
      : levels_(levels), weight_(rows * (levels + 1)), fall_(rows * (levels + 1)) {}

  // weight * z at prices z <= cap and weight * fallback above.
  struct Step {
    int cap;
    double weight;
    int fallback;
  };
  void add(std::size_t row, Step step) {
    // cap in 0..m; 0 means that the item is never bought.
    const std::size_t at = row * (levels_ + 1) + static_cast<std::size_t>(step.cap);
    weight_[at] += step.weight;
    fall_[at] += step.weight * step.fallback;
  }
  void spread(std::size_t row, std::span<double> out) const {
    const double* weight = weight_.data() + row * (levels_ + 1);
    const double* fall = fall_.data() + row * (levels_ + 1);
    // Two sweeps: from above for z * (weight with cap >= z), from below for the fallbacks with cap < z.
    double buyers = 0;
    for (std::size_t z = levels_; z > 0; --z) {
      buyers += weight[z];
      out[z - 1] += buyers * static_cast<double>(z);
    }
    double fallen = 0;
    for (std::size_t z = 1; z <= levels_; ++z) {
      fallen += fall[z - 1];
      out[z - 1] += fallen;
    }
  }

 private:
  std::size_t levels_;
  std::vector<double> weight_;  // by row and cap
  std::vector<double> fall_;
};

// Rule of ties, as in ItemPricing: most utility, then the higher price, then the lower item. In whole ticks, so that
// comparisons are exact.
UnitDemandModel::Purchase UnitDemandModel::best_fixed(std::size_t buyer, const std::vector<int>& partial) const {
  Purchase best;
  for (const Wish& wish : wishes(buyer)) {
    const int price = partial[static_cast<std::size_t>(wish.item)] + 1;
    if (price == 0 || price > wish.level) continue;  // free, or too expensive
    const std::int64_t utility = wish.ticks - price * ItemPricing::kTicks;
    const bool tie_won =
        utility == best.utility && (price > best.price || (price == best.price && wish.item < best.item));
    if (best.price == 0 || utility > best.utility || tie_won) best = {utility, price, wish.item};
  }
  return best;
}

// The highest price at which the wish is bought rather than the rival; 0 if there is none.
int UnitDemandModel::cap(const Wish& wish, const Purchase& rival) {
  if (rival.price == 0) return wish.level;
  const std::int64_t ahead = wish.ticks - rival.utility;
  if (ahead < ItemPricing::kTicks) return 0;
  auto price = static_cast<int>(ahead / ItemPricing::kTicks);
  // At exactly this price utilities tie: the more expensive item wins, then the lower index.
  if (ahead % ItemPricing::kTicks == 0) {
    const bool tie_won = price > rival.price || (price == rival.price && wish.item < rival.item);
    if (!tie_won) --price;
  }
  return std::min(price, wish.level);
}

// For each buyer: the best purchase among fixed items, then the free item of greatest value that it may buy instead
// (`first`, bought up to first_cap) and the highest price of the next one (next_cap). With only one such item the
// payment is a step function of its price. With several, a buyer whose payments lower the loss (weight < 0) pays at
// most what the step function says; at greater prices of `first` it pays at most the greater of the fixed purchase and
// next_cap.
void UnitDemandModel::bound(const std::vector<int>& partial, BoundTable& bounds) const {
  Steps steps(items_, levels_);
  double total = rounds_;
  for (std::size_t i = 0; i < weights_.size(); ++i) {
    const Purchase fixed = best_fixed(i, partial);
    const Wish* first = nullptr;
    int first_cap = 0, next_cap = 0;
    for (const Wish& wish : wishes(i)) {
      if (partial[static_cast<std::size_t>(wish.item)] >= 0) continue;
      if (!first) {
        first_cap = cap(wish, fixed);
        if (first_cap > 0) first = &wish;
        if (wish.level == 0) break;
        continue;
      }
      // Caps fall with the value but for a tie with the fixed purchase, which is given away here.
      next_cap = fixed.price == 0 ? wish.level
                                  : static_cast<int>(std::min<std::int64_t>(
                                        wish.level, (wish.ticks - fixed.utility) / ItemPricing::kTicks));
      break;
    }
    // Four cases: no free item can be bought; one can, which is exact; several can and money is to be bounded from
    // above; several can and money is to be bounded from below.
    const double weight = weights_[i];
    if (!first) {
      total += weight * fixed.price;
    } else if (next_cap <= 0 || weight < 0) {
      steps.add(static_cast<std::size_t>(first->item), {first_cap, weight, std::max(fixed.price, next_cap)});
    } else {
      total += weight * (fixed.price > 0 ? 1 : 0);  // something is bought for sure, at 1 or more
    }
  }
  std::vector<double> least(items_, 0.0);
  for (std::size_t c = 0; c < items_; ++c) {
    const double* table = tables_.data() + c * levels_;
    if (partial[c] >= 0) {
      total += table[partial[c]];
      continue;
    }
    std::copy_n(table, levels_, bounds[c].begin());
    steps.spread(c, bounds[c]);
    least[c] = *std::min_element(bounds[c].begin(), bounds[c].end());
    total += least[c];
  }
  for (std::size_t c = 0; c < items_; ++c) {
    if (partial[c] >= 0) continue;
    for (double& entry : bounds[c]) entry += total - least[c];
  }
}

// O(buyers * items).
double UnitDemandModel::value(const std::vector<int>& full) const {
  double total = rounds_;
  for (std::size_t c = 0; c < items_; ++c) total += tables_[c * levels_ + static_cast<std::size_t>(full[c])];
  for (std::size_t i = 0; i < weights_.size(); ++i) total += weights_[i] * best_fixed(i, full).price;
  return total;
}

// With all others fixed one item is bought up to its cap, else the best of the others: exact, O(buyers * items + m).
void UnitDemandModel::line(const std::vector<int>& full, std::size_t c, std::span<double> out) const {
  std::vector<int> others = full;
  others[c] = -1;
  Steps steps(1, levels_);
  for (std::size_t i = 0; i < weights_.size(); ++i) {
    const Purchase fixed = best_fixed(i, others);
    const auto all = wishes(i);
    const auto wish =
        std::find_if(all.begin(), all.end(), [&](const Wish& w) { return w.item == static_cast<int>(c); });
    steps.add(0, {cap(*wish, fixed), weights_[i], fixed.price});
  }
  double total = rounds_;
  for (std::size_t j = 0; j < items_; ++j) {
    if (j != c) total += tables_[j * levels_ + static_cast<std::size_t>(full[j])];
  }
  std::copy_n(tables_.begin() + static_cast<std::ptrdiff_t>(c * levels_), levels_, out.begin());
  steps.spread(0, out);
  for (double& entry : out) entry += total;
}

}  // namespace hannan::detail
