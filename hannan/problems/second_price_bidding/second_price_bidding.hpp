// `second-price-bidding`: one bidder in h simultaneous second-price auctions.
//
// An action is a bid per item in {0..m}, in units of 1/m, without overbidding: b(S) <= v(S) for every
// bundle S. The outcome is a price per item; item j is won iff bid > price, strictly, and the reward is
// u = v(won) - price(won) in [0,1], R = 1. A price p stands at level floor(m*p + kGridSlack), and a bid
// wins iff it is above that level. The strict rule is a repair of the paper's (docs/errata.md): with
// bid >= price some bids could not be told apart by any price.
//
// Because v is monotone, a feasible start of bids can always be completed by zeros, and the next bid
// ranges over 0..min over S of earlier items of v(S + j) - b(S): actions are listed without waste.
//
// Perturbations over the domains 0..m v(e_j), one coordinate per item:
//   thermometer  gamma = N = sum_j m v(e_j), as in the paper: s = +1 on ones, -1 on zeros of the row
//   one-hot      gamma = number of items with v(e_j) > 0: s = 1 on the row's own ones; non-negative
//   bits         gamma = N, as thermometer
// Each s puts every other row at least 1 behind, and rewards differ by at most 1; fewer actions than
// the full product only take constraints away.
// Data: price (l-1)/m on item j and 1 elsewhere earns (v(e_j) - (l-1)/m) 1[b_j >= l], so any function
// phi of one bid is a signed sum of these steps. Non-negative weights make exactly the functions that
// never fall: for additive v rewards never fall with a bid, so there is no general way to others.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "hannan/core/extreme_outcomes.hpp"
#include "hannan/core/oracle.hpp"
#include "hannan/core/perturbation.hpp"
#include "hannan/game/market_draws.hpp"
#include "hannan/perturbations/coded_columns.hpp"

namespace hannan::detail {

class SecondPriceBidding {
 public:
  using Action = std::vector<int>;      // h bids
  using Outcome = std::vector<double>;  // h prices in [0,1]
  using Bundle = std::uint32_t;         // bit j = item j
  static constexpr int kMaxItems = 12;  // a value is held for each of 2^h bundles
  static constexpr int kMaxLevels = 1024;
  static constexpr double kMaxListed = 1e7;  // more actions than these are never listed
  // Steps spent on counting actions; beyond, action_count() is none and ln_size() an upper bound.
  static constexpr std::uint64_t kCountingWork = 30'000'000;

  // valuation[S] in units of 1/m, 0 for the empty bundle, monotone, at most `levels`. Throws kOutOfRange otherwise.
  SecondPriceBidding(int items, int levels, std::vector<int> valuation);

  int items() const { return items_; }
  int levels() const { return levels_; }
  const std::vector<int>& valuation() const { return valuation_; }
  int value(Bundle bundle) const { return valuation_[bundle]; }

  // The level a bid must be above to win at this price.
  int level(double price) const;
  Bundle won(const Action& x, const Outcome& y) const;
  bool overbids(const Action& x) const;

  double loss(const Action& x, const Outcome& y) const { return 1 - raw(x, y); }
  double least_loss(const Outcome& y) const;  // of the best bundle at these prices
  // ln K, or the larger logarithm of the product of the domains where K was not counted.
  double ln_size() const;
  std::optional<double> action_count() const { return count_; }
  std::vector<Action> first_actions(std::uint64_t limit) const;
  std::uint64_t size() const;  // only where action_count() <= kMaxListed
  Action action(std::uint64_t k) const;
  void accumulate(const Outcome& y, double weight, std::span<double> totals) const;
  std::size_t coordinates() const { return static_cast<std::size_t>(items_); }
  std::size_t domain(std::size_t c) const { return static_cast<std::size_t>(valuation_[Bundle{1} << c]) + 1; }
  std::size_t position(const Action& x, std::size_t c) const { return static_cast<std::size_t>(x[c]); }
  std::size_t position_at(std::uint64_t k, std::size_t c) const { return listed()[k * coordinates() + c]; }

  // Is it one of the actions? Asked of saved states.
  bool allows(const Action& x) const {
    return x.size() == coordinates() &&
           std::all_of(x.begin(), x.end(), [&](int b) { return b >= 0 && b <= levels_; }) && !overbids(x);
  }

  // In units of the problem, as rows of a table, and made up.
  Form form() const { return Form::kReward; }
  double normaliser() const { return 1; }
  double raw(const Action& x, const Outcome& y) const;
  std::size_t row_width() const { return coordinates(); }
  void outcome_from_row(std::span<const double> row, Outcome& y) const { y.assign(row.begin(), row.end()); }
  Outcome simulated(const MarketDraws& draws) const { return drawn_values(draws, coordinates()); }  // a price per item
  void extreme_outcomes(ExtremeOutcomes<Outcome>& into) const;

  static std::vector<std::shared_ptr<const Perturbation<SecondPriceBidding>>> perturbations(
      std::shared_ptr<const SecondPriceBidding> p);
  static std::vector<std::shared_ptr<const AnyOracle<SecondPriceBidding>>> oracles(
      std::shared_ptr<const SecondPriceBidding> p);

 private:
  class Walk;
  const std::vector<std::uint16_t>& listed() const;

  int items_;
  int levels_;
  std::vector<int> valuation_;  // by bundle
  std::optional<double> count_;
  // All actions end to end; made when first asked for, because most problems never are.
  mutable std::once_flag listing_;
  mutable std::vector<std::uint16_t> list_;
};

}  // namespace hannan::detail
