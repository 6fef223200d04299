// AdaHedge of a segment over its own learner and what is played below it, written a second time from docs/contexts.md;
// at the root of several orders of columns there is one more expert for each order.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace hannan::detail {

class RecomputedHedge {
 public:
  explicit RecomputedHedge(std::size_t experts = 2) : totals_(experts, 0.0) {}

  std::vector<double> weights() const;
  // The losses of a round; says the mean one.
  double charge(std::span<const double> losses);
  double gap() const { return gap_; }
  // From expert `first` on: the first that lost no more than the least, by more than rounding.
  std::size_t leading(std::size_t first) const;

 private:
  double least(std::size_t first = 0) const;
  double rate() const;
  double log_sum(double eta) const;  // ln of the sum of exp(-eta (L - min L))

  // Plain sums: the weights of a long run depend on how they are rounded, and the rule is about these sums.
  std::vector<double> totals_;
  double gap_ = 0;
};

}  // namespace hannan::detail
