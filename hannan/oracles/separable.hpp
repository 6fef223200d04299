// The oracle for losses that add up over coordinates: evidence(x) = constant + sum_c curve_c(x_c).
//
// History = one curve per coordinate and a constant, so a call costs O(sum of domains) however many
// rounds there were; exact, any sign. The choice is read off coordinate by coordinate: the least
// value is the sum of the curves' least, and the smallest action within the tie window spends the
// window from the first coordinate on. The k best come from merging sorted curves one by one with a
// heap, O(n (m + k) log(m + k)) in all.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "hannan/core/oracle.hpp"
#include "hannan/core/problem.hpp"
#include "hannan/core/tolerance.hpp"
#include "hannan/oracles/curve_sums.hpp"

namespace hannan::detail {

// add_curves adds weight * loss(., y); action_at writes the action at given positions, in their order.
template <class P>
concept SeparableProblem = Coordinated<P> && requires(const P& p, const typename P::Outcome& y, CurveSums& sums,
                                                      const std::vector<int>& positions, typename P::Action& x) {
  p.add_curves(y, 1.0, sums);
  p.action_at(positions, x);
};

template <SeparableProblem P>
class Separable {
 public:
  static constexpr bool kSigned = true;

  struct History {
    CurveSums sums;
    CurveSums carries;  // what rounding cut off the sums

    void scale(double factor) {
      sums.scale(factor);
      carries.scale(factor);
    }
    void clear() {
      sums.clear();
      carries.clear();
    }
    void archive(Archive& a) {
      sums.archive(a);
      a.open("carries");
      carries.archive(a);
      if (a.reading() && !carries.carries_of(sums)) a.refuse("", "found more than rounding cuts off a sum");
      a.close();
    }
  };

  History empty(const P& p) const {
    CurveSums zero;
    for (std::size_t c = 0; c < p.coordinates(); ++c) zero.curves.emplace_back(p.domain(c), 0.0);
    return {zero, zero};
  }
  // The terms of one outcome are made apart and added with their carries, so that a long run does not collect rounding.
  void add(const P& p, History& h, const typename P::Outcome& y, double weight) const {
    CurveSums& terms = buffers().terms;
    if (!terms.shaped_as(h.sums)) terms = h.sums;
    terms.clear();
    p.add_curves(y, weight, terms);
    h.sums.add_carried(terms, h.carries);
  }
  void add_table(const P&, History& h, std::size_t coordinate, std::span<const double> values) const {
    for (std::size_t d = 0; d < values.size(); ++d) h.sums.curves[coordinate][d] += values[d];
  }

  Answer<typename P::Action> best(const P& p, Evidence<History> e, std::size_t keep) const {
    Answer<typename P::Action> answer;
    choose(p, e, answer);
    if (keep == 0) return answer;
    const RankedSums found = smallest_sums(buffers().evidence, keep);
    answer.rest = found.rest;
    for (const auto& entry : found.pool) {
      answer.pool.push_back({{}, entry.value});
      p.action_at(entry.positions, answer.pool.back().action);
    }
    return answer;
  }
  void choose(const P& p, Evidence<History> e, Answer<typename P::Action>& answer) const {
    auto& [terms, sum, positions] = buffers();
    if (e.scale == 0 || !sum.shaped_as(e.data.sums)) sum = e.data.sums;
    if (e.scale != 0) sum.set_sum(e.data.sums, e.noise.sums, e.scale);
    answer.floor = answer.rest = smallest_choice(sum, positions);
    answer.value = sum.at(positions);
    p.action_at(positions, answer.action);
  }

 private:
  // What one call works in, kept for the next. One a thread and not one a history: a tree of segments has a history for
  // each of thousands.
  struct Buffers {
    CurveSums terms;     // of an outcome
    CurveSums evidence;  // of a search
    std::vector<int> positions;
  };
  static Buffers& buffers() {
    thread_local Buffers kept;
    return kept;
  }
};

}  // namespace hannan::detail
