// AdaHedge that is told regrets: how much better each of K experts was than what was played (docs/theory-forecasts.md).
//
//   e = ln K / Delta, infinity while Delta = 0
//   weights ~ exp(e (R_k - max R)) over the awake; at e = infinity uniform over R_k >= max R - 1e-12 unit
//   Phi_e(R) = max R + (1/e) ln(mean exp(e (R - max R)))
//   Delta += max(0, Phi_e(R + r) - Phi_e(R)), with the e of the forecast;  R += r
//
// Then max R <= 2 Delta, whatever r is (F2), and 2 Delta <= sqrt(ln K sum s (s + 2 rho)) + 2 (2d + 1) max s, where s is
// the range of r and rho the ranges of the rounds that had not settled at the forecast (F3).
//
// Rounds arrive in any order and settle in the order of their forecasts: weights follow all that has arrived, Delta and
// the sums of the bound what has settled. While nothing waits between the two they are the same numbers.
//
// The losses that weights_of_totals is told are -R. Cost: 2 K exponentials and 2 logarithms a round. Weights of all K
// and settling come in two steps, exponents first and what is made of their powers then: a combiner has several of
// these and takes all exponentials of a round in one call, and all logarithms.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "hannan/core/archive.hpp"

namespace hannan::detail {

class RegretHedge {
 public:
  explicit RegretHedge(std::size_t size);

  std::size_t size() const { return arrived_.size(); }
  double rate() const;  // e
  // awake: as weights_of_totals has it, some of them asleep.
  void weigh(std::span<const double> awake, std::span<double> weights) const;
  // The weights of all: exponents, whose powers are then made weights in place.
  void weight_exponents(std::span<double> exponents) const;
  void make_weights(std::span<double> powers);

  // What a round tells, once; `level` is the size of the numbers that its regrets are differences of.
  struct Told {
    std::span<const double> regrets;
    double level;
    double range;                               // of the regrets
    enum class Then { kSettles, kWaits } then;  // at once, before anything else is asked; or perhaps later
  };
  void arrive(const Told& round);
  struct Settled {
    std::span<const double> regrets;
    double range;
    double rate;    // e of its forecast
    double before;  // rho
  };
  // In the order of forecasts, each after it has arrived. First its regrets and the exponents of the spread with them;
  // where the rate is infinite all are 0.
  void settle_regrets(const Settled& round, std::span<double> exponents);
  // The spread of before, for its logarithm; at least 1.
  double spread_before() const { return spread_; }
  // Then Delta, by ln(spread after) - ln(spread before).
  void settle_gap(const Settled& round, double log_growth);

  double waiting_ranges() const { return waiting_ranges_; }    // of rounds that have arrived and not settled
  double gap() const { return gap_; }                          // Delta
  double largest_range() const { return size_; }               // max s
  double unit() const { return unit_; }                        // the largest level
  double regret(std::size_t k) const { return -settled_[k]; }  // R of what has settled
  double most_regret() const;                                  // max R
  double proven() const { return 2 * gap_; }
  double closed(double delay) const;  // F3, for a longest delay of so many rounds

  void archive(Archive& a);

 private:
  const std::vector<double>& known() const { return waiting_ == 0 ? settled_ : arrived_; }

  std::vector<double> arrived_, settled_;  // -R; while nothing waits arrived_ is not kept
  double ln_size_;
  double least_ = 0;  // of settled_
  double grown_ = 0;  // of max R, in the round that is settling
  double gap_ = 0;
  double size_ = 0;
  double unit_ = 0;
  double squares_ = 0;  // sum s (s + 2 rho)
  double waiting_ranges_ = 0;
  std::size_t waiting_ = 0;  // arrived, not settled
  // The spread of all K at the rate of the last make_weights(), as long as nothing has settled since; 0: not known.
  double spread_ = 0, spread_rate_ = 0;
};

}  // namespace hannan::detail
