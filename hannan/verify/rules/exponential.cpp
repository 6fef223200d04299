// The rules of hedge, adahedge and flipflop-hedge, written a second time:
//   weights proportional to exp(-eta L_k), uniform over the leaders at eta = infinity;
//   the recorded loss is the mixture's mean; its excess over the mix loss -ln(mean exp(-eta f))/eta
//   (L*_t - L*_{t-1} at infinity) is what Delta, D_flip and D_flop add up;
//   the action is drawn from the weights by one uniform number a round.
// With experts that sleep the L_k are booked totals (sleeping_totals.hpp), and weights are those of the awake alone.
// Cost of a round: two passes over the actions, an exponential each.
#include "hannan/verify/rules/exponential.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "hannan/verify/rules/adaptive.hpp"

namespace hannan::detail {
namespace {

constexpr double kNoRate = std::numeric_limits<double>::infinity();
constexpr double kMostRounding = 1e-7;  // where rounding could do more, a loss is not verified by it

}  // namespace

void ExponentialRule::read(Fields& in) {
  if (asleep()) {
    eta_ = in.number("eta", {0, kExtended.hi});
  } else {
    RoundRule::read(in);
  }
}

void ExponentialRule::decided(const RecordedRound& round) {
  if (!eta_) claims().reject("eta", "found null, expected a number or \"inf\"");
  const double expected = expected_rate(round);
  // Without the absolute part of the tolerance: a rate may be tiny and still matter.
  const bool same = std::isinf(expected) ? *eta_ == expected : std::abs(*eta_ - expected) <= 1e-9 * expected;
  if (!same) claims().reject("eta", "found " + number_text(*eta_) + ", expected " + number_text(expected));
  best_before_ = least();
  rate_ = *eta_;
  if (rate_ > 0 && !gives_rate(setting().ln_size / rate_, best_before_, unit())) rate_ = kNoRate;
  // The learner's totals are plain sums, so that after t rounds they may be off by t 2^-53 of their size, and the rate
  // multiplies that.
  const double finite = std::isinf(rate_) ? 0.0 : rate_;
  rounding_ =
      asleep() ? 0.0
               : std::min(1e-15 * finite * (1 + best_before_) * (1 + static_cast<double>(round.t) / 16), kMostRounding);
  if (!plays(round)) return;
  weigh(round);
  expect_sample(round, 1e-9 + (asleep() ? 1e-15 * finite * (1 + asleep()->size()) : rounding_));
}

void ExponentialRule::observed(const RecordedRound& round) { expect("loss", round.loss, mean_loss(round)); }

void ExponentialRule::expect(const char* field, double found, double expected) const {
  if (std::abs(found - expected) > rounding_) claims().expect(field, found, expected);
}

// Of those awake. spread_before_ is the sum over all: those asleep are booked with the mean.
void ExponentialRule::weigh(const RecordedRound& round) {
  const auto all = totals();
  double least = kNoRate;
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (SleepingTotals::awake(round.losses[k])) least = std::min(least, all[k]);
  }
  const double window = tie_slack(least, unit());
  double sum = 0;
  spread_before_ = 0;
  for (std::size_t k = 0; k < all.size(); ++k) {
    const double behind = all[k] - least;
    double weight = behind <= window ? 1.0 : 0.0;
    if (!std::isinf(rate_)) {
      const double spread = std::exp(-rate_ * (all[k] - best_before_));
      spread_before_ += spread;
      weight = least == best_before_ ? spread : std::exp(-rate_ * behind);
    }
    weights_[k] = SleepingTotals::awake(round.losses[k]) ? weight : 0.0;
    sum += weights_[k];
  }
  for (double& w : weights_) w /= sum;
}

// With S_t = sum of exp(-eta (L_k - L*_t)), which lies in [1, K]: the mix loss is
// L*_t - L*_{t-1} - (ln S_t - ln S_{t-1}) / eta. In this form no rate is so large that it underflows.
double ExponentialRule::above_mix(double loss) const {
  if (rate_ <= 0) return 0;
  const double best = least();
  double mix = best - best_before_;
  if (!std::isinf(rate_)) {
    double spread = 0;
    for (const double total : totals()) spread += std::exp(-rate_ * (total - best));
    mix -= (std::log(spread) - std::log(spread_before_)) / rate_;
  }
  return std::max(0.0, loss - mix);
}

void SelfTunedRule::read(Fields& in) {
  ExponentialRule::read(in);
  if (flips_) {
    regime_ = in.word("regime");
    stability_ = in.numbers("stability", kNonnegative);
    if (stability_.size() != 2) {
      claims().reject("stability", asleep() ? "found another number of parts than the learner has"
                                            : "expected two numbers, of flip and of flop");
    }
    switched_ = in.flag("switched");
  } else {
    stability_ = {in.number("stability", kNonnegative)};
  }
}

double SelfTunedRule::expected_rate(const RecordedRound&) const {
  return !flipping_ && cost_ > 0 ? setting().ln_size / cost_ : kNoRate;
}

void SelfTunedRule::decided(const RecordedRound& round) {
  const char* part = flipping_ ? "flip" : "flop";
  if (flips_ && asleep() && regime_ != part) claims().reject("regime", std::string("expected \"") + part + "\"");
  if (flips_) expect_regime(regime_, part);
  ExponentialRule::decided(round);
}

void SelfTunedRule::observed(const RecordedRound& round) {
  ExponentialRule::observed(round);
  // Those asleep are booked with the recorded loss.
  if (plays(round)) (flipping_ ? flip_ : cost_) += above_mix(asleep() ? round.loss : mean_loss(round));
  if (flips_) expect("stability", stability_[0], flip_);
  expect("stability", stability_.back(), cost_);
  cost_ = stability_.back();
  if (!flips_) return;
  flip_ = stability_[0];
  const double mine = flipping_ ? flip_ : cost_;
  const double limit = flipping_ ? flips_->phi / flips_->a * cost_ : flips_->a * flip_;
  if (asleep() ? switches_asleep(round, mine, limit) : switches(switched_, mine, limit)) flipping_ = !flipping_;
}

bool SelfTunedRule::switches_asleep(const RecordedRound& round, double value, double limit) const {
  const double window = 2 * tie_slack(value, claims().precision().unit);
  if (!plays(round) && switched_) claims().reject("switched", "found true in a round without anybody awake");
  if (plays(round) && value > limit + window && !switched_) claims().reject("switched", "found false, expected true");
  if (value < limit && switched_) claims().reject("switched", "found true, expected false");
  return switched_;
}

}  // namespace hannan::detail
