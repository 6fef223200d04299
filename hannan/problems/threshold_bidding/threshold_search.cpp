// History: one weight per price vector. Model: positions instead of bids, since only the thresholds matter; the bound
// and its cost are in threshold_search.hpp.
//
// Indices. bids_[j] rises and begins with 0; position d of item j stands for the bids bids_[j][d] .. next one - 1 (up
// to m behind the last). needed(r, j) is the first position that wins item j in row r, or bids_[j].size() where none
// does, so a step at `needed` is added only if it is within the row. Gains are addressed by W * |F| + place in F, W any
// bundle of the fixed items: 2^h |F| entries, of which only those with W outside F are used.
#include "hannan/problems/threshold_bidding/threshold_search.hpp"

#include <algorithm>
#include <utility>

#include "hannan/core/error.hpp"

namespace hannan::detail {

void ThresholdSearch::History::scale(double factor) {
  for (double& weight : weights) weight *= factor;
}

void ThresholdSearch::History::clear() {
  std::fill(weights.begin(), weights.end(), 0.0);
  warm = {};
}

void ThresholdSearch::History::archive(Archive& a) {
  a.field("weights", weights);
  warm.archive(a);
}

Answer<ThresholdBidding::Action> ThresholdSearch::best(const ThresholdBidding& p, Evidence<History> e,
                                                       std::size_t keep) const {
  ThresholdModel model(p, e);
  const SearchResult result =
      branch_bound(model, {.keep = keep, .limits = {.nodes = nodes}, .hints = e.data.warm.hints(e.scale)});
  e.data.warm.remember(e.scale, result.pool);
  const auto least = [&](const std::vector<int>& positions) {
    std::vector<int> x(positions.size());
    for (std::size_t j = 0; j < x.size(); ++j) x[j] = model.bids(j, positions[j]).least;
    return x;
  };
  Answer<ThresholdBidding::Action> answer{.action = {0, least(result.pool.front().positions)},
                                          .value = result.pool.front().value,
                                          .floor = result.floor,
                                          .pool = {},
                                          .rest = result.floor,
                                          .nodes = result.nodes};
  if (keep == 0) return answer;
  answer.rest = result.rest;
  // A box is the product of the bid intervals of its positions; it is walked in lexicographic order, the last item
  // fastest.
  // Every found one stands for a box of equal bids; boxes come by value, so the pool is filled box by box.
  for (const auto& found : result.pool) {
    std::vector<int> x = least(found.positions);
    bool more = true;
    while (more && answer.pool.size() < keep) {
      answer.pool.push_back({{0, x}, found.value});
      std::size_t j = x.size();
      while (j > 0 && x[j - 1] == model.bids(j - 1, found.positions[j - 1]).last) {
        --j;
        x[j] = model.bids(j, found.positions[j]).least;
      }
      more = j > 0;
      if (more) ++x[j - 1];
    }
    // What is left of this box is outside the pool, at the box's own value.
    if (more) answer.rest = std::min(answer.rest, found.value);
  }
  return answer;
}

// The positions of an item are 0 and the distinct needs of the price vectors in use: bids between two of them win the
// same.
ThresholdModel::ThresholdModel(const ThresholdBidding& p, const Evidence<ThresholdSearch::History>& e)
    : p_(p), bids_(static_cast<std::size_t>(p.items()), {0}) {
  for (ThresholdBidding::Outcome y = 0; y < p.price_vectors(); ++y) {
    const double weight = e.scale == 0 ? e.data.weights[y] : e.data.weights[y] + e.scale * e.noise.weights[y];
    if (weight != 0) rows_.push_back({y, weight});
  }
  for (std::size_t j = 0; j < bids_.size(); ++j) {
    for (const Row& row : rows_) {
      if (p.need(row.y, j) <= p.levels()) bids_[j].push_back(p.need(row.y, j));
    }
    std::sort(bids_[j].begin(), bids_[j].end());
    bids_[j].erase(std::unique(bids_[j].begin(), bids_[j].end()), bids_[j].end());
  }
  for (const Row& row : rows_) {
    for (std::size_t j = 0; j < bids_.size(); ++j) {
      needs_.push_back(
          static_cast<int>(std::lower_bound(bids_[j].begin(), bids_[j].end(), p.need(row.y, j)) - bids_[j].begin()));
    }
  }
}

// The first and the last bid of a position.
ThresholdModel::Bids ThresholdModel::bids(std::size_t item, int position) const {
  const auto at = static_cast<std::size_t>(position);
  return {bids_[item][at], at + 1 < bids_[item].size() ? bids_[item][at + 1] - 1 : p_.levels()};
}

// Made once for each set of free items that is met, and kept while the model lives.
const std::vector<ThresholdModel::Gain>& ThresholdModel::gains(const std::vector<std::size_t>& free) {
  Bundle open = 0;
  for (const std::size_t c : free) open |= Bundle{1} << c;
  auto& table = known_[open];
  if (!table.empty()) return table;
  const Bundle bundles = Bundle{1} << bids_.size();
  table.resize(bundles * free.size());
  for (Bundle base = 0; base < bundles; ++base) {
    if ((base & open) != 0) continue;
    for (std::size_t f = 0; f < free.size(); ++f) {
      const Bundle own = Bundle{1} << free[f], others = open & ~own;
      Gain gain{-kInfinity, kInfinity};
      // All subsets of the other free items, down to none.
      for (Bundle extra = others;; extra = (extra - 1) & others) {
        const double marginal = p_.value(base | extra | own) - p_.value(base | extra);
        gain = {std::max(gain.most, marginal), std::min(gain.least, marginal)};
        if (extra == 0) break;
      }
      table[base * free.size() + f] = gain;
    }
  }
  return table;
}

// O(rows * h).
double ThresholdModel::value(const std::vector<int>& full) const {
  double total = 0;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    Bundle won = 0;
    for (std::size_t j = 0; j < full.size(); ++j) {
      if (full[j] >= needed(r, j)) won |= Bundle{1} << j;
    }
    total += rows_[r].weight * (1 - p_.utility(won, rows_[r].y)) / 2;
  }
  return total;
}

// A row has one step along item c, at the position that wins it: exact, O(rows * h + positions).
void ThresholdModel::line(const std::vector<int>& full, std::size_t c, std::span<double> out) const {
  std::fill(out.begin(), out.end(), 0.0);
  const Bundle own = Bundle{1} << c;
  double total = 0;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    const auto& [y, weight] = rows_[r];
    Bundle won = 0;
    for (std::size_t j = 0; j < full.size(); ++j) {
      if (j != c && full[j] >= needed(r, j)) won |= Bundle{1} << j;
    }
    total += weight * (1 - p_.utility(won, y)) / 2;
    const auto at = static_cast<std::size_t>(needed(r, c));
    if (at < out.size()) out[at] -= weight * (p_.utility(won | own, y) - p_.utility(won, y)) / 2;
  }
  // Running sum of the steps at the thresholds.
  for (double& entry : out) entry = total += entry;
}

// The same steps for all free items at once, each with the greatest marginal value (the least, for a negative weight)
// that any completion can give it; then every entry gets what the other items' rows have at least.
void ThresholdModel::bound(const std::vector<int>& partial, BoundTable& bounds) {
  std::vector<std::size_t> fixed, free;
  for (std::size_t c = 0; c < partial.size(); ++c) (partial[c] >= 0 ? fixed : free).push_back(c);
  for (const std::size_t c : free) std::fill(bounds[c].begin(), bounds[c].end(), 0.0);
  // The utility of winning j beside W + A is its marginal value less its price; only the value depends on A.
  const auto& table = gains(free);
  double total = 0;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    const auto& [y, weight] = rows_[r];
    Bundle won = 0;
    for (const std::size_t c : fixed) {
      if (partial[c] >= needed(r, c)) won |= Bundle{1} << c;
    }
    total += weight * (1 - p_.utility(won, y)) / 2;
    for (std::size_t f = 0; f < free.size(); ++f) {
      const auto at = static_cast<std::size_t>(needed(r, free[f]));
      if (at >= bounds[free[f]].size()) continue;  // out of reach
      const Gain& gain = table[won * free.size() + f];
      bounds[free[f]][at] -= weight * ((weight > 0 ? gain.most : gain.least) - p_.price(y, free[f])) / 2;
    }
  }
  std::vector<double> least;
  for (const std::size_t c : free) {
    double sum = 0;
    for (double& entry : bounds[c]) entry = sum += entry;
    least.push_back(*std::min_element(bounds[c].begin(), bounds[c].end()));
    total += least.back();
  }
  for (std::size_t f = 0; f < free.size(); ++f) {
    for (double& entry : bounds[free[f]]) entry += total - least[f];
  }
}

}  // namespace hannan::detail
