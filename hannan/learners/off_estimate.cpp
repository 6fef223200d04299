// The estimates of gftpl's regret by which `off` switches; each is a closed form or a sum over the rounds that gftpl
// played (docs/theory.md, off). paper and tight: the bound of Theorem 1 at the present L*. trajectory: the sum of that
// bound's increments along the L* that was seen. regret, reused, realised: the regret itself, with the expected loss by
// Monte-Carlo or with the loss that was paid. value() never falls. Cost: O(1) a round; draws are made by the caller.
#include "hannan/learners/off_estimate.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace hannan::detail {

OffEstimate::OffEstimate(Setting setting) : setting_(setting) {
  if (setting_.kind == OffEstimator::kPaper || setting_.kind == OffEstimator::kTight) value_ = closed_form(0);
}

// 1/eta of the small-loss rate: eta = min(1/gamma, c / sqrt(L* + 1)).
double OffEstimate::scale(double best) const { return std::max(setting_.gamma, std::sqrt(best + 1) / setting_.c); }

double OffEstimate::closed_form(double best) const {
  const double gamma = setting_.gamma;
  if (setting_.kind == OffEstimator::kPaper) {
    // The paper's constants as printed. ln_size is ln K and columns is N.
    const double width = std::max(2 * setting_.ln_size, std::sqrt(setting_.columns * setting_.ln_size));
    const double root = std::sqrt(best + 1);
    const double lead = 4 * std::numbers::sqrt2 * width;
    return (lead + 4 * gamma) * root + 8 * gamma * std::log(root + gamma) + 2 * gamma * gamma + lead * gamma;
  }
  // thm1_tight: (e-1) min{2 gamma c sqrt(L*), L*} + M z + (e-1) gamma M (1 + kappa ln(z/z_1)).
  const double e1 = std::numbers::e - 1;
  // kappa bounds the sum of (z_{t+1} - z_t) / z_t by kappa ln(z/z_1): z grows by at most sqrt(2) in a round.
  const double kappa = (std::numbers::sqrt2 - 1) / std::log(std::numbers::sqrt2);
  const double z = scale(best);
  const double drift = 1 + kappa * std::log(z / scale(0));
  return e1 * std::min(2 * gamma * setting_.c * std::sqrt(best), best) + setting_.noise_size * z +
         e1 * gamma * setting_.noise_size * drift;
}

void OffEstimate::extend_trajectory(double best) {
  // e^(gamma/z) - 1: by what factor, less one, a single outcome can move the mean loss at the multiplier z.
  const auto growth = [&](double z) { return std::expm1(setting_.gamma / z); };
  const double z = scale(best_);
  const double z_next = scale(best);
  if (rounds_ == 0) spread_ = setting_.noise_size * growth(z) * z;
  spread_ += growth(z) * ((best - best_) + setting_.noise_size * (z_next - z));
  value_ = spread_ + setting_.noise_size * z;
}

void OffEstimate::played(const OffRound& round) {
  switch (setting_.kind) {
    case OffEstimator::kPaper:
    case OffEstimator::kTight:
      value_ = std::max(value_, closed_form(round.best));
      break;
    case OffEstimator::kTrajectory:
      extend_trajectory(round.best);
      break;
    case OffEstimator::kRegret:
    case OffEstimator::kReused:
    case OffEstimator::kRealised:
      total_ += draws_noise(setting_.kind) ? round.expected : round.loss;
      value_ = std::max(value_, total_ - round.best);
      break;
  }
  best_ = round.best;
  ++rounds_;
}

void OffEstimate::archive(Archive& a) {
  a.field("value", value_);
  a.field("best", best_, kSavedLosses);
  a.field("total", total_, kSavedLosses);
  a.field("spread", spread_);
  a.count("rounds", rounds_);
}

}  // namespace hannan::detail
