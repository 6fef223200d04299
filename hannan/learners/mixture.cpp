// Weights, samples and charges of the Hedge family (formulas in mixture.hpp). All exponents are -eta (L_k - L*), at
// most 0, so nothing overflows and the best action has weight 1 before dividing. exp and log are our own
// (core/elementary.hpp) and sums go in a fixed order: the same bits on every machine. Cost: O(K) per call.
#include "hannan/learners/mixture.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "hannan/core/elementary.hpp"
#include "hannan/core/exponentials.hpp"
#include "hannan/core/rate_window.hpp"
#include "hannan/core/tolerance.hpp"

namespace hannan::detail {
namespace {

// A sum of n terms in four lanes, term k in lane k mod 4, the lanes added last: one order on every machine, and no
// addition waits for the one before it.
template <class Term>
double lane_sum(std::size_t n, Term&& term) {
  double lane[4] = {0, 0, 0, 0};
  std::size_t k = 0;
  for (; k + 4 <= n; k += 4) {
    for (std::size_t j = 0; j < 4; ++j) lane[j] += term(k + j);
  }
  for (std::size_t j = 0; k < n; ++k, ++j) lane[j] += term(k);
  return (lane[0] + lane[1]) + (lane[2] + lane[3]);
}

}  // namespace

// A rate so large that it would weigh rounding counts as infinite (core/rate_window.hpp).
void Mixture::set_rate(double eta) {
  const double ln_size = detail::portable_log(static_cast<double>(totals_.size()));
  if (eta > 0 && !detail::makes_rate(ln_size / eta, best_)) eta = std::numeric_limits<double>::infinity();
  eta_ = eta;
  if (std::isinf(eta)) {  // all leaders alike
    const double window = tie_window(best_);
    std::uint64_t leaders = 0;
    for (const double total : totals_) leaders += total - best_ <= window ? 1U : 0U;
    spread_ = static_cast<double>(leaders);
    const double share = 1 / spread_;
    for (std::size_t k = 0; k < totals_.size(); ++k) weights_[k] = totals_[k] - best_ <= window ? share : 0.0;
    return;
  }
  for (std::size_t k = 0; k < totals_.size(); ++k) weights_[k] = -eta * (totals_[k] - best_);
  detail::portable_exp_all(weights_);
  const double sum = lane_sum(weights_.size(), [&](std::size_t k) { return weights_[k]; });
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
  const double expected = lane_sum(losses_.size(), [&](std::size_t k) { return weights_[k] * losses_[k]; });
  for (std::size_t k = 0; k < losses_.size(); ++k) totals_[k] += losses_[k];
  const double best = *std::min_element(totals_.begin(), totals_.end());
  double mix = best - best_;
  if (eta_ == 0) {
    mix = expected;  // the limit
  } else if (!std::isinf(eta_)) {
    // The losses are no longer needed: their buffer serves for the exponentials.
    for (std::size_t k = 0; k < losses_.size(); ++k) losses_[k] = -eta_ * (totals_[k] - best);
    detail::portable_exp_all(losses_);
    const double spread = lane_sum(losses_.size(), [&](std::size_t k) { return losses_[k]; });
    mix -= (detail::portable_log(spread) - detail::portable_log(spread_)) / eta_;
  }
  best_ = best;
  return {expected, mix};
}

void Mixture::archive(Archive& a) {
  a.field("totals", totals_, kSavedLosses);
  a.field("best", best_, kSavedLosses);
  if (a.reading() && best_ != *std::min_element(totals_.begin(), totals_.end()))
    a.refuse("best", "found " + std::to_string(best_) + ", expected the least of the totals");
}

}  // namespace hannan::detail
