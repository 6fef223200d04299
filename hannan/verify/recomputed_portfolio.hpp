// The rule of a portfolio, written a second time from docs/theory-portfolio.md: AdaHedge over the strategies that
// propose, the share of the mixture, the account of a hard limit, and every statement about the run.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "hannan/verify/exact_total.hpp"
#include "hannan/verify/setting.hpp"

namespace hannan::detail {

class RecomputedPortfolio {
 public:
  RecomputedPortfolio(const RecordedPortfolio& setting, std::size_t strategies);

  // Of the coming round; NaN for those that do not propose.
  struct Decision {
    std::vector<double> weights;  // q
    double share = 0;
    bool held = false;
  };
  Decision decide(const std::vector<bool>& awake);
  void begin_play();
  struct Paid {
    double loss = 0, realised = 0;
  };
  Paid observe(std::span<const double> losses, std::size_t pick);  // after decide()
  void rehearse(std::span<const double> losses);

  std::uint64_t rehearsed() const { return rehearsed_; }
  std::uint64_t played() const { return played_; }
  double total() const { return total_.value(); }
  double gain() const { return gain_.value(); }
  double low() const { return low_; }
  double realised() const { return realised_.value(); }
  double realised_gain() const { return realised_gain_.value(); }
  double mixture() const { return mixture_.value(); }
  double sum(std::size_t k) const { return sums_[k].value(); }
  double rehearsed_sum(std::size_t k) const { return rehearsed_sums_[k].value(); }
  double gap() const { return gap_; }
  double range() const { return range_; }
  double squares() const { return squares_; }
  double held_cost() const { return held_cost_.value(); }
  double largest_difference() const { return largest_d_; }

  // The share.
  static constexpr std::size_t kRates = 32;
  double rate_money(std::size_t i) const { return money_[i]; }
  double share_gains() const { return x_; }
  double share_squares() const { return v_; }
  double beta() const { return beta_; }
  double start() const { return start_; }
  double closed() const { return closed_; }
  double excess() const { return excess_; }
  double missed() const { return missed_; }
  std::uint64_t epochs() const { return epochs_; }

  // Statements.
  double today() const;
  double share_cost() const;
  double mixing(std::size_t k) const;
  double strategy(std::size_t k) const;
  std::optional<double> limit() const;

 private:
  struct Bet {
    double money = 0, stake = 0;
  };
  Bet bet(double x) const;
  double most_regret() const;  // U
  double stepped(double d);    // the share after a round of this difference; says p of the round
  std::vector<double> mixed(const std::vector<bool>& awake) const;
  double charge(std::span<const double> losses);  // the mixture; says its mean loss

  const RecordedPortfolio& setting_;
  std::size_t size_;
  // AdaHedge: plain sums, as the rule has them.
  std::vector<double> booked_;
  std::vector<double> mixture_weights_;
  double gap_ = 0, range_ = 0;
  // The share.
  std::array<double, kRates> money_;
  double beta_, x_ = 0, v_ = 0, start_ = 0, closed_ = 0, excess_ = 0, missed_ = 0;
  std::uint64_t epochs_ = 1;

  bool playing_ = false, held_ = false;
  std::uint64_t rehearsed_ = 0, played_ = 0;
  ExactTotal total_, gain_, realised_, realised_gain_, mixture_, held_cost_;
  double low_ = 0, squares_ = 0, largest_d_ = 0;
  std::vector<ExactTotal> sums_, rehearsed_sums_, ahead_;
};

}  // namespace hannan::detail
