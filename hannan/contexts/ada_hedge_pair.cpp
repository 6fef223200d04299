// AdaHedge over two experts, in closed form: with d = |own - below| the scaled sum is 1 + exp(-eta d). The weights
// before the round price it; the gap grows by expected loss - mix loss, never below 0. Regret is at most 2 Delta
// (docs/contexts.md).
#include "hannan/contexts/ada_hedge_pair.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "hannan/core/elementary.hpp"
#include "hannan/core/rate_window.hpp"
#include "hannan/core/tolerance.hpp"

namespace hannan::detail {

AdaHedgePair::Weights AdaHedgePair::weights() const {
  if (!makes_rate(gap_, best())) {
    if (std::abs(own_ - below_) <= tie_window(best())) return {0.5, 0.5};
    return own_ < below_ ? Weights{1, 0} : Weights{0, 1};
  }
  // The leader has exp(0) = 1, the other one at most that.
  const double other = portable_exp(-std::numbers::ln2 / gap_ * std::abs(own_ - below_));
  const double sum = 1 + other;
  return own_ <= below_ ? Weights{1 / sum, other / sum} : Weights{other / sum, 1 / sum};
}

double AdaHedgePair::charge(double own, double below) {
  const Weights now = weights();
  const double expected = now.own * own + now.below * below;
  const double best_before = best(), apart_before = std::abs(own_ - below_);
  const bool rated = makes_rate(gap_, best_before);
  own_ += own;
  below_ += below;
  double mix = best() - best_before;
  if (rated) {
    const double eta = std::numbers::ln2 / gap_;
    const double before = 1 + portable_exp(-eta * apart_before);
    const double after = 1 + portable_exp(-eta * std::abs(own_ - below_));
    mix -= (portable_log(after) - portable_log(before)) / eta;
  }
  gap_ += std::max(0.0, expected - mix);
  return expected;
}

bool AdaHedgePair::prefers_below() const { return below_ < own_ - tie_window(below_); }

void AdaHedgePair::archive(Archive& a) {
  a.field("hedge_own", own_, kSavedLosses);
  a.field("hedge_below", below_, kSavedLosses);
  a.field("hedge_gap", gap_, kSavedNonnegative);
}

}  // namespace hannan::detail
