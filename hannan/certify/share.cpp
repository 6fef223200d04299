// The share of a mixture (share.hpp has rule and statements). Invariants: sum A_i is the money at the start of an
// epoch, and money_ and stake_ belong to (A, X, V, beta). Powers of two come from frexp, and exponentials are the
// portable ones, so that the numbers are the same on every machine.
#include "hannan/certify/share.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "hannan/core/elementary.hpp"
#include "hannan/core/exponentials.hpp"

namespace hannan::detail {
namespace {

// The least with exp(y - kappa y^2) <= 1 + y for all y >= -1/2.
constexpr double kKappa = 4 * std::numbers::ln2 - 2;
constexpr int kMostHalvings = 200;
constexpr SavedRange kSquares{0, 1e250};  // differences are at most 2e100

// 1/((i+1)(i+2)), the last what is left of 1: the sum telescopes.
double spread(std::size_t i) {
  const auto place = static_cast<double>(i);
  return i + 1 == Share::kRates ? 1.0 / static_cast<double>(Share::kRates) : 1.0 / ((place + 1) * (place + 2));
}

// The exponent of the least power of two at or above v > 0.
int power_at_or_above(double v) {
  int exponent = 0;
  return std::frexp(v, &exponent) == 0.5 ? exponent - 1 : exponent;
}

}  // namespace

Share::Share(const Setting& setting)
    : risk_(setting.risk),
      known_(setting.largest.has_value()),
      beta_(known_ ? std::max(*setting.largest, risk_ / 4) : std::ldexp(1.0, power_at_or_above(risk_ / 4))) {
  for (std::size_t i = 0; i < kRates; ++i) money_at_[i] = risk_ * spread(i);
  settle();
  start_ = reach();
}

double Share::rate(std::size_t i) const { return std::ldexp(1.0, -static_cast<int>(i)) / (2 * beta_); }

Share::Rates Share::grown(double x) const {
  Rates all;
  for (std::size_t i = 0; i < kRates; ++i) {
    const double rho = rate(i);
    all[i] = rho * x - kKappa * rho * rho * v_;
  }
  portable_exp_all(all);
  for (std::size_t i = 0; i < kRates; ++i) all[i] *= money_at_[i];
  return all;
}

double Share::stake_at(double x) const {
  const Rates all = grown(x);
  double stake = 0;
  for (std::size_t i = 0; i < kRates; ++i) stake += rate(i) * all[i];
  return stake;
}

void Share::settle() {
  const Rates all = grown(x_);
  money_ = stake_ = 0;
  for (std::size_t i = 0; i < kRates; ++i) {
    money_ += all[i];
    stake_ += rate(i) * all[i];
  }
}

// X' - phi(X') is concave with derivative 1 - a: the maximum is at X while a(X) <= 1, else where a is 1. The lower end
// of the bisection has a <= 1 throughout, so what is returned is reached by an X' that counts.
double Share::reach() const {
  if (stake_ <= 1) return x_ - money_;
  double high = x_, low = x_ - beta_;
  for (double step = 2 * beta_; stake_at(low) > 1; step *= 2) low -= step;
  for (int halving = 0; halving < kMostHalvings; ++halving) {
    const double middle = low + (high - low) / 2;
    if (middle == low || middle == high) break;
    (stake_at(middle) < 1 ? low : high) = middle;
  }
  const Rates all = grown(low);
  return low - std::accumulate(all.begin(), all.end(), 0.0);
}

void Share::observe(double d) {
  const double x = d / std::max(1.0, stake_);
  if (known_ || std::abs(x) <= beta_) {
    x_ += x;
    v_ += x * x;
    settle();
    return;
  }
  const double p = share(), kept = beta_ / std::abs(x);
  excess_ += p * std::max(0.0, -d) * (1 - kept);
  missed_ += (1 - p) * std::max(0.0, d) * (1 - kept);
  x_ += kept * x;
  v_ += kept * x * kept * x;
  settle();
  closed_ += reach() - start_;
  widen(d);
}

// Rate i of the new beta = 2^n old beta is rate i + n of the old one and keeps its money; that of the n highest old
// rates is spread over all.
void Share::widen(double d) {
  const Rates held = grown(x_);
  const int wider = power_at_or_above(std::abs(d));
  const auto moved = static_cast<std::size_t>(wider - power_at_or_above(beta_));
  const double freed =
      std::accumulate(held.begin(), held.begin() + static_cast<std::ptrdiff_t>(std::min(moved, kRates)), 0.0);
  for (std::size_t i = 0; i < kRates; ++i)
    money_at_[i] = (moved < kRates - i ? held[i + moved] : 0.0) + freed * spread(i);
  beta_ = std::ldexp(1.0, wider);
  x_ = v_ = 0;
  ++epochs_;
  settle();
  start_ = reach();
}

void Share::begin_play() {
  const Rates held = grown(x_);
  for (std::size_t i = 0; i < kRates; ++i) money_at_[i] = risk_ * (held[i] / (2 * money_) + spread(i) / 2);
  x_ = v_ = closed_ = excess_ = missed_ = 0;
  epochs_ = 1;
  settle();
  start_ = reach();
}

double Share::closed_cost(double V) const {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < kRates; ++i) {
    if (!(money_at_[i] > 0)) continue;
    const double rho = rate(i);
    least = std::min(least, kKappa * rho * V + (-portable_log(money_at_[i] * rho) - 1) / rho);
  }
  return closed_ + missed_ + least - start_;
}

void Share::archive(Archive& a) {
  std::vector<double> money(money_at_.begin(), money_at_.end());
  a.field("A", money, kSavedNonnegative);
  std::copy(money.begin(), money.end(), money_at_.begin());
  const double least = beta_;
  a.field("beta", beta_, kSavedNonnegative);
  a.field("X", x_);
  a.field("V", v_, kSquares);
  a.field("start", start_);
  a.field("closed", closed_);
  a.field("excess", excess_, kSavedNonnegative);
  a.field("missed", missed_, kSavedNonnegative);
  a.count("epochs", epochs_);
  if (!a.reading()) return;
  if (beta_ < least || (known_ && beta_ != least)) a.refuse("beta", "found another one than risk and largest allow");
  settle();
  if (!std::isfinite(money_) || !std::isfinite(stake_)) a.refuse("X", "found more than the money of a run can grow to");
}

double share_cost_bound(const Share::Setting& setting, double V) {
  Share fresh(setting);
  return fresh.closed_cost(V);
}

double portfolio_bound(const PortfolioTerms& terms) {
  const double b = terms.share.largest.value();
  const double mixing =
      terms.strategies > 1 ? b * std::sqrt(terms.rounds * portable_log(terms.strategies)) + 2 * b : 0.0;
  return mixing + share_cost_bound(terms.share, terms.rounds * b * b);
}

}  // namespace hannan::detail
