// The rule of a portfolio: which of K strategies is played, from their losses alone (docs/theory-portfolio.md).
//
// Strategy 0 is today's decision. A round:
//
//   v = AdaHedge weights of the strategies that propose, h = sum v_k l_k, d = l_0 - h
//   p = the share of the mixture (certify/share.hpp);  q_k = p v_k, and q_0 += 1 - p;  one is picked by q
//   loss of the round, in the mean over the pick: l_0 - p d
//
// A strategy without a proposal sleeps: it is booked with h (learners/sleeping_mixture.hpp). In a rehearsed round
// mixture and share learn as if it were played, and nothing is charged. With `hard` the realised loss against today is
// kept in an account: while the account is below the largest difference of a round today is played (the round is
// `held`), the mixture learns and the share does not.
//
// Certificates, all on every path: `today`, `share_cost`, `mixing`, `strategies` (docs/theory-portfolio.md). Sums are
// in order of k. Cost: O(32 + K) a round.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "hannan/certify/share.hpp"
#include "hannan/core/archive.hpp"
#include "hannan/core/long_sums.hpp"
#include "hannan/learners/hedge.hpp"
#include "hannan/learners/sleeping_mixture.hpp"

namespace hannan::detail {

// What a strategy that sleeps loses.
inline constexpr double kAsleep = std::numeric_limits<double>::quiet_NaN();

class PortfolioRule {
 public:
  struct Setting {
    std::size_t strategies = 1;  // K
    double risk = 1;             // B, the most that may be lost against today in the mean
    std::optional<double> largest;
    std::optional<double> hard;
  };
  explicit PortfolioRule(const Setting& setting);

  const Setting& setting() const { return setting_; }
  std::uint64_t rounds() const { return rehearsed_ + played_; }
  std::uint64_t rehearsed() const { return rehearsed_; }
  std::uint64_t played() const { return played_; }

  // Who proposes in the coming round: 1 or 0 each; today always does. Changes nothing but the decision.
  void decide(std::span<const double> awake);
  std::span<const double> weights() const { return weights_; }  // q
  double share() const { return held_ ? 0.0 : share_; }         // p
  bool held() const { return held_; }
  std::size_t pick(double u) const;

  // Throws kBadOutcome, with the name of the strategy, for a loss above 1e100 or two that differ by more than
  // `largest`. `name` is that of a strategy; NaN: it sleeps.
  void check(std::span<const double> losses, const std::function<std::string(std::size_t)>& name) const;
  // After decide() and check(), with the losses of those that proposed.
  struct Paid {
    double loss = 0;      // in the mean over the pick
    double realised = 0;  // of the pick
    double mixture = 0;   // h
  };
  Paid observe(std::span<const double> losses, std::size_t pick);
  // A round that is told and not played, before the first played one.
  void rehearse(std::span<const double> losses);
  // Before the decision of a played round, and before statements are read: the whole risk, where rounds were rehearsed.
  // It counts once a round is played; until then rehearsed rounds may follow, and a state has nothing of it.
  void begin_play();

  // Of the played rounds.
  double total() const { return total_.value(); }
  double gain() const { return gain_.value(); }  // over today, in the mean over the pick
  double low() const { return low_; }            // the least gain so far, 0 at the start
  double realised() const { return realised_.value(); }
  double realised_gain() const { return realised_gain_.value(); }
  double mixture() const { return mixture_total_.value(); }
  std::span<const double> sums() const { return sums_.values(); }                      // of each strategy; asleep: h
  std::span<const double> rehearsed_sums() const { return rehearsed_sums_.values(); }  // the same in the rehearsal
  std::span<const double> ahead() const { return rehearsed_ahead_.values(); }  // mixture less strategy in the rehearsal
  double gap() const { return rate_.gap(); }                                   // Delta, of all rounds
  double range() const { return range_; }  // the largest difference of two strategies in a round, of all rounds
  double largest_difference() const { return largest_d_; }  // of the mixture and today in a played round that counted
  double squares() const { return squares_; }               // Q
  double held_cost() const { return held_cost_.value(); }   // summed d of the held rounds
  const Share& share_state() const { return begun_ ? *begun_ : share_rule_; }

  double today() const { return share_state().today(); }
  double share_cost() const { return share_state().cost() + held_cost(); }
  double share_cost_closed() const { return share_state().closed_cost() + held_cost(); }
  double mixing(std::size_t k) const { return 2 * gap() - ahead()[k]; }
  // Loss of the play less that of strategy k is at most this; costs a bisection.
  std::vector<double> strategies() const;
  // With probability 1 - delta at every round at once: what the drawn pick may lose beyond the mean. None without
  // `largest`, and where Q is beyond what sum_upper computes.
  std::optional<double> drawn_margin(double delta) const;

  void archive(Archive& a);

 private:
  struct Charged {
    double h, d;
  };
  Charged charge(std::span<const double> losses);  // the mixture, and the ranges it is measured by
  double unit() const { return unit_of(range_); }
  bool must_hold() const;

  Setting setting_;
  SleepingMixture mixture_;
  AdaHedgeRate rate_;
  Share share_rule_;
  std::optional<Share> begun_;  // begin_play() was called and no round has been played: what it will be
  double range_ = 0;            // the largest of the booked losses of a round
  std::uint64_t rehearsed_ = 0, played_ = 0;
  CarriedSum total_, gain_, realised_, realised_gain_, mixture_total_, held_cost_;
  double low_ = 0, squares_ = 0, largest_d_ = 0;
  LongSums sums_, rehearsed_sums_, rehearsed_ahead_;

  // Of the coming round.
  std::vector<double> weights_;
  double share_ = 1;
  bool held_ = false;
};

}  // namespace hannan::detail
