// History, model and oracle of second-price bidding; merging and the marginal-value bound are in bidding_search.hpp.
//
// Indices. A bid of item c is its position, 0..m v(e_c). A price stands at a level; bid > level wins, so a win at level
// l is a step at position l + 1 of the item's row, and a prefix sum over positions makes all tables. Levels are cut off
// at the highest bid, which no bid exceeds, so l + 1 is read only where l < highest. Bundles of the fixed items are
// numbered by the bits of their places among the fixed ones, 0..2^f - 1.
#include "hannan/problems/second_price_bidding/bidding_search.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>

#include "hannan/core/error.hpp"
#include "hannan/core/tolerance.hpp"
#include "hannan/oracles/grid_answer.hpp"

namespace hannan::detail {

void BiddingSearch::History::scale(double factor) {
  rounds *= factor;
  for (auto& [levels, sums] : rows) {
    for (double& sum : sums) sum *= factor;
  }
  // Weights of both signs may cancel while the prices that they weigh do not.
  std::erase_if(rows, [](const auto& row) {
    return std::ranges::all_of(row.second, [](double sum) { return std::abs(sum) < kForgottenWeight; });
  });
  for (auto& table : tables) {
    for (double& value : table) value *= factor;
  }
}

void BiddingSearch::History::clear() {
  rounds = 0;
  rows.clear();
  for (auto& table : tables) std::fill(table.begin(), table.end(), 0.0);
  warm = {};
}

// Rows in the order of the map, so equal histories are equal bytes. A level beyond the bids of its item, or a row met
// twice, cannot have been written by archive() and is refused.
void BiddingSearch::History::archive(Archive& a) {
  a.field("rounds", rounds);
  warm.archive(a);
  a.open_shaped_list("tables", tables.size());  // one per item in this problem
  for (auto& table : tables) {
    a.item();
    a.field("table", table);
  }
  a.close_list();
  const auto count = a.open_list("rows", rows.size());
  std::vector<int> levels;
  if (a.reading()) {
    rows.clear();
    for (std::uint64_t i = 0; i < count; ++i) {
      std::vector<double> sums(tables.size() + 1);
      a.item();
      a.wholes("levels", levels, {0, 1e9}, {tables.size(), tables.size()});
      a.field("sums", sums);
      for (std::size_t j = 0; j < levels.size(); ++j) {
        if (static_cast<std::size_t>(levels[j]) >= tables[j].size())
          a.refuse("levels", "found a level above those of item " + std::to_string(j));
      }
      if (!rows.emplace(levels, std::move(sums)).second) a.refuse("levels", "found these levels twice");
    }
  } else {
    for (auto& [key, held] : rows) {
      levels = key;
      a.item();
      a.wholes("levels", levels, {0, 1e9});
      a.field("sums", held);
    }
  }
  a.close_list();
}

BiddingSearch::History BiddingSearch::empty(const SecondPriceBidding& p) const {
  History h;
  for (std::size_t c = 0; c < p.coordinates(); ++c) h.tables.emplace_back(p.domain(c), 0.0);
  return h;
}

// A price above the highest bid of its item is as good as that bid: nothing wins there. So outcomes merge by levels,
// with the sums of the weight and of the weighted prices, which is all that the objective needs.
void BiddingSearch::add(const SecondPriceBidding& p, History& h, const SecondPriceBidding::Outcome& y,
                        double weight) const {
  h.rounds += weight;
  h.warm.advance();
  std::vector<int> levels(y.size());
  bool reachable = false;
  for (std::size_t j = 0; j < y.size(); ++j) {
    const int top = static_cast<int>(p.domain(j)) - 1;
    levels[j] = std::min(p.level(y[j]), top);
    reachable = reachable || levels[j] < top;
  }
  if (!reachable) return;  // no bid wins anything at these prices
  auto& sums = h.rows[levels];
  sums.resize(y.size() + 1);
  sums[0] += weight;
  for (std::size_t j = 0; j < y.size(); ++j) sums[j + 1] += weight * y[j];
}

void BiddingSearch::add_table(const SecondPriceBidding&, History& h, std::size_t item,
                              std::span<const double> values) const {
  for (std::size_t d = 0; d < values.size(); ++d) h.tables[item][d] += values[d];
}

// The action 0, which bids nothing, never overbids, so a search always has something to answer.
Answer<SecondPriceBidding::Action> BiddingSearch::best(const SecondPriceBidding& p, Evidence<History> e,
                                                       std::size_t keep) const {
  BiddingModel model(p, e);
  return grid_answer(model,
                     {.keep = keep, .lowest = 0, .limits = {.nodes = nodes}, .warm = &e.data.warm, .scale = e.scale});
}

// Noise that comes as data is merged row by row: a row must be bounded with the sign of its summed weight.
BiddingModel::BiddingModel(const SecondPriceBidding& p, const Evidence<BiddingSearch::History>& e)
    : p_(p), items_(p.coordinates()), rounds_(e.data.rounds), unit_(1.0 / p.levels()), tables_(e.data.tables) {
  if (e.scale == 0) {
    for (const auto& [levels, sums] : e.data.rows) take(levels, sums, 1);
    return;
  }
  rounds_ += e.scale * e.noise.rounds;
  for (std::size_t c = 0; c < items_; ++c) {
    for (std::size_t d = 0; d < tables_[c].size(); ++d) tables_[c][d] += e.scale * e.noise.tables[c][d];
  }
  for (const auto& [levels, sums] : e.data.rows) {
    const auto also = e.noise.rows.find(levels);
    if (also == e.noise.rows.end()) {
      take(levels, sums, 1);
      continue;
    }
    std::vector<double> both = sums;
    for (std::size_t i = 0; i < both.size(); ++i) both[i] += e.scale * also->second[i];
    take(levels, both, 1);
  }
  for (const auto& [levels, sums] : e.noise.rows) {
    if (!e.data.rows.contains(levels)) take(levels, sums, e.scale);
  }
}

// Row after row, items_ levels and items_ sums each.
void BiddingModel::take(const std::vector<int>& levels, const std::vector<double>& sums, double scale) {
  levels_.insert(levels_.end(), levels.begin(), levels.end());
  weights_.push_back(scale * sums[0]);
  for (std::size_t j = 0; j < items_; ++j) paid_.push_back(scale * sums[j + 1]);
}

// highest[f] = the highest bid of free item f that overbids no bundle of fixed items with it; -1 where the fixed ones
// overbid already. O(2^f (free items)), f the number of fixed items.
BiddingModel::Split BiddingModel::split(const std::vector<int>& partial) const {
  Split s;
  for (std::size_t c = 0; c < items_; ++c) (partial[c] >= 0 ? s.fixed : s.free).push_back(c);
  for (const std::size_t c : s.free) s.highest.push_back(static_cast<int>(domain(c)) - 1);
  // Bundles of fixed items one after the other, with their summed bids.
  std::vector<int> sums(std::size_t{1} << s.fixed.size(), 0);
  std::vector<Bundle> bundles(sums.size(), 0);
  // n & (n - 1) is n without its lowest item: every bundle from a smaller one, O(2^f) in all.
  for (std::size_t n = 1; n < sums.size(); ++n) {
    const std::size_t item = s.fixed[static_cast<std::size_t>(std::countr_zero(n))];
    sums[n] = sums[n & (n - 1)] + partial[item];
    bundles[n] = bundles[n & (n - 1)] | Bundle{1} << item;
    if (sums[n] > p_.value(bundles[n])) {
      std::fill(s.highest.begin(), s.highest.end(), -1);
      return s;
    }
    for (std::size_t f = 0; f < s.free.size(); ++f) {
      s.highest[f] = std::min(s.highest[f], p_.value(bundles[n] | Bundle{1} << s.free[f]) - sums[n]);
    }
  }
  return s;
}

// For each bundle of fixed items and each free item: the most and the least that winning it can add, over all subsets
// of the other free items. Entry number * free + f. It depends on which items are free alone, so it is made once for
// each such set, O(free 2^items).
const std::vector<BiddingModel::Gain>& BiddingModel::gains(const Split& s) {
  Bundle open = 0;
  for (const std::size_t c : s.free) open |= Bundle{1} << c;
  auto& table = known_[open];
  if (!table.empty()) return table;
  const Bundle all = (Bundle{1} << items_) - 1;
  // Bundles of fixed items in increasing order are numbered as the bits of their members would be.
  Bundle base = 0;
  do {
    for (const std::size_t c : s.free) {
      const Bundle own = Bundle{1} << c, others = open & ~own;
      Gain gain{-kInfinity, kInfinity};
      // All subsets of the other free items, from all of them down to none: (extra - 1) & others is the next smaller
      // one.
      Bundle extra = others;
      while (true) {
        const double marginal = p_.value(base | extra | own) - p_.value(base | extra);
        gain.most = std::max(gain.most, marginal);
        gain.least = std::min(gain.least, marginal);
        if (extra == 0) break;
        extra = (extra - 1) & others;
      }
      table.push_back({gain.most * unit_, gain.least * unit_});
    }
    base = (base - (all & ~open)) & (all & ~open);  // the next subset of the fixed items, 0 after the last
  } while (base != 0);
  return table;
}

void BiddingModel::bound(const std::vector<int>& partial, BoundTable& bounds) {
  // The row of item c first collects steps, then becomes prefix sums plus noise; bids above highest[f] overbid and get
  // infinity. row[d] + total - least is the bound with c at d and every other free item at its own least.
  const Split s = split(partial);
  const std::size_t free = s.free.size();
  if (std::any_of(s.highest.begin(), s.highest.end(), [](int h) { return h < 0; })) {
    for (const std::size_t c : s.free) std::fill(bounds[c].begin(), bounds[c].end(), kInfinity);
    return;
  }
  const auto& gain = gains(s);
  for (const std::size_t c : s.free) std::fill(bounds[c].begin(), bounds[c].end(), 0.0);
  double total = rounds_;
  for (const std::size_t c : s.fixed) total += tables_[c][static_cast<std::size_t>(partial[c])];
  for (std::size_t r = 0; r < weights_.size(); ++r) {
    const int* levels = levels_.data() + r * items_;
    const double* paid = paid_.data() + r * items_;
    const double weight = weights_[r];
    Bundle won = 0;
    std::size_t number = 0;
    for (std::size_t i = 0; i < s.fixed.size(); ++i) {
      const std::size_t c = s.fixed[i];
      if (partial[c] <= levels[c]) continue;
      won |= Bundle{1} << c;
      number |= std::size_t{1} << i;
      total += paid[c];
    }
    total -= weight * unit_ * p_.value(won);
    for (std::size_t f = 0; f < free; ++f) {
      const std::size_t c = s.free[f];
      if (levels[c] >= s.highest[f]) continue;  // no bid left wins here
      // A positive weight is bounded by the most that the win can add, a negative one by the least.
      const Gain& g = gain[number * free + f];
      bounds[c][static_cast<std::size_t>(levels[c]) + 1] += paid[c] - weight * (weight > 0 ? g.most : g.least);
    }
  }
  std::vector<double> least(free, 0.0);
  for (std::size_t f = 0; f < free; ++f) {
    const auto row = bounds[s.free[f]];
    const auto end = static_cast<std::size_t>(s.highest[f]) + 1;
    for (std::size_t d = 1; d < end; ++d) row[d] += row[d - 1];
    for (std::size_t d = 0; d < end; ++d) row[d] += tables_[s.free[f]][d];
    least[f] = *std::min_element(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(end));
    total += least[f];
    std::fill(row.begin() + static_cast<std::ptrdiff_t>(end), row.end(), kInfinity);
  }
  for (std::size_t f = 0; f < free; ++f) {
    for (double& entry : bounds[s.free[f]]) entry += total - least[f];
  }
}

// rounds + noise - sum of weight * v(won) + sum of the prices paid; O(rows * items).
double BiddingModel::value(const std::vector<int>& full) const {
  if (p_.overbids(full)) return kInfinity;
  double total = rounds_;
  for (std::size_t c = 0; c < items_; ++c) total += tables_[c][static_cast<std::size_t>(full[c])];
  for (std::size_t r = 0; r < weights_.size(); ++r) {
    Bundle won = 0;
    for (std::size_t c = 0; c < items_; ++c) {
      if (full[c] <= levels_[r * items_ + c]) continue;
      won |= Bundle{1} << c;
      total += paid_[r * items_ + c];
    }
    total -= weights_[r] * unit_ * p_.value(won);
  }
  return total;
}

// All bids of item c: winning at level l adds its step at position l + 1, as in bound(), but with what the others win
// known, so exact.
void BiddingModel::line(const std::vector<int>& full, std::size_t c, std::span<double> out) const {
  std::vector<int> others = full;
  others[c] = -1;
  const int highest = split(others).highest[0];
  std::fill(out.begin(), out.end(), 0.0);
  const Bundle own = Bundle{1} << c;
  double total = rounds_;
  for (std::size_t i = 0; i < items_; ++i) {
    if (i != c) total += tables_[i][static_cast<std::size_t>(full[i])];
  }
  for (std::size_t r = 0; r < weights_.size() && highest >= 0; ++r) {
    const int* levels = levels_.data() + r * items_;
    const double* paid = paid_.data() + r * items_;
    Bundle won = 0;
    for (std::size_t i = 0; i < items_; ++i) {
      if (others[i] <= levels[i]) continue;  // c itself stands at -1
      won |= Bundle{1} << i;
      total += paid[i];
    }
    const double worth = weights_[r] * unit_;
    total -= worth * p_.value(won);
    if (levels[c] >= highest) continue;
    out[static_cast<std::size_t>(levels[c]) + 1] += paid[c] - worth * (p_.value(won | own) - p_.value(won));
  }
  // Running sum of the steps: at bid d all prices of level below d are beaten.
  double steps = 0;
  for (std::size_t d = 0; d < out.size(); ++d) {
    steps += out[d];
    out[d] = static_cast<int>(d) > highest ? kInfinity : total + steps + tables_[c][d];
  }
}

}  // namespace hannan::detail
