// Single-minded buyers: the history of demand curves, the model that bounds and evaluates prices on it, and the oracle.
// The bounds and their costs are stated in pricing_search.hpp.
//
// Indices. Items are bits 0..k-1 of a bundle. Position d in 0..m-1 of an item is the price z = d + 1 in units of 1/m. A
// curve is indexed by the total price p of its bundle, 0..m: above m nothing sells, as values are at most 1, and p is
// at least the number of items, so loss[0] is never read with a bundle. Invariant: curve.least belongs to curve.slope;
// both are changed by set_slope alone.
#include "hannan/problems/item_pricing/pricing_search.hpp"

#include <algorithm>
#include <bit>
#include <string>
#include <utility>

#include "hannan/core/error.hpp"
#include "hannan/oracles/box_search.hpp"
#include "hannan/oracles/grid_answer.hpp"
#include "hannan/problems/item_pricing/pricing_boxes.hpp"

namespace hannan::detail {

PricingNoise::PricingNoise(const ItemPricing& p)
    : items(p.coordinates()), levels(p.domain(0)), tables(items * levels, 0.0) {}

void PricingNoise::add_table(std::size_t item, std::span<const double> values) {
  for (std::size_t d = 0; d < levels; ++d) tables[item * levels + d] += values[d];
}

void PricingNoise::scale(double factor) {
  rounds *= factor;
  for (double& value : tables) value *= factor;
}

void PricingNoise::clear() {
  rounds = 0;
  std::fill(tables.begin(), tables.end(), 0.0);
}

void PricingNoise::archive(Archive& a) {
  a.field("rounds", rounds);
  a.field("tables", tables);
}

// Linear: all numbers of a history are sums over outcomes. Bundles are few, so none is dropped.
void BundleSearch::History::scale(double factor) {
  noise.scale(factor);
  for (auto& [bundle, weights] : sales) {
    for (double& weight : weights) weight *= factor;
  }
}

void BundleSearch::History::clear() {
  noise.clear();
  sales.clear();
  warm = {};
}

void BundleSearch::History::archive(Archive& a) {
  noise.archive(a);
  warm.archive(a);
  const auto count = a.open_list("bundles", sales.size());
  if (a.reading()) {
    sales.clear();
    for (std::uint64_t i = 0; i < count; ++i) {
      std::uint32_t bundle = 0;
      std::vector<double> weights(noise.levels);
      a.item();
      a.count("bundle", bundle, (std::uint64_t{1} << noise.items) - 1);
      a.field("weights", weights);
      if (bundle == 0) a.refuse("bundle", "found a bundle without items");
      if (!sales.emplace(bundle, std::move(weights)).second) a.refuse("bundle", "found this bundle twice");
    }
  } else {
    for (auto& [held, weights] : sales) {
      std::uint32_t bundle = held;
      a.item();
      a.count("bundle", bundle);
      a.field("weights", weights);
    }
  }
  a.close_list();
}

void BundleSearch::add(const ItemPricing& p, History& h, const ItemPricing::Outcome& y, double weight) const {
  h.noise.rounds += weight;
  h.warm.advance();
  // A buyer of level l buys at every total price up to l: it is counted at l, and the curve sums from above. l is at
  // most m, so l - 1 is an index of the m weights.
  for (const Buyer& buyer : y) {
    const int level = p.level(buyer.value);
    if (buyer.bundle == 0 || level < std::popcount(buyer.bundle)) continue;  // no price is low enough
    auto& weights = h.sales[buyer.bundle];
    weights.resize(h.noise.levels);
    weights[static_cast<std::size_t>(level - 1)] += weight;
  }
}

// Boxes where the tables of the groups are small enough (groups_for), one item after another where they are not. What
// earlier searches found is where this one begins (warm_start.hpp).
Answer<ItemPricing::Action> BundleSearch::best(const ItemPricing& p, Evidence<History> e, std::size_t keep) const {
  BundleModel model(p, e);
  const SearchRequest request{.keep = keep, .limits = {.nodes = nodes}, .hints = e.data.warm.hints(e.scale)};
  SearchResult found;
  if (auto groups = BundleBoxes::groups_for(model)) {
    BundleBoxes boxes(model, std::move(*groups));
    boxes.leaf_points = leaf_points;
    found = box_search(boxes, request);
  } else {
    found = branch_bound(model, request);
  }
  e.data.warm.remember(e.scale, found.pool);
  return priced_answer(p, found, keep);
}

Answer<ItemPricing::Action> priced_answer(const ItemPricing& p, const SearchResult& found, std::size_t keep) {
  return answer_of(found, keep, [&](const std::vector<int>& positions) {
    ItemPricing::Action x;
    p.action_at(positions, x);
    return x;
  });
}

BundleModel::BundleModel(const ItemPricing& p, const Evidence<BundleSearch::History>& e)
    : items_(p.coordinates()), levels_(p.domain(0)), rounds_(e.data.noise.rounds), tables_(e.data.noise.tables) {
  std::map<std::uint32_t, std::vector<double>> sum = e.data.sales;
  if (e.scale != 0) {
    rounds_ += e.scale * e.noise.noise.rounds;
    for (std::size_t i = 0; i < tables_.size(); ++i) tables_[i] += e.scale * e.noise.noise.tables[i];
    for (const auto& [bundle, weights] : e.noise.sales) {
      auto& into = sum[bundle];
      into.resize(levels_);
      for (std::size_t l = 0; l < levels_; ++l) into[l] += e.scale * weights[l];
    }
  }
  const double unit = 1 / (static_cast<double>(levels_) * p.normaliser());
  for (const auto& [bundle, weights] : sum) {
    Curve curve{.bundle = bundle,
                .loss = std::vector<double>(levels_ + 1, 0.0),
                .least = std::vector<double>(levels_ + 2, 0.0)};
    double buyers = 0;
    // loss(p) = -(p/m)/R * weight of the buyers whose level is at least p.
    for (std::size_t price = levels_; price > 0; --price) {
      buyers += weights[price - 1];
      curve.loss[price] = -unit * static_cast<double>(price) * buyers;
    }
    set_slope(curve, 0);
    curves_.push_back(std::move(curve));
  }
}

void BundleModel::set_slope(Curve& curve, double slope) const {
  curve.slope = slope;
  // Beyond m the curve is 0 and what is left is -slope * p: least at m + 1 for slope <= 0. For slope > 0 it falls
  // without end, and add_split puts in the highest total price there is.
  curve.least[levels_ + 1] = slope > 0 ? kInfinity : -slope * static_cast<double>(levels_ + 1);
  for (std::size_t p = levels_; p > 0; --p) {
    curve.least[p] = std::min(curve.least[p + 1], curve.loss[p] - slope * static_cast<double>(p));
  }
}

// The sum of the bundle's fixed prices; a position stands for the price one higher.
int BundleModel::price(const Curve& curve, const std::vector<int>& partial) const {
  int sum = 0;
  for (std::uint32_t left = curve.bundle; left != 0; left &= left - 1) {
    sum += std::max(partial[static_cast<std::size_t>(std::countr_zero(left))] + 1, 0);  // free: -1 + 1
  }
  return sum;
}

// The split bound of a bundle with two or more free items, the rest of them summing to `fixed`. Its
// total price p lies in [fixed + z + count-1, fixed + z + (count-1) m]; above m nothing sells, and what
// is left of the curve there is minus slope * p, least at one end.
void BundleModel::add_split(const Curve& curve, Rest rest, BoundTable& bounds) const {
  const auto [free, fixed] = rest;
  const auto count = static_cast<std::size_t>(std::popcount(free));
  const double share = 1 / static_cast<double>(count), slope = curve.slope;
  // inside = positions d of the item at which p can still be within the curve: from + d <= m. least[d] is then entry
  // from + d of curve.least, at most m.
  const std::size_t from = fixed + count;  // p at z = 1 and the others at 1
  const std::size_t inside = from > levels_ ? 0 : levels_ - from + 1;
  const double* least = curve.least.data() + (inside > 0 ? from : 0);
  const double far = -slope * static_cast<double>(slope > 0 ? fixed + 1 + (count - 1) * levels_ : from);
  for (std::uint32_t left = free; left != 0; left &= left - 1) {
    double* out = bounds[static_cast<std::size_t>(std::countr_zero(left))].data();
    if (slope > 0) {
      for (std::size_t d = 0; d < inside; ++d)
        out[d] += share * std::min(least[d], far - slope * static_cast<double>(d));
    } else {
      for (std::size_t d = 0; d < inside; ++d) out[d] += share * least[d];
    }
    if (slope == 0) continue;
    for (std::size_t d = inside; d < levels_; ++d) out[d] += share * (far - slope * static_cast<double>(d));
  }
}

// Fills the bounds of all free items and returns that of the node.
double BundleModel::relax(const std::vector<int>& partial, BoundTable& bounds) const {
  std::uint32_t open = 0;
  double total = rounds_;
  for (std::size_t c = 0; c < items_; ++c) {
    if (partial[c] >= 0) {
      total += tables_[c * levels_ + static_cast<std::size_t>(partial[c])];
      continue;
    }
    open |= std::uint32_t{1} << c;
    std::copy_n(tables_.begin() + static_cast<std::ptrdiff_t>(c * levels_), levels_, bounds[c].begin());
  }
  std::vector<double> slopes(items_, 0.0), least(items_, 0.0);
  for (const Curve& curve : curves_) {
    const auto fixed = static_cast<std::size_t>(price(curve, partial));
    const std::uint32_t free = curve.bundle & open;
    if (free == 0) {
      if (fixed <= levels_) total += curve.loss[fixed];
    } else if ((free & (free - 1)) == 0) {
      double* out = bounds[static_cast<std::size_t>(std::countr_zero(free))].data();
      // One free item: its price d + 1 on top of the fixed ones; the condition keeps fixed + d + 1 <= m.
      for (std::size_t d = 0; fixed + d < levels_; ++d) out[d] += curve.loss[fixed + d + 1];
    } else {
      // slope * p of this curve is slope * fixed here, and slope * z in the table of every free item.
      total += curve.slope * static_cast<double>(fixed);
      for (std::uint32_t left = free; left != 0; left &= left - 1) {
        slopes[static_cast<std::size_t>(std::countr_zero(left))] += curve.slope;
      }
      add_split(curve, {free, fixed}, bounds);
    }
  }
  for (std::size_t c = 0; c < items_; ++c) {
    if (partial[c] >= 0) continue;
    for (std::size_t d = 0; d < levels_; ++d) bounds[c][d] += slopes[c] * static_cast<double>(d + 1);
    least[c] = *std::min_element(bounds[c].begin(), bounds[c].end());
    total += least[c];
  }
  for (std::size_t c = 0; c < items_; ++c) {
    if (partial[c] >= 0) continue;
    for (double& entry : bounds[c]) entry += total - least[c];
  }
  return total;
}

void BundleModel::bound(const std::vector<int>& partial, BoundTable& bounds) {
  // Good slopes cost many bounds of the root, which only a long search wins back.
  if (++nodes_ == kPatience) sharpen();
  relax(partial, bounds);
}

// The derivative of the root's bound by the slope of a curve: the bundle's price at the tables'
// minimisers, less the mean price that its split parts take there.
double BundleModel::pull(const Curve& curve, const std::vector<int>& at) const {
  const auto count = static_cast<std::size_t>(std::popcount(curve.bundle));
  if (count < 2) return 0;
  double sum = 0;
  for (std::uint32_t left = curve.bundle; left != 0; left &= left - 1) {
    const auto price = static_cast<std::size_t>(at[static_cast<std::size_t>(std::countr_zero(left))]) + 1;
    const std::size_t from = price + count - 1;
    std::size_t taken = curve.slope > 0 ? price + (count - 1) * levels_ : std::max(from, levels_ + 1);
    double least = -curve.slope * static_cast<double>(taken);
    for (std::size_t p = from; p <= levels_; ++p) {
      const double here = curve.loss[p] - curve.slope * static_cast<double>(p);
      if (here >= least) continue;
      least = here;
      taken = p;
    }
    sum += static_cast<double>(price) - static_cast<double>(taken) / static_cast<double>(count);
  }
  return sum;
}

// Polyak steps towards the least value met; they shrink when the bound fails to rise.
void BundleModel::sharpen() {
  // Maximises the root's bound, a concave function of the slopes, by subgradient steps of Polyak's length (target -
  // bound) / |pull|^2. Any slopes give a valid bound, so it does not matter where the steps end; the best are kept.
  // 0.9: chosen.
  const std::vector<std::size_t> domains(items_, levels_);
  BoundTable bounds(domains);
  const std::vector<int> root(items_, -1);
  std::vector<int> at(items_);
  std::vector<double> slopes(curves_.size(), 0.0), kept = slopes, pulls = slopes;
  double reached = -kInfinity, target = kInfinity, step = 1;
  for (int i = 0; i < kSteps; ++i) {
    for (std::size_t s = 0; s < curves_.size(); ++s) set_slope(curves_[s], slopes[s]);
    const double bound = relax(root, bounds);
    if (bound > reached) {
      reached = bound;
      kept = slopes;
    } else {
      step *= 0.9;
    }
    for (std::size_t c = 0; c < items_; ++c) {
      at[c] = static_cast<int>(std::min_element(bounds[c].begin(), bounds[c].end()) - bounds[c].begin());
    }
    target = std::min(target, value(at));
    double norm = 0;
    for (std::size_t s = 0; s < curves_.size(); ++s) {
      pulls[s] = pull(curves_[s], at);
      norm += pulls[s] * pulls[s];
    }
    if (norm == 0) break;
    for (std::size_t s = 0; s < curves_.size(); ++s) slopes[s] += step * (target - bound) / norm * pulls[s];
  }
  for (std::size_t s = 0; s < curves_.size(); ++s) set_slope(curves_[s], kept[s]);
}

// O(items + sum of the bundles' sizes); all bundles are fixed, so that price() is the total price, at least the number
// of items.
double BundleModel::value(const std::vector<int>& full) const {
  double total = rounds_;
  for (std::size_t c = 0; c < items_; ++c) total += tables_[c * levels_ + static_cast<std::size_t>(full[c])];
  for (const Curve& curve : curves_) {
    const auto sum = static_cast<std::size_t>(price(curve, full));
    if (sum <= levels_) total += curve.loss[sum];
  }
  return total;
}

// All positions of item c at once: curves without c are constants, those with c are shifted copies. O(curves * m).
void BundleModel::line(const std::vector<int>& full, std::size_t c, std::span<double> out) const {
  double total = rounds_;
  for (std::size_t i = 0; i < items_; ++i) {
    if (i != c) total += tables_[i * levels_ + static_cast<std::size_t>(full[i])];
  }
  std::copy_n(tables_.begin() + static_cast<std::ptrdiff_t>(c * levels_), levels_, out.begin());
  for (const Curve& curve : curves_) {
    auto sum = static_cast<std::size_t>(price(curve, full));
    if ((curve.bundle >> c & 1U) == 0) {
      if (sum <= levels_) total += curve.loss[sum];
      continue;
    }
    // sum >= full[c] + 1 because c is in the bundle.
    sum -= static_cast<std::size_t>(full[c]);  // what the bundle costs with c at its lowest price
    for (std::size_t d = 0; sum + d <= levels_; ++d) out[d] += curve.loss[sum + d];
  }
  for (double& entry : out) entry += total;
}

}  // namespace hannan::detail
