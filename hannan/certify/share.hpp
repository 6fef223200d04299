// How much of the play a mixture of strategies gets, so that the mean loss against today's decision stays below a
// stated amount B on every path (docs/theory-portfolio.md).
//
// A round gives d, what the mixture gains over today. 32 rates rho_i = 2^-i/(2 beta), beta at or above every |d|, hold
// money A_i that adds up to B:
//
//   phi(X, V) = sum_i A_i exp(rho_i X - kappa rho_i^2 V)      the money left,  kappa = 4 ln 2 - 2
//   a(X, V)   = sum_i rho_i A_i exp(...)                      the stake: d phi / d X
//   p = min(1, a),   x = d / max(1, a),   X += x,   V += x^2
//
// Then the summed p d is at least phi - B (share_today), and the summed (1 - p) d is at most U - U at the start,
// U = max over X' <= X of X' - phi(X', V) (share_cost). Where no largest difference is stated, beta grows by powers of
// two as larger ones come: the money is carried over to the new rates, and what the step cost is kept in `excess` and
// `missed`. Cost: 32 exponentials a round; U some thousand, where it is asked for and the stake is above 1.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "hannan/core/archive.hpp"

namespace hannan::detail {

class Share {
 public:
  static constexpr std::size_t kRates = 32;

  struct Setting {
    double risk = 1;                // B
    std::optional<double> largest;  // no |d| is larger; none: found as the run goes
  };
  explicit Share(const Setting& setting);

  double stake() const { return stake_; }
  double share() const { return stake_ < 1 ? stake_ : 1.0; }  // p of the coming round
  // A round of which the mixture gained d over today. Requires |d| <= largest up to rounding, where it is stated.
  void observe(double d);
  // After rehearsed rounds, before the first played one: the whole of B again, half of it where it ended.
  void begin_play();

  double money() const { return money_; }                    // phi
  double today() const { return risk_ - money_ + excess_; }  // loss of the play - today's loss is at most this
  double cost() const { return closed_ + reach() - start_ + missed_; }  // loss of the play - the mixture's, at most
  double closed_cost() const { return closed_cost(v_); }                // the same from V alone; never below cost()
  double closed_cost(double V) const;                                   // as if V were another one

  double gains() const { return x_; }
  double squares() const { return v_; }
  double beta() const { return beta_; }
  double start() const { return start_; }
  double excess() const { return excess_; }
  double missed() const { return missed_; }
  double closed() const { return closed_; }
  std::uint64_t epochs() const { return epochs_; }                       // 1 + how often beta has grown
  const std::array<double, kRates>& rates() const { return money_at_; }  // A_i

  void archive(Archive& a);

 private:
  using Rates = std::array<double, kRates>;
  double rate(std::size_t i) const;  // rho_i
  Rates grown(double x) const;       // A_i exp(rho_i x - kappa rho_i^2 V)
  double stake_at(double x) const;
  double reach() const;  // U
  void settle();         // money and stake of the state
  void widen(double d);  // to a beta of at least |d|

  double risk_;
  bool known_;      // `largest` is stated
  Rates money_at_;  // A_i
  double beta_;
  double x_ = 0, v_ = 0;
  double start_ = 0, closed_ = 0, excess_ = 0, missed_ = 0;
  std::uint64_t epochs_ = 1;
  double money_ = 0, stake_ = 0;
};

// Before a run without a rehearsal and without a hard limit (docs/theory-portfolio.md). Requires that `largest` is
// stated. share_cost: at most min_i {kappa rho_i V + (ln(1/(A_i rho_i)) - 1)/rho_i} - start, V the summed squares of d.
double share_cost_bound(const Share::Setting& setting, double V);
// portfolio, for each of K strategies: b sqrt(T ln K) + 2 b for K > 1, + share_cost at V = T b^2, b being `largest`.
struct PortfolioTerms {
  double strategies;  // K
  Share::Setting share;
  double rounds;  // T
};
double portfolio_bound(const PortfolioTerms& terms);

}  // namespace hannan::detail
