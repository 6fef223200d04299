// Two free bidders of a level auction, solved by walking all lists of the first one (i) against the best response of
// the second (k). The derivation is in level_pair.hpp. Index ranges used below: levels l in 0..s; prices p in 0..s, 0
// the constant and p the p-th threshold of i, always p <= l because a winner at level l pays one of its first l
// thresholds; row y in 0..m+1 holds sums over the bids of i below y, so the bids of i at level l, a_l .. a_{l+1}-1, are
// row(l, p, a_{l+1}) - row(l, p, a_l), with a_0 = 0 and a_{s+1} = m+1.
#include "hannan/problems/level_auction/level_pair.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "hannan/core/widest_vectors.hpp"
#include "hannan/oracles/chain_program.hpp"

namespace hannan::detail {
namespace {

// Who leads among the fixed, at which price, and the highest levels before, between and after the pair:
// all that the pair can notice.
double class_codes(const LevelRule& rule) {
  const double s = rule.thresholds;
  return (rule.bidders + 2) * (s + 2) * (s + 1) * (s + 1) * (s + 1);
}

constexpr std::size_t kLanes = LevelPair::kLanes;

struct Responses {
  const double* kept;     // [j, position of k]
  const double* last;     // V from the first lane on: [p][j, position of k][stride]
  const double* factors;  // thresholds of i, from 1
  std::size_t thresholds, choices, stride;
};

// Into ahead[0][lane]: what k's best response to each of kLanes lists of i earns. Lanes are computed side by side.
HANNAN_WIDEST_VECTORS void best_responses(const Responses& in, double* ahead) {
  // Backwards over k's thresholds: ahead[d] = the most that thresholds j.. earn if none stands before position d. A
  // running maximum from high d to low d keeps lists non-decreasing; ahead[0] is the best of all lists at the end.
  const std::size_t width = in.thresholds * in.choices;
  std::fill_n(ahead, in.choices * kLanes, 0.0);
  for (std::size_t j = in.thresholds; j-- > 0;) {
    double best[kLanes];
    std::fill_n(best, kLanes, -kInfinity);
    for (std::size_t d = in.choices; d-- > 0;) {
      const std::size_t at = j * in.choices + d;
      double sum[kLanes];
      const double* v = in.last + at * in.stride;
      for (std::size_t lane = 0; lane < kLanes; ++lane) sum[lane] = in.kept[at] + v[lane];
      for (std::size_t p = 1; p < in.thresholds; ++p) {
        v += width * in.stride;
        for (std::size_t lane = 0; lane < kLanes; ++lane) sum[lane] += in.factors[p] * v[lane];
      }
      double* out = ahead + d * kLanes;
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        const double total = sum[lane] + out[lane];
        best[lane] = best[lane] < total ? total : best[lane];
        out[lane] = best[lane];
      }
    }
  }
}

// C(m, s), the number of increasing lists of s values up to m.
double lists_of(const LevelRule& rule) {
  double lists = 1;
  for (int i = 1; i <= rule.thresholds; ++i) lists = lists * (rule.levels - rule.thresholds + i) / i;
  return lists;
}

}  // namespace

// The three terms of the header's cost: cells, cumulated tables, lists.
double LevelPair::work(const LevelRule& rule, std::size_t profiles) {
  // 8 stands for the number of classes, which is known only after the profiles are sorted.
  const double s = rule.thresholds, m = rule.levels;
  return static_cast<double>(profiles) + 8 * (s + 1) * s * m * m + lists_of(rule) * s * s * m;
}

bool LevelPair::affordable(const LevelRule& rule) {
  // Chosen: a few milliseconds a solve and class tables of at most 4 MB; beyond, the bidders are branched on one by
  // one.
  constexpr double kMostWork = 4e6;  // of one solve
  constexpr double kMostCodes = 0x1p20;
  return work(rule, 0) <= kMostWork && class_codes(rule) <= kMostCodes;
}

LevelPair::LevelPair(const LevelRule& rule) : rule_(rule) {
  if (rule.n() < 2 || !affordable(rule)) return;
  const std::size_t levels = rule.s() + 1;
  class_of_.assign(static_cast<std::size_t>(class_codes(rule)), -1);
  rows_.resize(levels * levels * (bids() + 1) * width());
  bases_.resize(levels * levels * (bids() + 1));
  last_.resize(rule.s() * width() * lanes());
  last_bases_.resize(rule.s() * lanes());
  list_.resize(levels);
  tables_.resize(levels * width());
  heads_.resize(levels);
  kept_.resize(width());
  ahead_.resize(rule.choices() * kLanes);
}

// Once per pair: profiles side by side whose other bids are equal, so that a class is found once for each.
void LevelPair::group(const Request& request) {
  if (!groups_.empty() && grouped_ == std::array{request.first, request.second}) return;
  grouped_ = {request.first, request.second};
  const auto others = [&](std::vector<int> reach) {
    reach[request.first] = reach[request.second] = 0;
    return reach;
  };
  // A sorted map, not a hash: groups, and with them the order of all sums, are the same on every machine.
  std::map<std::vector<int>, std::vector<const LevelProfile*>> sorted;
  for (const auto& profile : request.profiles) sorted[others(profile.reach)].push_back(&profile);
  groups_.clear();
  entries_.clear();
  for (const auto& [reach, members] : sorted) {
    for (const LevelProfile* profile : members) {
      entries_.push_back({static_cast<std::size_t>(profile->reach[request.first]) * bids() +
                              static_cast<std::size_t>(profile->reach[request.second]),
                          profile->weight});
    }
    groups_.push_back({&members.front()->reach, entries_.size()});
  }
}

// A profile's class is what its fixed bidders look like to the pair. Profiles of one group share the bids of all others
// and so the class, whatever the thresholds of the fixed bidders are; classes change from node to node, groups do not.
void LevelPair::sort_into_classes() {
  const std::size_t n = rule_.n(), s = rule_.s(), first = request_->first, second = request_->second;
  std::vector<int> level(n * bids(), 0);  // of the fixed bidders at every bid
  for (std::size_t c = 0; c < n * s; ++c) {
    if (c / s == first || c / s == second) continue;
    // Threshold c of a fixed bidder has the value position + c % s + 1; it adds one level to every bid from there on.
    for (std::size_t y = static_cast<std::size_t>(request_->partial[c]) + c % s + 1; y < bids(); ++y)
      ++level[c / s * bids() + y];
  }
  for (const std::size_t code : codes_) class_of_[code] = -1;
  codes_.clear();
  classes_.clear();
  cells_.clear();
  std::vector<int> now(n + 1, 0);
  std::size_t entry = 0;
  for (const auto& members : groups_) {
    std::array<std::size_t, 3> highest{0, 0, 0};  // before, between and after the pair
    for (std::size_t i = 0; i <= n; ++i) {
      if (i == first || i == second) continue;
      const int reach = (*members.reach)[i];
      now[i] = i < n ? level[i * bids() + static_cast<std::size_t>(reach)] : rule_.phantom_level(reach);
      auto& part = highest[i < first ? 0 : i < second ? 1 : 2];
      part = std::max(part, static_cast<std::size_t>(now[i]));
    }
    const auto [winner, number] = LevelRule::sale(now);
    // winner + 1 in 0..n+1, number in 1..s+1 and three levels in 0..s: the code is below class_codes().
    std::size_t code = static_cast<std::size_t>(winner + 1) * (s + 2) + static_cast<std::size_t>(number);
    for (const std::size_t part : highest) code = code * (s + 1) + part;
    if (class_of_[code] < 0) {
      class_of_[code] = static_cast<int>(classes_.size());
      codes_.push_back(code);
      classes_.push_back(now);
      cells_.resize(classes_.size() * bids() * bids(), 0.0);
    }
    double* cells = cells_.data() + static_cast<std::size_t>(class_of_[code]) * bids() * bids();
    for (; entry < members.end; ++entry) cells[entries_[entry].cell] += entries_[entry].weight;
  }
}

// What the seller gets at these levels of the pair: a constant, a threshold of i (by its number), or a threshold of k,
// which the caller turns into the value d + j of k's position. Writes the pair's levels into the class and leaves them
// there: they are set anew at every call.
LevelPair::Price LevelPair::price(std::size_t index, std::size_t level_i, std::size_t level_k) {
  auto& levels = classes_[index];
  levels[request_->first] = static_cast<int>(level_i);
  levels[request_->second] = static_cast<int>(level_k);
  const auto [winner, number] = LevelRule::sale(levels);
  if (winner < 0) return {0, 0, false};
  const auto w = static_cast<std::size_t>(winner);
  if (w == request_->first) return {0, number, false};
  if (w == request_->second) return {0, 0, true};
  if (w == rule_.n()) return {static_cast<double>(LevelRule::phantom(number)), 0, false};
  return {static_cast<double>(request_->partial[w * rule_.s() + static_cast<std::size_t>(number) - 1] + number), 0,
          false};
}

// From weights of cells to the rows W and bases of the header, summed over all classes, and from them to V in last_.
void LevelPair::cumulate() {
  std::fill(rows_.begin(), rows_.end(), 0.0);
  std::fill(bases_.begin(), bases_.end(), 0.0);
  for (std::size_t q = 0; q < classes_.size(); ++q) cumulate_class(q);
  spread_last();
}

void LevelPair::cumulate_class(std::size_t index) {
  const std::size_t s = rule_.s(), d_max = rule_.choices(), size = bids();
  // cell(y, z) becomes the weight of bids of i up to y and bids of k from z on.
  double* cell = cells_.data() + index * size * size;
  for (std::size_t y = 0; y < size; ++y) {
    for (std::size_t z = size - 1; z-- > 0;) cell[y * size + z] += cell[y * size + z + 1];
  }
  for (std::size_t y = size; y < size * size; ++y) cell[y] += cell[y - size];
  // For each level l of i, revenue as a telescoping sum over k's levels: R(0) + sum_j (R(j) - R(j-1)) [k reaches j].
  for (std::size_t l = 0; l <= s; ++l) {
    Price before = price(index, l, 0);
    for (std::size_t y = 0; y < size; ++y) {
      base(l, static_cast<std::size_t>(before.threshold), y + 1) +=
          (before.threshold > 0 ? 1.0 : before.constant) * cell[y * size];
    }
    for (std::size_t j = 1; j <= s; ++j) {
      const Price now = price(index, l, j);
      // Adds (factor + slope * d) times the weights, d the position of k.
      const auto add = [&](int p, double factor, double slope) {
        if (factor == 0 && slope == 0) return;
        for (std::size_t y = 0; y < size; ++y) {
          double* out = row(l, static_cast<std::size_t>(p), y + 1) + (j - 1) * d_max;
          // in[d] = weight of the bids of k that reach its threshold j at position d, value d + j <= (m-s) + s = m <
          // size.
          const double* in = cell + y * size + j;
          for (std::size_t d = 0; d < d_max; ++d) out[d] += (factor + slope * static_cast<double>(d)) * in[d];
        }
      };
      const bool same = before.threshold == now.threshold && before.constant == now.constant;
      if (now.second_wins) {
        add(before.threshold, before.threshold > 0 ? -1.0 : -before.constant, 0);
        add(0, static_cast<double>(j), 1);
        break;  // its price does not change with further levels
      }
      if (same) continue;
      add(before.threshold, before.threshold > 0 ? -1.0 : -before.constant, 0);
      add(now.threshold, now.threshold > 0 ? 1.0 : now.constant, 0);
      before = now;
    }
  }
}

// V_p[a] = W_{s-1,p}[a] + W_{s,p}[m+1] - W_{s,p}[a], and for p = 0 also the part priced at a itself.
void LevelPair::spread_last() {
  const std::size_t s = rule_.s(), top = bids();
  for (std::size_t lane = 0; lane < lanes(); ++lane) {
    // a = the value of i's last threshold at this lane, s..m. Lanes beyond the last choice only fill the vector up.
    const std::size_t a = std::min(lane, rule_.choices() - 1) + s;
    const auto own = static_cast<double>(a);
    for (std::size_t p = 0; p < s; ++p) {
      const double *below = row(s - 1, p, a), *all = row(s, p, top), *cut = row(s, p, a);
      const double *own_all = row(s, s, top), *own_cut = row(s, s, a);
      for (std::size_t d = 0; d < width(); ++d) {
        double v = below[d] + (all[d] - cut[d]);
        if (p == 0) v += own * (own_all[d] - own_cut[d]);
        last_[(p * width() + d) * lanes() + lane] = v;
      }
      double v = base(s - 1, p, a) + (base(s, p, top) - base(s, p, a));
      if (p == 0) v += own * (base(s, s, top) - base(s, s, a));
      last_bases_[p * lanes() + lane] = v;
    }
  }
}

// What the bids of i at level depth - 1 contribute, once its thresholds up to `depth` are known.
void LevelPair::add_level(std::size_t depth) {
  const std::size_t l = depth - 1;
  const auto lo = static_cast<std::size_t>(list_[l]), hi = static_cast<std::size_t>(list_[depth]);
  const double* from = tables_.data() + (depth - 1) * width();
  double* to = tables_.data() + depth * width();
  std::copy(from, from + width(), to);
  double head = heads_[depth - 1];
  for (std::size_t p = 0; p <= l; ++p) {
    const double factor = p == 0 ? 1.0 : list_[p];
    const double *upper = row(l, p, hi), *lower = row(l, p, lo);
    for (std::size_t d = 0; d < width(); ++d) to[d] += factor * (upper[d] - lower[d]);
    head += factor * (base(l, p, hi) - base(l, p, lo));
  }
  heads_[depth] = head;
}

// Threshold `depth` of i (from 1) over all its values. tables_[depth - 1] and heads_[depth - 1] hold what levels below
// depth - 1 contribute and are not changed here, so the next value starts from them again.
void LevelPair::walk(std::size_t depth) {
  if (depth == rule_.s()) return respond();
  const std::size_t c = request_->first * rule_.s() + depth - 1;
  const int fixed = request_->partial[c];
  // Empty where the list would fall below a threshold that is already fixed.
  const int from = std::max(fixed, depth == 1 ? 0 : full_[c - 1]);
  const int to = fixed >= 0 ? fixed : static_cast<int>(rule_.choices()) - 1;
  for (int d = from; d <= to; ++d) {
    full_[c] = d;
    list_[depth] = d + static_cast<int>(depth);
    add_level(depth);
    heads_[depth] -= rule_.levels * request_->tables[c * rule_.choices() + static_cast<std::size_t>(d)];
    walk(depth + 1);
  }
  full_[c] = fixed;
}

// All values of i's last threshold, the others as in list_.
void LevelPair::respond() {
  const std::size_t s = rule_.s(), d_max = rule_.choices(), c = request_->first * s + s - 1;
  const double* table = tables_.data() + (s - 1) * width();
  // kept_ = table of the levels below s-1, less the lower end of level s-1; V_p[a] in last_ has its upper end and level
  // s.
  std::copy(table, table + width(), kept_.begin());
  double head = heads_[s - 1];
  const auto before = static_cast<std::size_t>(list_[s - 1]);
  for (std::size_t p = 0; p < s; ++p) {
    const double factor = p == 0 ? 1.0 : list_[p];
    const double* lower = row(s - 1, p, before);
    for (std::size_t d = 0; d < width(); ++d) kept_[d] -= factor * lower[d];
    head -= factor * base(s - 1, p, before);
  }
  const int fixed = request_->partial[c];
  const auto from = static_cast<std::size_t>(std::max(fixed, s == 1 ? 0 : full_[c - 1]));
  const std::size_t end = fixed >= 0 ? static_cast<std::size_t>(fixed) + 1 : d_max;
  // chunk is a multiple of kLanes and below choices, so chunk + kLanes <= lanes(). Lanes outside [from, end) are
  // computed and not used.
  for (std::size_t chunk = from / kLanes * kLanes; chunk < end; chunk += kLanes) {
    best_responses({.kept = kept_.data(),
                    .last = last_.data() + chunk,
                    .factors = list_.data(),
                    .thresholds = s,
                    .choices = d_max,
                    .stride = lanes()},
                   ahead_.data());
    for (std::size_t d = std::max(chunk, from); d < std::min(chunk + kLanes, end); ++d) {
      double total = head + ahead_[d - chunk] - rule_.levels * request_->tables[c * d_max + d];
      for (std::size_t p = 0; p < s; ++p) total += (p == 0 ? 1.0 : list_[p]) * last_bases_[p * lanes() + d];
      const double least = request_->constant - total / rule_.levels;
      full_[c] = static_cast<int>(d);
      least_ = std::min(least_, least);
      if (least <= request_->cut && found_->needed(least, full_)) {
        respond_in_full(d, least);
      } else {
        found_->prove_rest(least);
      }
    }
  }
  full_[c] = fixed;
}

// The `keep` best responses to one list of i, and the smallest within the tie window.
void LevelPair::respond_in_full(std::size_t last, double least) {
  const std::size_t s = rule_.s(), d_max = rule_.choices();
  std::vector<std::vector<double>> costs(s, std::vector<double>(d_max));
  for (std::size_t at = 0; at < width(); ++at) {
    double sum = kept_[at];
    for (std::size_t p = 0; p < s; ++p) sum += (p == 0 ? 1.0 : list_[p]) * last_[(p * width() + at) * lanes() + last];
    costs[at / d_max][at % d_max] = -sum / rule_.levels;
  }
  const RisingWords words{.length = s, .values = d_max};
  const ChainProgram program(words, std::move(costs));
  const double constant = least - program.least();
  std::vector<int> full = full_;
  const auto offer = [&](const std::vector<int>& word, double value) {
    std::copy(word.begin(), word.end(), full.begin() + static_cast<std::ptrdiff_t>(request_->second * s));
    found_->offer(full, value);
    (*sink_)(full, value);
  };
  const auto best = program.best(request_->keep + 1);
  for (std::size_t i = 0; i < best.size(); ++i) {
    if (i == request_->keep) {
      found_->prove_rest(constant + best[i].value);
    } else {
      offer(best[i].action, constant + best[i].value);
    }
  }
  // Ties go to the smallest of all, which need not be among the `keep` lowest.
  const double lowest = std::min(found_->least(), least);
  const auto first = program.first_within(std::max(program.least(), lowest + tie_window(lowest) - constant));
  offer(first, constant + program.value(first));
}

// tables_ of depth 0 start with the noise of k, minus infinity where k's threshold is fixed elsewhere: no running
// maximum takes such a place. Times m throughout, as revenue is counted in grid units here.
void LevelPair::solve(const Request& request, LeafSink& sink) {
  const std::size_t s = rule_.s(), d_max = rule_.choices();
  request_ = &request;
  sink_ = &sink;
  group(request);
  sort_into_classes();
  cumulate();
  found_.emplace(request.keep);
  least_ = kInfinity;
  full_ = request.partial;
  list_[0] = 0;
  heads_[0] = 0;
  for (std::size_t j = 0; j < s; ++j) {
    const std::size_t c = request.second * s + j;
    for (std::size_t d = 0; d < d_max; ++d) {
      const bool open = request.partial[c] < 0 || request.partial[c] == static_cast<int>(d);
      tables_[j * d_max + d] = open ? -rule_.levels * request.tables[c * d_max + d] : -kInfinity;
    }
    if (full_[c] < 0) full_[c] = 0;  // the smallest that a response can be
  }
  walk(1);
  sink.rest(found_->rest());
}

}  // namespace hannan::detail
