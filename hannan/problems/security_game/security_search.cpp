// History: one weight per type. Model: exact values, and for every type by itself an exact bound by painting (the idea
// and the cost are in security_search.hpp). The coverage of the last target is budget minus the others, so there are n
// - 1 coordinates; position d is coverage d, 0..m.
//
// Invariant of a bound: worths_[c][d] is the best utility for the bound's sign over all completions with c at d, or the
// end of the range [-1,1] where rounding left a place unpainted; the sum over types is a bound because each type is.
#include "hannan/problems/security_game/security_search.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "hannan/core/error.hpp"
#include "hannan/oracles/grid_answer.hpp"

namespace hannan::detail {

void SecuritySearch::History::scale(double factor) {
  for (double& weight : weights) weight *= factor;
}

void SecuritySearch::History::clear() {
  std::fill(weights.begin(), weights.end(), 0.0);
  warm = {};
}

void SecuritySearch::History::archive(Archive& a) {
  a.field("weights", weights);
  warm.archive(a);
}

Answer<SecurityGame::Action> SecuritySearch::best(const SecurityGame& p, Evidence<History> e, std::size_t keep) const {
  SecurityModel model(p, e);
  // The last two hints are feasible, so the search always has an incumbent: even coverage, and the smallest action.
  std::vector<int> smallest = p.first_actions(1).front().levels, even(smallest.size());
  for (std::size_t i = 0; i < even.size(); ++i) {
    const auto n = static_cast<int>(even.size()), at = static_cast<int>(i);
    // Differences of rounded-down shares: they add up to the budget and none exceeds m, since r <= n.
    even[i] = p.budget() * (at + 1) / n - p.budget() * at / n;
  }
  smallest.pop_back();
  even.pop_back();
  auto hints = e.data.warm.hints(e.scale);
  hints.push_back(std::move(even));
  hints.push_back(std::move(smallest));
  const SearchResult result =
      branch_bound(model, {.keep = keep, .limits = {.nodes = nodes}, .hints = std::move(hints)});
  e.data.warm.remember(e.scale, result.pool);
  return answer_of(result, keep, [&](const std::vector<int>& positions) {
    return SecurityGame::Action{0, model.complete(positions)};
  });
}

// Options of each type in the order in which paint() takes them: for a positive weight the least loss is wanted, so the
// defender's greatest utility first; for a negative weight the greatest loss.
SecurityModel::SecurityModel(const SecurityGame& p, const Evidence<SecuritySearch::History>& e)
    : p_(p),
      targets_(static_cast<std::size_t>(p.targets())),
      ranges_(targets_),
      left_(targets_),
      worths_(targets_ * domain(0)),
      next_(targets_ * (domain(0) + 1)) {
  for (std::size_t type = 0; type < p.types(); ++type) {
    const double weight = e.scale == 0 ? e.data.weights[type] : e.data.weights[type] + e.scale * e.noise.weights[type];
    if (weight == 0) continue;
    Weighed w{.type = type, .weight = weight, .options = {}};
    for (std::size_t i = 0; i < targets_; ++i) {
      const auto worths = p.defender(type, i);
      for (int a = 0; a <= p.levels(); ++a) w.options.push_back({i, a, worths[static_cast<std::size_t>(a)]});
    }
    std::sort(w.options.begin(), w.options.end(),
              [&](const Option& a, const Option& b) { return weight > 0 ? a.worth > b.worth : a.worth < b.worth; });
    weighed_.push_back(std::move(w));
  }
}

// The last coverage is what the budget leaves. It is outside 0..m where the others take too little or too much.
std::vector<int> SecurityModel::complete(const std::vector<int>& full) const {
  std::vector<int> coverage = full;
  coverage.push_back(p_.budget() - std::accumulate(full.begin(), full.end(), 0));
  return coverage;
}

// Infinite where the last coverage does not exist: the search works on a product, of which these are not part.
double SecurityModel::value(const std::vector<int>& full) const {
  const auto coverage = complete(full);
  if (coverage.back() < 0 || coverage.back() > p_.levels()) return kInfinity;
  double total = 0;
  for (const auto& w : weighed_) total += w.weight * p_.loss_of(coverage, w.type);
  return total;
}

void SecurityModel::line(const std::vector<int>& full, std::size_t c, std::span<double> out) const {
  std::vector<int> moved = full;
  for (std::size_t d = 0; d < out.size(); ++d) {
    moved[c] = static_cast<int>(d);
    out[d] = value(moved);
  }
}

bool SecurityModel::tighten(const std::vector<int>& partial) {
  const int m = p_.levels();
  int least = 0, most = 0;
  for (std::size_t i = 0; i < targets_; ++i) {
    const bool fixed = i < partial.size() && partial[i] >= 0;
    ranges_[i] = fixed ? Range{partial[i], partial[i]} : Range{0, m};
    least += ranges_[i].lo;
    most += ranges_[i].hi;
  }
  if (least > p_.budget() || most < p_.budget()) return false;
  for (auto& range : ranges_) {
    if (range.lo == range.hi) continue;
    // most counts m for this free target and least counts 0: the others take between least and most - m of the budget.
    range = {std::max(0, p_.budget() - (most - m)), std::min(m, p_.budget() - least)};
  }
  return true;
}

// Into left_: the coverages at which this type attacks option.target at option.coverage, by comparing its gain there
// with the gain at every other target. Needs ranges_ of the node.
bool SecurityModel::narrow(std::size_t type, const Option& option) {
  // A little more than kTie, so that no rounding shuts out what the loss lets in.
  const double most =
      p_.attacker(type, option.target)[static_cast<std::size_t>(option.coverage)] + SecurityGame::kTie * 1.001;
  for (std::size_t j = 0; j < targets_; ++j) {
    auto& left = left_[j] = ranges_[j];
    if (j == option.target) {
      left = {option.coverage, option.coverage};
      continue;
    }
    // 0 <= lo <= hi <= m, so the part is within the m + 1 gains of the target and never empty.
    const auto gains = p_.attacker(type, j).subspan(static_cast<std::size_t>(left.lo),
                                                    static_cast<std::size_t>(left.hi - left.lo) + 1);
    const auto within = [&](double gain) { return gain <= most; };
    // Gains are linear in coverage, so those within the limit are a start or an end of the range.
    if (within(gains.front())) {
      left.hi =
          left.lo + static_cast<int>(std::partition_point(gains.begin(), gains.end(), within) - gains.begin()) - 1;
    } else if (within(gains.back())) {
      const auto above = [&](double gain) { return gain > most; };
      left.lo += static_cast<int>(std::partition_point(gains.begin(), gains.end(), above) - gains.begin());
    } else {
      return false;
    }
  }
  return true;
}

// Worths of one type at every free place (c, d). An option paints the places that some completion of it reaches;
// earlier options are better for the bound, so a painted place keeps its first value.
void SecurityModel::paint(const Weighed& w, const std::vector<int>& partial) {
  const std::size_t width = domain(0);
  std::size_t empty = 0;  // places still to paint
  for (std::size_t c = 0; c < partial.size(); ++c) {
    if (partial[c] >= 0) continue;
    std::iota(next_.begin() + static_cast<std::ptrdiff_t>(c * (width + 1)),
              next_.begin() + static_cast<std::ptrdiff_t>((c + 1) * (width + 1)), 0);
    // What no option paints for rounding keeps a bound that is always true.
    std::fill_n(worths_.begin() + static_cast<std::ptrdiff_t>(c * width), width, w.weight > 0 ? 1.0 : -1.0);
    empty += static_cast<std::size_t>(ranges_[c].hi - ranges_[c].lo) + 1;
  }
  for (const Option& option : w.options) {
    if (empty == 0) return;
    const Range own = ranges_[option.target];
    if (option.coverage < own.lo || option.coverage > own.hi || !narrow(w.type, option)) continue;
    int least = 0, most = 0;
    for (const Range& left : left_) {
      least += left.lo;
      most += left.hi;
    }
    if (least > p_.budget() || most < p_.budget()) continue;
    for (std::size_t c = 0; c < partial.size(); ++c) {
      if (partial[c] >= 0) continue;
      // next[d] = d if place d is empty, otherwise a place behind it: a union of painted runs with paths halved on the
      // way. Entry `width` stands behind the last place and is never painted, so the walk ends.
      int* next = next_.data() + c * (width + 1);
      const int from = std::max(left_[c].lo, p_.budget() - (most - left_[c].hi));
      const int to = std::min(left_[c].hi, p_.budget() - (least - left_[c].lo));
      int d = from;
      while (d <= to) {
        if (next[d] != d) {
          d = next[d] = next[next[d]];
          continue;
        }
        worths_[c * width + static_cast<std::size_t>(d)] = option.worth;
        next[d] = d + 1;
        --empty;
        ++d;
      }
    }
  }
}

// Places that the budget rules out are infinite; the others are the sum over types of weight * (1 - worth)/2, a type's
// worth being its own optimum, which need not be the same completion for all types.
void SecurityModel::bound(const std::vector<int>& partial, BoundTable& bounds) {
  const bool feasible = tighten(partial);
  for (std::size_t c = 0; c < partial.size(); ++c) {
    if (partial[c] >= 0) continue;
    const auto row = bounds[c];
    std::fill(row.begin(), row.end(), kInfinity);
    if (feasible) std::fill(row.begin() + ranges_[c].lo, row.begin() + ranges_[c].hi + 1, 0.0);
  }
  if (!feasible) return;
  for (const auto& w : weighed_) {
    paint(w, partial);
    for (std::size_t c = 0; c < partial.size(); ++c) {
      if (partial[c] >= 0) continue;
      const auto row = bounds[c];
      const double* worths = worths_.data() + c * row.size();
      for (std::size_t d = 0; d < row.size(); ++d) row[d] += w.weight * (1 - worths[d]) / 2;
    }
  }
}

}  // namespace hannan::detail
