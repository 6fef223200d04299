// The rounds of a portfolio (portfolio_rule.hpp has rule and statements). What can be refused is refused by check(),
// before anything changes. The unit of the mixture is the power of two at or above the largest range of losses so far,
// so that losses and risk in another power of two give the same picks.
#include "hannan/learners/portfolio_rule.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "hannan/certify/run_bounds.hpp"
#include "hannan/core/elementary.hpp"
#include "hannan/core/error.hpp"
#include "hannan/core/text.hpp"
#include "hannan/core/tolerance.hpp"
#include "hannan/io/limits.hpp"

namespace hannan::detail {
namespace {

constexpr double kMostLoss = 1e100;  // its square is finite
constexpr double kRounding = 1e-9;   // by which two losses may exceed `largest`
constexpr SavedRange kSavedSquares{0, 1e250};

double ln_of(std::size_t strategies) { return portable_log(static_cast<double>(strategies)); }

}  // namespace

PortfolioRule::PortfolioRule(const Setting& setting)
    : setting_(setting),
      mixture_(setting.strategies),
      rate_(ln_of(setting.strategies)),
      share_rule_({.risk = setting.risk, .largest = setting.largest}),
      sums_(setting.strategies),
      rehearsed_sums_(setting.strategies),
      rehearsed_ahead_(setting.strategies),
      weights_(setting.strategies, 0.0) {}

// Another strategy than today may cost `largest` in a round: it is played only while the account can pay for it.
bool PortfolioRule::must_hold() const {
  if (!setting_.hard) return false;
  return *setting_.hard + realised_gain_.value() < setting_.largest.value_or(share_rule_.beta());
}

void PortfolioRule::decide(std::span<const double> awake) {
  assert(awake.size() == weights_.size() && awake[0] > 0);
  mixture_.set_awake(awake);
  mixture_.set_rate(rate_.eta({}), unit());
  held_ = must_hold();
  share_ = share_state().share();
  const auto mixed = mixture_.weights();
  for (std::size_t k = 0; k < weights_.size(); ++k) weights_[k] = held_ ? 0.0 : share_ * mixed[k];
  weights_[0] += held_ ? 1.0 : 1 - share_;
}

std::size_t PortfolioRule::pick(double u) const {
  double below = 0;
  std::size_t last = 0;
  for (std::size_t k = 0; k < weights_.size(); ++k) {
    below += weights_[k];
    if (u < below) return k;
    if (weights_[k] > 0) last = k;
  }
  return last;  // rounding left the sum just below one
}

void PortfolioRule::check(std::span<const double> losses, const std::function<std::string(std::size_t)>& name) const {
  const auto refuse = [&](std::size_t k, const std::string& found, const std::string& expected) {
    throw Error(Code::kBadOutcome,
                "found " + found + " of strategy \"" + name(k) + "\" in round " + std::to_string(rounds() + 1) +
                    ", expected " + expected,
                "outcome");
  };
  std::size_t least = 0, most = 0;
  for (std::size_t k = 0; k < losses.size(); ++k) {
    if (std::isnan(losses[k])) continue;
    if (!(std::abs(losses[k]) <= kMostLoss)) refuse(k, "a loss of " + number_text(losses[k]), "at most 1e100");
    if (losses[k] < losses[least]) least = k;
    if (losses[k] > losses[most]) most = k;
  }
  if (!setting_.largest) return;
  const double range = losses[most] - losses[least];
  if (range <= *setting_.largest * (1 + kRounding)) return;
  const std::size_t named = most == 0 ? least : most;  // the one that is not today
  refuse(named, "a loss of " + number_text(losses[named]),
         "losses that differ by at most `largest`, " + number_text(*setting_.largest) + ": that of \"" +
             name(most == named ? least : most) + "\" is " + number_text(losses[most == named ? least : most]) +
             "; state a larger one, or null where none is known");
}

PortfolioRule::Charged PortfolioRule::charge(std::span<const double> losses) {
  double least = losses[0], most = losses[0];
  for (const double loss : losses) {
    if (std::isnan(loss)) continue;
    least = std::min(least, loss);
    most = std::max(most, loss);
  }
  range_ = std::max(range_, most - least);
  const auto [expected, mix] = mixture_.charge(losses);
  if (setting_.strategies > 1) rate_.charge(expected - mix);  // alone there is nothing but rounding between the two
  return {.h = expected, .d = losses[0] - expected};
}

PortfolioRule::Paid PortfolioRule::observe(std::span<const double> losses, std::size_t pick) {
  const double p = share();
  begin_play();
  if (begun_) share_rule_ = *begun_;
  begun_.reset();
  const auto [h, d] = charge(losses);
  const double today = losses[0], realised = losses[pick];
  if (held_) {
    held_cost_.add(d);
  } else {
    share_rule_.observe(d);
    largest_d_ = std::max(largest_d_, std::abs(d));
  }
  ++played_;
  total_.add(today - p * d);
  gain_.add(p * d);
  low_ = std::min(low_, gain_.value());
  realised_.add(realised);
  realised_gain_.add(today - realised);
  mixture_total_.add(h);
  for (std::size_t k = 0; k < losses.size(); ++k) sums_.add_one(k, std::isnan(losses[k]) ? h : losses[k]);
  if (setting_.largest) {
    const double share_of = (realised - today) / *setting_.largest;
    squares_ += share_of * share_of;
  }
  return {.loss = today - p * d, .realised = realised, .mixture = h};
}

void PortfolioRule::rehearse(std::span<const double> losses) {
  assert(played_ == 0);
  begun_.reset();
  const auto [h, d] = charge(losses);
  share_rule_.observe(d);
  ++rehearsed_;
  for (std::size_t k = 0; k < losses.size(); ++k) {
    rehearsed_sums_.add_one(k, std::isnan(losses[k]) ? h : losses[k]);
    if (!std::isnan(losses[k])) rehearsed_ahead_.add_one(k, h - losses[k]);
  }
}

void PortfolioRule::begin_play() {
  if (played_ > 0 || rehearsed_ == 0 || begun_) return;
  begun_ = share_rule_;
  begun_->begin_play();
}

std::vector<double> PortfolioRule::strategies() const {
  const double cost = share_cost();
  std::vector<double> all(setting_.strategies);
  for (std::size_t k = 0; k < all.size(); ++k) all[k] = cost + mixing(k);
  all[0] = std::min(all[0], today());
  return all;
}

std::optional<double> PortfolioRule::drawn_margin(double delta) const {
  if (!setting_.largest || squares_ > limits::kSeriesSum.hi) return std::nullopt;
  return *setting_.largest * (bounds::sum_upper(squares_, delta) - squares_);
}

void PortfolioRule::archive(Archive& a) {
  begun_.reset();
  a.count("warm_rounds", rehearsed_);
  a.count("played", played_);
  a.open("mixture");
  mixture_.archive(a);
  rate_.archive(a);
  a.field("range", range_, kSavedNonnegative);
  a.close();
  a.open("share");
  share_rule_.archive(a);
  a.close();
  a.open("ledger");
  total_.archive(a, "total", "total_carry", kSavedNumbers);
  gain_.archive(a, "gain", "gain_carry", kSavedNumbers);
  realised_.archive(a, "realised", "realised_carry", kSavedNumbers);
  realised_gain_.archive(a, "realised_gain", "realised_gain_carry", kSavedNumbers);
  mixture_total_.archive(a, "mixture", "mixture_carry", kSavedNumbers);
  held_cost_.archive(a, "held_cost", "held_cost_carry", kSavedNumbers);
  a.field("low", low_, {-1e100, 0});
  a.field("squares", squares_, kSavedSquares);
  a.field("largest_difference", largest_d_, kSavedNonnegative);
  sums_.archive(a, "sums", "sum_carries");
  rehearsed_sums_.archive(a, "rehearsed_sums", "rehearsed_carries");
  rehearsed_ahead_.archive(a, "ahead", "ahead_carries");
  a.close();
}

}  // namespace hannan::detail
