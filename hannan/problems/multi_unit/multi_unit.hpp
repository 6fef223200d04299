// `multi-unit`: h identical units are handed out to n bidders; the reward is their summed value.
//
// Action: quantities with sum h, out of a range (bundle_range.hpp). Outcome: one non-decreasing
// valuation into [0,1] per bidder. Welfare reaches n, so R = n.
//
// Perturbations, one coordinate per bidder over the sizes g_0 < g_1 < ... (docs/errata.md):
//   thermometer  gamma = 1, s <= 0: a valuation is sum_l D_l [q > g_l] with D >= 0 and sum at most 1, so
//                the reward is linear in the row and s = -D/n meets the definition with equality
//   one-hot      gamma = (n-1)/n, s >= 0: (n-1)/n^2 on each bidder's own size; if g bidders gain, another
//                loses, so at least g+1 sizes change; the gain is at most g/n, and g <= n-1
//   bits         gamma = N: distinct binary rows
// Every function of one bidder's quantity is implementable by one outcome of non-negative weight,
// because all units are always handed out: the sum of quantities is constant, so a common slope may be
// added until the valuation is non-decreasing. Hence data sets of both signs.
//
// Oracles: dynamic_program (exact, any sign, O(n B^2), history n x #sizes); tabulate for small K.
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "hannan/core/archive.hpp"
#include "hannan/core/extreme_outcomes.hpp"
#include "hannan/core/oracle.hpp"
#include "hannan/core/perturbation.hpp"
#include "hannan/game/market_draws.hpp"
#include "hannan/perturbations/coded_columns.hpp"
#include "hannan/problems/multi_unit/bundle_range.hpp"

namespace hannan::detail {

// A valuation is kept as its steps: from `quantity` units on the value is `value`, 0 before the first.
struct ValueStep {
  int quantity;
  double value;
  friend auto operator<=>(const ValueStep&, const ValueStep&) = default;
};
using StepValuation = std::vector<ValueStep>;  // quantities and values strictly increasing
void archive(Archive& a, std::vector<StepValuation>& valuations);

class MultiUnit {
 public:
  using Action = std::vector<int>;             // a quantity per bidder
  using Outcome = std::vector<StepValuation>;  // a valuation per bidder
  static constexpr int kMaxBidders = 1000;
  static constexpr int kMaxUnits = 1'000'000'000;
  static constexpr double kMaxSteps = 0x1p30;  // of one dynamic programme: about a second
  static constexpr double kMaxTable = 1e7;     // actions that are ever listed

  // Throws kOutOfRange, also where one dynamic programme would take more than kMaxSteps.
  explicit MultiUnit(BundleRange::Parts parts);

  const BundleRange::Parts& parts() const { return parts_; }

  double loss(const Action& x, const Outcome& y) const { return 1 - raw(x, y) / normaliser(); }
  // Every bidder gets everything.
  double least_loss(const Outcome& y) const {
    double most = 0;
    for (const auto& steps : y) most += steps.empty() ? 0.0 : steps.back().value;
    return 1 - most / normaliser();
  }
  double ln_size() const { return range_.ln_count(); }
  std::optional<double> action_count() const;
  std::vector<Action> first_actions(std::uint64_t limit) const;
  // Only where K <= kMaxTable: the list is made on first use.
  std::uint64_t size() const;
  Action action(std::uint64_t k) const;
  void accumulate(const Outcome& y, double weight, std::span<double> totals) const;

  std::size_t coordinates() const { return static_cast<std::size_t>(parts_.bidders); }
  std::size_t domain(std::size_t) const { return range_.sizes().size(); }
  std::size_t position(const Action& x, std::size_t c) const { return index_of(x[c]); }

  // What the dynamic programme needs.
  const BundleRange& chain() const { return range_; }
  void gains(const Outcome& y, std::size_t c, std::span<double> out) const;  // value of every size
  void action_at(const std::vector<int>& word, Action& x) const;

  // Is it one of the actions? Asked of saved states.
  bool allows(const Action& x) const;

  // In units of the problem, as rows of a table, and made up.
  Form form() const { return Form::kReward; }
  double normaliser() const { return parts_.bidders; }
  double raw(const Action& x, const Outcome& y) const;
  Outcome simulated(const MarketDraws& draws) const;  // per bidder a valuation of up to three steps
  // Per bidder nothing, or all of the value from q units on: the extreme monotone valuations.
  void extreme_outcomes(ExtremeOutcomes<Outcome>& into) const;

  static std::vector<std::shared_ptr<const Perturbation<MultiUnit>>> perturbations(std::shared_ptr<const MultiUnit> p);
  static std::vector<std::shared_ptr<const AnyOracle<MultiUnit>>> oracles(std::shared_ptr<const MultiUnit> p);

 private:
  std::size_t index_of(int quantity) const;  // into the sizes; their number if it is none
  Dataset<Outcome> data_set(std::size_t bidder, std::span<const double> target) const;
  const std::vector<std::uint16_t>& listed() const;  // positions, action after action

  BundleRange::Parts parts_;
  BundleRange range_;
  mutable std::once_flag once_;
  mutable std::vector<std::uint16_t> listed_;
};

}  // namespace hannan::detail
