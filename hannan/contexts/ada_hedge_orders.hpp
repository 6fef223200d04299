// AdaHedge at the root of several trees: its own learner, and what is played below it in each tree (expert 0, and one
// more for each tree).
//
// The rule of ada_hedge_pair.hpp with n = 1 + trees experts: eta = ln n / Delta. Regret against each is at most 2
// Delta. n + 1 numbers, and 3 n exponentials a round.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "hannan/core/archive.hpp"

namespace hannan::detail {

class AdaHedgeOrders {
 public:
  explicit AdaHedgeOrders(std::size_t experts) : totals_(experts, 0.0) {}

  std::vector<double> weights() const;
  // The losses of a round; says the expected one.
  double charge(std::span<const double> losses);

  double gap() const { return gap_; }  // Delta
  // The expert from `first` on that has lost least; of those within the tie window the first.
  std::size_t preferred(std::size_t first) const;

  void archive(Archive& a);

 private:
  double least() const;
  // The sum of exp(-eta (L - min L)).
  double scaled_sum(double eta) const;

  std::vector<double> totals_;
  double gap_ = 0;
};

}  // namespace hannan::detail
