// A mixture of experts some of whom are absent in a round. Weights are those of all experts restricted to the awake
// ones; an absent expert is booked with the mixture's own loss, so that its regret does not change while it sleeps
// (docs/theory.md, sleeping). With all awake it is Mixture. Cost: O(K) a round.
#include "hannan/learners/sleeping_mixture.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "hannan/core/elementary.hpp"
#include "hannan/core/rate_window.hpp"
#include "hannan/core/weights_of_totals.hpp"

namespace hannan::detail {

void SleepingMixture::set_rate(double eta, double unit) {
  const double ln_size = portable_log(static_cast<double>(totals_.size()));
  if (!makes_rate(ln_size / eta, best_, unit)) eta = std::numeric_limits<double>::infinity();
  eta_ = eta;
  double least = std::numeric_limits<double>::infinity();  // of the awake
  for (std::size_t k = 0; k < totals_.size(); ++k) {
    if (awake_[k] > 0) least = std::min(least, totals_[k]);
  }
  weights_of_totals(totals_, awake_, {.eta = eta, .window = tie_window(least, unit)}, weights_);
  // S_{t-1} of all experts, relative to the best of all, as the mix loss needs it; not the sum of the weights above.
  scratch_.resize(totals_.size());
  spread_ = std::isinf(eta) ? 1.0 : spread_of_totals(totals_, eta_, best_, scratch_);
}

// The mix loss of the booked losses through their totals, as in learners/mixture.cpp.
SleepingMixture::Charge SleepingMixture::charge(std::span<const double> losses) {
  double expected = 0;
  for (std::size_t k = 0; k < losses.size(); ++k) {
    if (weights_[k] > 0) expected += weights_[k] * losses[k];
  }
  // NaN is "asleep".
  for (std::size_t k = 0; k < losses.size(); ++k) totals_[k] += std::isnan(losses[k]) ? expected : losses[k];
  const double best = *std::min_element(totals_.begin(), totals_.end());
  double mix = best - best_;
  if (!std::isinf(eta_))
    mix -= (portable_log(spread_of_totals(totals_, eta_, best, scratch_)) - portable_log(spread_)) / eta_;
  best_ = best;
  return {expected, mix};
}

void SleepingMixture::archive(Archive& a) {
  a.field("totals", totals_);
  a.field("best", best_);
  if (a.reading() && best_ != *std::min_element(totals_.begin(), totals_.end()))
    a.refuse("best", "found " + std::to_string(best_) + ", expected the least of the totals");
}

}  // namespace hannan::detail
