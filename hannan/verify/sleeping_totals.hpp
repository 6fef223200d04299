// Totals of experts that may be missing from a round (docs/theory.md, sleeping experts), the verifier's own: an expert
// asleep is booked with the learner's mean loss, so that only rounds in which it was awake count for or against it.
//
// Of expert k: booked B_k, regret R_k (mean less its loss, of its rounds awake), C_k = sum of |mean - loss|. Cost of a
// round: a pass over the experts.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "hannan/verify/exact_total.hpp"

namespace hannan::detail {

class SleepingTotals {
 public:
  explicit SleepingTotals(std::size_t experts);
  static bool awake(double loss) { return !std::isnan(loss); }

  // The losses of a round, NaN for those asleep, and the mean loss of the learner. One at least is awake.
  void add(std::span<const double> losses, double mean);

  std::span<const double> booked() const { return booked_; }
  double least() const;  // of the booked ones
  double regret(std::size_t k) const { return regrets_[k].value(); }
  std::size_t largest_regret() const;  // the first expert that has it
  double awake_rounds(std::size_t k) const { return awake_[k]; }
  double moved(std::size_t k) const { return moved_[k]; }  // C_k
  double grown() const { return grown_; }                  // the sum of |mean - loss| / (C_k before + 1)
  std::size_t experts() const { return booked_.size(); }

  double range() const { return range_; }      // the largest of a round, of those awake
  double squares() const { return squares_; }  // of the ranges
  double size() const { return size_; }        // no total is larger
  double unit() const { return unit_; }        // the least power of two that is no smaller than range(); 0 before one

 private:
  std::vector<double> booked_, awake_, moved_;
  std::vector<ExactTotal> regrets_;
  double grown_ = 0, range_ = 0, squares_ = 0, size_ = 0, unit_ = 0;
};

}  // namespace hannan::detail
