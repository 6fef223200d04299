// `item-pricing`: post one price per item, unlimited supply, every round up to n buyers.
//
// An action is k prices in {1..m}, in units of 1/m, K = m^k. Single-minded buyers (bundle S, value v)
// buy S iff its prices sum to at most v, and pay that sum. Unit-demand buyers have one value per item
// and buy the item of greatest value minus price if that is not negative; equal utilities go to the
// dearer item, then to the lower index. The reward is money; R = n, because a buyer pays at most 1.
//
// A value v reaches price level floor(m*v + kGridSlack). Utilities are compared in whole ticks of
// 1e-9 grid units, so that values which differ by rounding alone tie, and tie transitively; there the
// slack is one tick.
//
// With price lists (`prices`, problems/price_list.hpp) an action is a position in each item's list, any number of
// buyers come, and each may owe a fee on top of what it buys. Values are money of any size: single-minded buyers buy
// iff price and fee are at most the value (1 + 1e-9), unit-demand buyers take the largest value - price - fee if it is
// at least -tol, utilities within tol = 1e-9 of the largest value going to the dearer item. The loss is minus the
// money, of unknown range: r_t is the sum over buyers of u_b, the most that one can pay. gamma relative to r_t, with k
// items:
//   one-hot k, thermometer 2k (k where no list has more than two prices), bits k max_j ceil(log2 m_j),
//   direct k max_j max(kappa_j, p_last/p_1), kappa = max_z p_z/(p_z - p_(z-1))
//
// Perturbations (docs/theory.md), with d = position of a price:
//   bits         gamma = N = k*ceil(log2 m)  s = +1 on the ones, -1 on the zeros of the row: another
//                                            row differs somewhere, and each difference gains 1
//   one-hot      gamma = k                   s = 1 on the row's own ones; non-negative
//   thermometer  gamma = 2k (k if m = 2)     s = +1 on the last one, -1 on the first zero of an item
//   direct       gamma = k*m                 s = m on the column h = own price z of every item: the
//                                            price z' earns z' below z and nothing above, so z is
//                                            ahead by z - z' >= 1 or by z >= 1; non-negative
// All are single-out vectors: any other row is at least 1 behind, and rewards differ by at most 1.
// Data sets: a lone buyer of item j at value h/m pays z*1[z <= h]; revenue_code.hpp makes
// any column of these, with weights of either sign or of none below 0.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "hannan/core/archive.hpp"
#include "hannan/core/extreme_outcomes.hpp"
#include "hannan/core/oracle.hpp"
#include "hannan/core/perturbation.hpp"
#include "hannan/game/market_draws.hpp"
#include "hannan/oracles/curve_sums.hpp"
#include "hannan/perturbations/coded_columns.hpp"
#include "hannan/problems/price_list.hpp"

namespace hannan::detail {

// One of the two kinds, whichever the problem's demand says; the other fields stay empty.
struct Buyer {
  std::uint32_t bundle = 0;    // single-minded: bit j = item j; no bit: buys nothing
  double value = 0;            // single-minded: of the whole bundle, in [0,1]
  std::vector<double> values;  // unit demand: one per item, in [0,1]
  double fee = 0;              // price lists only: paid on top of a purchase
  friend auto operator<=>(const Buyer&, const Buyer&) = default;
};

class ItemPricing {
 public:
  using Action = std::vector<int>;     // k prices in 1..m, or k positions from 0
  using Outcome = std::vector<Buyer>;  // at most n, or any number
  enum class Demand { kSingleMinded, kUnitDemand };
  static constexpr bool kFullProduct = true;
  static constexpr int kMaxItems = 32;  // a bundle is a word of 32 bits
  static constexpr int kMaxLevels = 1024;
  static constexpr int kMaxBuyers = 1'000'000;
  static constexpr Interval kValues{0, 1e22};            // in money: sums over buyers and items stay within kAnyLoss
  static constexpr double kMaxListed = 1e7;              // more actions than these are never listed
  static constexpr std::int64_t kTicks = 1'000'000'000;  // of utility per grid unit

  struct Parts {
    int items = 1;
    int levels = 1;
    int buyers = 1;
    Demand demand = Demand::kSingleMinded;
    std::vector<PriceList> prices;  // one per item, in place of items, levels and buyers; none: a grid of levels
  };
  explicit ItemPricing(const Parts& parts);  // throws kOutOfRange

  bool in_money() const { return !parts_.prices.empty(); }
  const std::vector<PriceList>& prices() const { return parts_.prices; }
  // What the buyer pays, in money, and the most that it can pay; price lists only.
  double money(const Action& x, const Buyer& buyer) const;
  double most_money(const Buyer& buyer) const;
  LossRange loss_range() const { return in_money() ? LossRange::kUnknown : LossRange::kUnitInterval; }
  LossSpread spread(const Outcome& y) const;
  // What a perturbation needs over r_t on this outcome, by the most items that a buyer who can pay wants; price lists
  // only.
  std::optional<double> gamma_at(std::string_view perturbation, const Outcome& y) const;
  // The same for one item: the largest over the price lists.
  double gamma_per_item(std::string_view perturbation) const;

  int items() const { return parts_.items; }
  int levels() const { return parts_.levels; }
  int buyers() const { return parts_.buyers; }
  Demand demand() const { return parts_.demand; }

  // The highest price, in grid units, that a value can pay.
  int level(double value) const;
  // The value in ticks; utility at price a is ticks(value) - a * kTicks.
  std::int64_t ticks(double value) const;
  // The highest price that a value of so many ticks can pay.
  static int level_of_ticks(std::int64_t ticks) { return static_cast<int>((ticks + 1) / kTicks); }
  // What the buyer pays, in grid units; 0 if it buys nothing.
  int pays(const Action& x, const Buyer& buyer) const;

  double loss(const Action& x, const Outcome& y) const;
  double least_loss(const Outcome& y) const;  // every buyer pays the most it can
  double ln_size() const;
  std::optional<double> action_count() const;  // none above 2^53
  std::vector<Action> first_actions(std::uint64_t limit) const;
  std::uint64_t size() const;  // only where action_count() <= kMaxListed
  Action action(std::uint64_t k) const;
  void accumulate(const Outcome& y, double weight, std::span<double> totals) const;
  void add_curves(const Outcome& y, double weight, CurveSums& sums) const;  // one item only: its revenue curve
  void action_at(const std::vector<int>& positions, Action& x) const;
  std::size_t coordinates() const { return static_cast<std::size_t>(parts_.items); }
  std::size_t domain(std::size_t c) const;
  int lowest() const { return in_money() ? 0 : 1; }  // what an action has at the first position
  std::size_t position(const Action& x, std::size_t c) const { return static_cast<std::size_t>(x[c] - lowest()); }
  bool allows(const Action& x) const;  // is it one of the actions? Asked of saved states

  // In units of the problem, as rows of a table, and made up.
  Form form() const { return Form::kReward; }
  double normaliser() const { return in_money() ? 1.0 : parts_.buyers; }
  double raw(const Action& x, const Outcome& y) const;
  // A row is n times k values where demand is unit; bundles are not rows of numbers.
  std::size_t row_width() const;
  void outcome_from_row(std::span<const double> row, Outcome& y) const;
  // n buyers; single-minded ones want one to three items and value each.
  Outcome simulated(const MarketDraws& draws) const;
  // One buyer: every bundle at every level, or a value per item on a grid.
  void extreme_outcomes(ExtremeOutcomes<Outcome>& into) const;

  static std::vector<std::shared_ptr<const Perturbation<ItemPricing>>> perturbations(
      std::shared_ptr<const ItemPricing> p);
  static std::vector<std::shared_ptr<const AnyOracle<ItemPricing>>> oracles(std::shared_ptr<const ItemPricing> p);

 private:
  static void expect_lists(const Parts& parts);
  void accumulate_money(const Outcome& y, double weight, std::span<double> totals) const;
  std::int64_t total_paid(const Action& x, const Outcome& y) const;

  Parts parts_;
};

// So that tallies of rounds can be saved.
void archive(Archive& a, std::vector<Buyer>& buyers);

}  // namespace hannan::detail
