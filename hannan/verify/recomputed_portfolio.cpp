// AdaHedge with eta = ln K / Delta, strategies that sleep booked with the mean; the share by 32 rates (see the header).
// Cost of a round: two passes over the strategies and 32 exponentials; most_regret() some thousand.
#include "hannan/verify/recomputed_portfolio.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "hannan/verify/choice_scan.hpp"
#include "hannan/verify/limit_forms.hpp"

namespace hannan::detail {
namespace {

const double kCurve = 4 * std::log(2.0) - 2;  // exp(y - kCurve y^2) <= 1 + y from y = -1/2 on

double portion(std::size_t i) {
  if (i == RecomputedPortfolio::kRates - 1) return 1.0 / RecomputedPortfolio::kRates;
  return 1.0 / (static_cast<double>(i + 1) * static_cast<double>(i + 2));
}

// The least power of two that is no smaller.
double binary_above(double v) {
  int exponent = 0;
  const double mantissa = std::frexp(v, &exponent);
  return std::ldexp(1.0, mantissa > 0.5 ? exponent : exponent - 1);
}

}  // namespace

RecomputedPortfolio::RecomputedPortfolio(const RecordedPortfolio& setting, std::size_t strategies)
    : setting_(setting),
      size_(strategies),
      booked_(strategies, 0.0),
      beta_(setting.largest ? std::max(*setting.largest, setting.risk / 4) : binary_above(setting.risk / 4)),
      sums_(strategies),
      rehearsed_sums_(strategies),
      ahead_(strategies) {
  for (std::size_t i = 0; i < kRates; ++i) money_[i] = setting.risk * portion(i);
  start_ = most_regret();
}

RecomputedPortfolio::Bet RecomputedPortfolio::bet(double x) const {
  Bet all;
  double rho = 1 / (2 * beta_);
  for (const double money : money_) {
    const double grown = money * std::exp(rho * x - kCurve * rho * rho * v_);
    all.money += grown;
    all.stake += rho * grown;
    rho /= 2;
  }
  return all;
}

// The largest X' - money(X') up to X. It rises while the stake is below 1.
double RecomputedPortfolio::most_regret() const {
  const Bet here = bet(x_);
  if (here.stake <= 1) return x_ - here.money;
  double above = x_, below = x_ - beta_, step = beta_;
  while (bet(below).stake > 1) {
    step *= 2;
    below -= step;
  }
  for (int i = 0; i < 300; ++i) {
    const double middle = 0.5 * (above + below);
    if (middle <= below || middle >= above) break;
    (bet(middle).stake < 1 ? below : above) = middle;
  }
  return below - bet(below).money;
}

std::vector<double> RecomputedPortfolio::mixed(const std::vector<bool>& awake) const {
  const double least_unit = std::ldexp(1.0, -160);
  const double unit = binary_above(std::max(range_, least_unit));
  const double best = *std::min_element(booked_.begin(), booked_.end());
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < size_; ++k) {
    if (awake[k]) least = std::min(least, booked_[k]);
  }
  const bool rated = gives_rate(gap_, best, unit);
  const double eta = rated ? std::log(static_cast<double>(size_)) / gap_ : 0;
  std::vector<double> all(size_, 0.0);
  double sum = 0;
  for (std::size_t k = 0; k < size_; ++k) {
    if (!awake[k]) continue;
    const double behind = booked_[k] - least;
    all[k] = rated ? std::exp(-eta * behind) : behind <= tie_slack(least, unit) ? 1.0 : 0.0;
    sum += all[k];
  }
  for (double& weight : all) weight /= sum;
  return all;
}

RecomputedPortfolio::Decision RecomputedPortfolio::decide(const std::vector<bool>& awake) {
  mixture_weights_ = mixed(awake);
  Decision made;
  made.share = std::min(1.0, bet(x_).stake);
  made.held = held_ = setting_.hard && *setting_.hard + realised_gain() < setting_.largest.value_or(beta_);
  if (held_) made.share = 0;
  for (const double weight : mixture_weights_) made.weights.push_back(made.share * weight);
  made.weights.front() += 1 - made.share;
  return made;
}

double RecomputedPortfolio::charge(std::span<const double> losses) {
  double mean = 0, low = losses[0], high = losses[0];
  for (std::size_t k = 0; k < size_; ++k) {
    if (std::isnan(losses[k])) continue;
    mean += mixture_weights_[k] * losses[k];
    low = std::min(low, losses[k]);
    high = std::max(high, losses[k]);
  }
  const double least_unit = std::ldexp(1.0, -160);
  const double unit = binary_above(std::max(range_, least_unit));
  const double before = *std::min_element(booked_.begin(), booked_.end());
  const bool rated = gives_rate(gap_, before, unit);
  const double eta = rated ? std::log(static_cast<double>(size_)) / gap_ : 0;
  const auto log_sum = [&](double best) {
    double sum = 0;
    for (const double total : booked_) sum += std::exp(-eta * (total - best));
    return std::log(sum);
  };
  const double spread = rated ? log_sum(before) : 0;
  for (std::size_t k = 0; k < size_; ++k) booked_[k] += std::isnan(losses[k]) ? mean : losses[k];
  const double after = *std::min_element(booked_.begin(), booked_.end());
  double mix = after - before;
  if (rated) mix -= (log_sum(after) - spread) / eta;
  if (size_ > 1) gap_ += std::max(0.0, mean - mix);
  range_ = std::max(range_, high - low);
  return mean;
}

double RecomputedPortfolio::stepped(double d) {
  const double stake = bet(x_).stake, p = std::min(1.0, stake);
  const double x = d / std::max(1.0, stake);
  if (setting_.largest || std::abs(x) <= beta_) {
    x_ += x;
    v_ += x * x;
    return p;
  }
  // The state moves by as much as beta allows; then beta grows, and the money of each rate goes to the rate of the same
  // size among the new ones.
  const double c = beta_ / std::abs(x);
  if (d < 0) excess_ += p * -d * (1 - c);
  if (d > 0) missed_ += (1 - p) * d * (1 - c);
  x_ += c * x;
  v_ += c * x * (c * x);
  closed_ += most_regret() - start_;
  std::array<double, kRates> held = money_;
  double rho = 1 / (2 * beta_);
  for (double& money : held) {
    money *= std::exp(rho * x_ - kCurve * rho * rho * v_);
    rho /= 2;
  }
  const double wider = binary_above(std::abs(d));
  std::size_t steps = 0;
  for (double size = beta_; size < wider; size *= 2) ++steps;
  double freed = 0;
  for (std::size_t i = 0; i < std::min(steps, kRates); ++i) freed += held[i];
  for (std::size_t i = 0; i < kRates; ++i) money_[i] = (i + steps < kRates ? held[i + steps] : 0) + freed * portion(i);
  beta_ = wider;
  x_ = v_ = 0;
  ++epochs_;
  start_ = most_regret();
  return p;
}

void RecomputedPortfolio::begin_play() {
  if (playing_) return;
  playing_ = true;
  if (rehearsed_ == 0) return;
  const double all = bet(x_).money;
  double rho = 1 / (2 * beta_);
  for (std::size_t i = 0; i < kRates; ++i) {
    const double held = money_[i] * std::exp(rho * x_ - kCurve * rho * rho * v_);
    money_[i] = setting_.risk * (0.5 * held / all + 0.5 * portion(i));
    rho /= 2;
  }
  x_ = v_ = closed_ = excess_ = missed_ = 0;
  epochs_ = 1;
  start_ = most_regret();
}

RecomputedPortfolio::Paid RecomputedPortfolio::observe(std::span<const double> losses, std::size_t pick) {
  const double h = charge(losses), d = losses[0] - h;
  double p = 0;
  if (held_) {
    held_cost_ += d;
  } else {
    p = stepped(d);
    largest_d_ = std::max(largest_d_, std::abs(d));
  }
  ++played_;
  const Paid paid{.loss = losses[0] - p * d, .realised = losses[pick]};
  total_ += paid.loss;
  gain_ += p * d;
  low_ = std::min(low_, gain_.value());
  realised_ += paid.realised;
  realised_gain_ += losses[0] - paid.realised;
  mixture_ += h;
  for (std::size_t k = 0; k < size_; ++k) sums_[k] += std::isnan(losses[k]) ? h : losses[k];
  if (setting_.largest) squares_ += std::pow((paid.realised - losses[0]) / *setting_.largest, 2);
  return paid;
}

void RecomputedPortfolio::rehearse(std::span<const double> losses) {
  const double h = charge(losses);
  stepped(losses[0] - h);
  ++rehearsed_;
  for (std::size_t k = 0; k < size_; ++k) {
    rehearsed_sums_[k] += std::isnan(losses[k]) ? h : losses[k];
    if (!std::isnan(losses[k])) ahead_[k] += h - losses[k];
  }
}

double RecomputedPortfolio::today() const { return setting_.risk - bet(x_).money + excess_; }

double RecomputedPortfolio::share_cost() const { return closed_ + most_regret() - start_ + missed_ + held_cost(); }

double RecomputedPortfolio::mixing(std::size_t k) const { return 2 * gap_ - ahead_[k].value(); }

double RecomputedPortfolio::strategy(std::size_t k) const {
  const double both = share_cost() + mixing(k);
  return k == 0 ? std::min(both, today()) : both;
}

std::optional<double> RecomputedPortfolio::limit() const {
  if (!setting_.largest || squares_ > 1e9) return std::nullopt;
  return today() + *setting_.largest * (forms::sum_upper(squares_, setting_.delta) - squares_);
}

}  // namespace hannan::detail
