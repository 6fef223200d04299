#include "hannan/learners/mixture.hpp"

#include <algorithm>
#include <cmath>

#include "hannan/core/elementary.hpp"
#include "hannan/core/tolerance.hpp"

namespace hannan {

void Mixture::set_rate(double eta) {
  eta_ = eta;
  double sum = 0;
  for (std::size_t k = 0; k < totals_.size(); ++k) {
    const double behind = totals_[k] - best_;
    weights_[k] = std::isinf(eta) ? (behind <= tie_window(best_) ? 1.0 : 0.0) : portable_exp(-eta * behind);
    sum += weights_[k];
  }
  for (double& w : weights_) w /= sum;
  spread_ = sum;
}

std::size_t Mixture::sample(double u) const {
  double below = 0;
  std::size_t last = 0;
  for (std::size_t k = 0; k < weights_.size(); ++k) {
    if (weights_[k] == 0) continue;
    last = k;
    below += weights_[k];
    if (u < below) return k;
  }
  return last;  // rounding left the sum just below one
}

// The mix loss through the totals: with S_t = sum of exp(-eta (L_k - L*_t)), which lies in [1, K], it is
// L*_t - L*_{t-1} - (ln S_t - ln S_{t-1}) / eta. Through the weights it would underflow at large eta.
Mixture::Charge Mixture::charge() {
  double expected = 0;
  for (std::size_t k = 0; k < losses_.size(); ++k) {
    expected += weights_[k] * losses_[k];
    totals_[k] += losses_[k];
  }
  const double best = *std::min_element(totals_.begin(), totals_.end());
  double mix = best - best_;
  if (eta_ == 0) {
    mix = expected;  // the limit
  } else if (!std::isinf(eta_)) {
    double spread = 0;
    for (const double total : totals_) spread += portable_exp(-eta_ * (total - best));
    mix -= (portable_log(spread) - portable_log(spread_)) / eta_;
  }
  best_ = best;
  return {expected, mix};
}

void Mixture::archive(Archive& a) {
  a.field("totals", totals_);
  a.field("best", best_);
}

}  // namespace hannan
