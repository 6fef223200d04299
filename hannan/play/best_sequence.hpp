// The best sequence of actions with at most so many switches in hindsight, for the tracking regret (docs/theory-run.md,
// tracking): what a learner lost beyond the least of sum_t f(k_t, y_t) over all k_1, ..., k_T in which k_{t+1} differs
// from k_t at most n times.
//
// By dynamic programme over rounds: with D(s, k) the least total of a sequence of s switches that ends in k,
//   D(s, k) <- f(k) + min{D(s, k), min_j D(s-1, j)}.
// Actions must be listed. Cost: O(K n) a round, memory O(K n), whatever the number of rounds.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <span>
#include <vector>

namespace hannan::detail {

class BestSequence {
 public:
  BestSequence(std::size_t actions, std::size_t switches)
      : actions_(actions), totals_((switches + 1) * actions, 0.0), least_(switches + 1, 0.0) {
    assert(actions > 0);
  }

  // One loss per action.
  void observe(std::span<const double> losses) {
    assert(losses.size() == actions_);
    // From the most switches on, so that D(s-1, .) is still that of the round before.
    for (std::size_t s = least_.size(); s-- > 0;) {
      double* const totals = totals_.data() + s * actions_;
      for (std::size_t k = 0; k < actions_; ++k) {
        const double before = s == 0 ? totals[k] : std::min(totals[k], least_[s - 1]);
        totals[k] = before + losses[k];
      }
    }
    for (std::size_t s = 0; s < least_.size(); ++s) {
      const auto row = std::span(totals_).subspan(s * actions_, actions_);
      least_[s] = *std::min_element(row.begin(), row.end());
    }
  }

  std::size_t switches() const { return least_.size() - 1; }  // the most
  // The least total with at most this many switches; with none it is L*.
  double best(std::size_t switches) const { return least_[switches]; }

 private:
  std::size_t actions_;
  std::vector<double> totals_;  // D: by s, then k; a switch that is not used is allowed, so D falls with s
  std::vector<double> least_;   // over k
};

}  // namespace hannan::detail
