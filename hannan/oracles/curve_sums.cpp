// Functions constant + sum_c curve_c[x_c]: sums with carries, the smallest minimiser, and the k least combinations by
// merging. Costs: smallest_choice O(sum of domains); smallest_sums O(sum_c (m_c + k) log(m_c + k)).
#include "hannan/oracles/curve_sums.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <queue>
#include <span>
#include <utility>

#include "hannan/core/long_sums.hpp"
#include "hannan/core/tolerance.hpp"
#include "hannan/oracles/shaped_tables.hpp"

namespace hannan::detail {

void CurveSums::scale(double factor) {
  constant *= factor;
  for (auto& curve : curves) {
    for (double& value : curve) value *= factor;
  }
}

void CurveSums::clear() {
  constant = 0;
  for (auto& curve : curves) std::fill(curve.begin(), curve.end(), 0.0);
}

// Objective of a round: data + scale * noise, number by number. Shapes agree, which shaped_as() is for.
void CurveSums::set_sum(const CurveSums& data, const CurveSums& noise, double scale) {
  constant = data.constant + scale * noise.constant;
  for (std::size_t c = 0; c < curves.size(); ++c) {
    const std::span<double> sums = curves[c];
    const double *known = data.curves[c].data(), *drawn = noise.curves[c].data();
    for (std::size_t d = 0; d < sums.size(); ++d) sums[d] = known[d] + scale * drawn[d];
  }
}

// Compensated addition number by number: `carries` collect what rounding cuts off (core/long_sums.hpp).
void CurveSums::add_carried(const CurveSums& terms, CurveSums& carries) {
  hannan::add_carried(constant, carries.constant, terms.constant);
  for (std::size_t c = 0; c < curves.size(); ++c) {
    const std::span<double> sums = curves[c], carried = carries.curves[c];
    const std::span<const double> added = terms.curves[c];
    for (std::size_t d = 0; d < sums.size(); ++d) hannan::add_carried(sums[d], carried[d], added[d]);
  }
}

// Whether these may be what rounding cut off those sums: asked of saved states.
bool CurveSums::carries_of(const CurveSums& sums) const {
  bool all = is_carry(sums.constant, constant);
  for (std::size_t c = 0; c < curves.size(); ++c) {
    for (std::size_t d = 0; d < curves[c].size(); ++d) all = all && is_carry(sums.curves[c][d], curves[c][d]);
  }
  return all;
}

bool CurveSums::shaped_as(const CurveSums& other) const {
  return std::equal(curves.begin(), curves.end(), other.curves.begin(), other.curves.end(),
                    [](const auto& mine, const auto& its) { return mine.size() == its.size(); });
}

double CurveSums::at(const std::vector<int>& positions) const {
  double sum = constant;
  for (std::size_t c = 0; c < curves.size(); ++c) sum += curves[c][static_cast<std::size_t>(positions[c])];
  return sum;
}

void CurveSums::archive(Archive& a) {
  a.field("constant", constant);
  archive_tables(a, "curves", curves);
}

namespace {

// Combinations of the coordinates so far, by value then positions.
using List = std::vector<RankedSum>;

bool before(const RankedSum& a, const RankedSum& b) {
  return a.value != b.value ? a.value < b.value : a.positions < b.positions;
}

// The `most` least sums of an entry of `list` and a number of `curve`. Both are sorted, so entry
// (i, j) can only follow (i, j-1); the heap holds the next j of every i.
List merged(const List& list, const std::vector<double>& curve, std::size_t most) {
  std::vector<int> order(curve.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    const double x = curve[static_cast<std::size_t>(a)], y = curve[static_cast<std::size_t>(b)];
    return x != y ? x < y : a < b;
  });
  struct Next {
    double value;
    std::size_t i, j;
    bool operator<(const Next& other) const { return value != other.value ? value > other.value : i > other.i; }
  };
  // i numbers entries of `list`, j places in the order of the curve. The heap holds at most one j of each i.
  const auto value = [&](std::size_t i, std::size_t j) {
    return list[i].value + curve[static_cast<std::size_t>(order[j])];
  };
  std::priority_queue<Next> heap;
  for (std::size_t i = 0; i < list.size(); ++i) heap.push({value(i, 0), i, 0});
  List out;
  while (!heap.empty() && out.size() < most) {
    const Next next = heap.top();
    heap.pop();
    out.push_back({list[next.i].positions, next.value});
    out.back().positions.push_back(order[next.j]);
    if (next.j + 1 < order.size()) heap.push({value(next.i, next.j + 1), next.i, next.j + 1});
  }
  return out;
}

// Without branches, in four chains: which number is the least is not to be guessed.
double least_of(std::span<const double> curve) {
  const auto lower = [](double a, double b) { return b < a ? b : a; };
  double a = curve[0], b = a, c = a, e = a;
  std::size_t d = 0;
  for (; d + 4 <= curve.size(); d += 4) {
    a = lower(a, curve[d]);
    b = lower(b, curve[d + 1]);
    c = lower(c, curve[d + 2]);
    e = lower(e, curve[d + 3]);
  }
  for (; d < curve.size(); ++d) a = lower(a, curve[d]);
  return lower(lower(a, b), lower(c, e));
}

}  // namespace

// Returns the least value; the positions are those of the smallest combination within the tie window of it, so that the
// choice does not depend on rounding.
double smallest_choice(const CurveSums& sums, std::vector<int>& positions) {
  // On the stack where curves are few: a round has one such call, and a buffer kept by the thread costs a look-up.
  constexpr std::size_t kFew = 32;
  std::array<double, kFew> few;
  std::vector<double> many(sums.curves.size() > kFew ? sums.curves.size() : 0);
  const std::span<double> leasts(many.empty() ? few.data() : many.data(), sums.curves.size());
  double value = sums.constant;
  for (std::size_t c = 0; c < leasts.size(); ++c) value += leasts[c] = least_of(sums.curves[c]);
  // The smallest combination whose excess over the curves' least stays within the window.
  double window = tie_window(value);
  positions.clear();
  for (std::size_t c = 0; c < leasts.size(); ++c) {
    const double* curve = sums.curves[c].data();
    std::size_t d = 0;
    // Ends at the position of the least at the latest, where the difference is 0 and the window is not negative.
    while (curve[d] - leasts[c] > window) ++d;
    window -= curve[d] - leasts[c];
    positions.push_back(static_cast<int>(d));
  }
  return value;
}

// The choice first, then by value and positions. `rest` is the least value outside the pool, which makes it the proof
// that the pool holds the best.
RankedSums smallest_sums(const CurveSums& sums, std::size_t keep) {
  RankedSum choice{{}, 0};
  RankedSums found{
      .pool = {}, .rest = std::numeric_limits<double>::infinity(), .least = smallest_choice(sums, choice.positions)};
  choice.value = sums.at(choice.positions);
  found.pool.push_back(choice);
  if (keep == 0) {
    found.rest = found.least;
    return found;
  }
  // After c curves: the keep + 1 least combinations of them. Among those of all curves the keep + 1 least have least
  // prefixes, since a worse prefix can be exchanged for a better one.
  List list{{{}, sums.constant}};
  for (const auto& curve : sums.curves) list = merged(list, curve, keep + 1);
  for (auto& entry : list) entry.value = sums.at(entry.positions);
  std::sort(list.begin(), list.end(), before);
  for (auto& entry : list) {
    if (entry.positions == choice.positions) continue;
    if (found.pool.size() < keep) {
      found.pool.push_back(std::move(entry));
    } else {
      found.rest = std::min(found.rest, entry.value);
    }
  }
  return found;
}

}  // namespace hannan::detail
