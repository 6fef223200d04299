// See regret_hedge.hpp. The gap is taken through totals: Phi = -(least total) + (1/e) ln(spread / K), so that a round
// costs one spread more than the weights of its forecast.
#include "hannan/forecasts/regret_hedge.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "hannan/core/elementary.hpp"
#include "hannan/core/weights_of_totals.hpp"
#include "hannan/forecasts/lanes.hpp"

namespace hannan::detail {
namespace {

// Rounding of regrets that are equal in truth, as a share of the numbers they are differences of: sums of some 10^4
// terms of 2^-53 each. While Delta = 0 everything settled is 0 beside it (docs/theory-forecasts.md, rounding).
constexpr double kTieShare = 1e-12;

}  // namespace

RegretHedge::RegretHedge(std::size_t size)
    : arrived_(size, 0.0), settled_(size, 0.0), ln_size_(portable_log(static_cast<double>(size))) {}

double RegretHedge::rate() const { return gap_ > 0 ? ln_size_ / gap_ : std::numeric_limits<double>::infinity(); }

double RegretHedge::most_regret() const { return -least_; }

void RegretHedge::weigh(std::span<const double> awake, std::span<double> weights) const {
  weights_of_totals(known(), awake, {.eta = rate(), .window = kTieShare * unit_}, weights);
}

// The numbers of weights_of_totals with all awake. At an infinite rate the powers are 1 of the leaders and 0.
void RegretHedge::weight_exponents(std::span<double> exponents) const {
  const std::vector<double>& totals = known();
  const double eta = rate(), least = waiting_ == 0 ? least_ : least_and_largest(totals).least;
  if (std::isinf(eta)) {
    const double window = kTieShare * unit_;
    for (std::size_t k = 0; k < totals.size(); ++k) exponents[k] = totals[k] - least <= window ? 0 : -eta;
  } else {
    for (std::size_t k = 0; k < totals.size(); ++k) exponents[k] = -eta * (totals[k] - least);
  }
}

void RegretHedge::make_weights(std::span<double> powers) {
  const double sum = sum_in_order(powers);
  for (double& power : powers) power /= sum;
  if (waiting_ > 0) return;
  spread_ = sum;
  spread_rate_ = rate();
}

void RegretHedge::arrive(const Told& round) {
  unit_ = std::max(unit_, round.level);
  if (waiting_ > 0 || round.then == Told::Then::kWaits) {
    if (waiting_ == 0) arrived_ = settled_;
    for (std::size_t k = 0; k < arrived_.size(); ++k) arrived_[k] -= round.regrets[k];
  }
  waiting_ranges_ += round.range;
  ++waiting_;
}

void RegretHedge::settle_regrets(const Settled& round, std::span<double> exponents) {
  if (std::isinf(round.rate)) {
    spread_ = 1;
  } else if (!(spread_ > 0 && spread_rate_ == round.rate)) {
    spread_ = spread_of_totals(settled_, round.rate, least_, exponents);
  }
  const double after = least_left(settled_, round.regrets.data());
  grown_ = least_ - after;
  least_ = after;
  const double eta = std::isinf(round.rate) ? 0 : round.rate;
  for (std::size_t k = 0; k < settled_.size(); ++k) exponents[k] = -eta * (settled_[k] - after);
}

void RegretHedge::settle_gap(const Settled& round, double log_growth) {
  if (!std::isinf(round.rate) && round.rate > 0) grown_ += log_growth / round.rate;
  gap_ += std::max(0.0, grown_);
  size_ = std::max(size_, round.range);
  squares_ += round.range * (round.range + 2 * round.before);
  spread_ = 0;
  // Sums in another order differ by rounding: where nothing waits there is one set of numbers.
  waiting_ranges_ = std::max(0.0, waiting_ranges_ - round.range);
  if (--waiting_ == 0) waiting_ranges_ = 0;
}

double RegretHedge::closed(double delay) const { return std::sqrt(ln_size_ * squares_) + 2 * (2 * delay + 1) * size_; }

void RegretHedge::archive(Archive& a) {
  if (waiting_ == 0) arrived_ = settled_;
  a.field("arrived", arrived_);
  a.field("settled", settled_);
  a.field("gap", gap_, kSavedNonnegative);
  a.field("size", size_, kSavedNonnegative);
  a.field("unit", unit_, kSavedNonnegative);
  a.field("squares", squares_, {0, 1e300});  // of numbers up to 1e100
  a.field("waiting_ranges", waiting_ranges_, kSavedNonnegative);
  a.count("waiting", waiting_);
  if (a.reading()) {
    spread_ = 0;
    least_ = least_and_largest(settled_).least;
    if (waiting_ == 0 && arrived_ != settled_)
      a.refuse("arrived", "found other numbers than in \"settled\", expected the same: nothing waits");
  }
}

}  // namespace hannan::detail
