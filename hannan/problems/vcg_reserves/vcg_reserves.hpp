// `vcg-reserves`: sell s units to n bidders who want one each, with a reserve price per bidder.
//
// An action is n reserves in {1..m}, in units of 1/m, K = m^n; an outcome is n bids in [0,1]. A bid b
// reaches reserve level floor(m b + kGridSlack).
//   eager  bidders who miss their reserve leave; the s highest of the others win, each pays the greater
//          of its own reserve and the highest losing bid that stayed. Ties of bids do not matter.
//   lazy   the s highest bidders win as if there were no reserves (ties to the lower index); a winner
//          who reaches its own reserve pays the greater of it and the highest losing bid, the others
//          get nothing and pay nothing. Revenue is then a sum over bidders.
// The reward is money over R = min(n, s), the most that can be paid.
//
// Perturbations (docs/theory.md; x is an action, y a profile, s the hedge
// vector of the pair, "changed" the reserves in which another action differs):
//   bits         eager: gamma = N = n ceil(log2 m): s = +1 on the ones, -1 on the zeros of x; every
//                changed bit gains 1, and rewards differ by at most 1.
//   one-hot      eager: gamma = n (m-1)/m, s >= 0: s = (m-1)/m on the ones of x, so c changed reserves
//                gain c (m-1)/m. That covers the reward: it differs by at most 1, enough for c >= 2 and
//                m >= 2; for one changed reserve i either the same bidders stay, and only i's payment
//                moves, between 1/m and 1; or i enters, whose level was below m: then it takes a free unit
//                and pays its reserve <= (m-1)/m, or all s units were sold at 1/m or more before.
//   thermometer  eager: twice one-hot (once for m = 2): +- the same numbers on the last one of x and on
//                its first zero, for every bidder.
//   direct       gamma = n (m-1), s >= 0: s = m-1 on column h = x_i of every bidder: a changed reserve
//                earns at least 1/m less there. With s >= n rewards are sums of columns: gamma = 1, s <= 0.
// With s >= n (both rules) and in the lazy rule only min(n, s) winners matter, known from y, each with
// a term of at most 1/R: the vectors above restricted to them give ceil(log2 m), 1, 2 (1), m. (For eager
// s >= n one-hot (m-1)/m, as a winner alone pays its own reserve, and an excluded one has level < m.)
// The paper's gamma = N is kept for bits under the eager rule.
// Data sets: a lone bidder i at h/m pays x_i/m if x_i <= h, under both rules; see revenue_code.hpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "hannan/core/extreme_outcomes.hpp"
#include "hannan/core/market_draws.hpp"
#include "hannan/core/oracle.hpp"
#include "hannan/core/perturbation.hpp"
#include "hannan/oracles/curve_sums.hpp"
#include "hannan/oracles/grid_steps.hpp"
#include "hannan/perturbations/coded_columns.hpp"
#include "hannan/problems/vcg_reserves/vcg_profile.hpp"

namespace hannan {

class VcgReserves {
 public:
  using Action = std::vector<int>;
  using Outcome = std::vector<double>;
  enum class Rule { kEager, kLazy };
  static constexpr bool kFullProduct = true;
  static constexpr int kMaxLevels = 4096;
  static constexpr int kMaxUnits = 1'000'000;
  static constexpr double kMaxListed = 1e7;  // more actions than these are never listed
  static constexpr double kQuickToList =
      65536;  // up to here a table of all actions is the faster oracle; with few steps
  static constexpr double kQuickToStep =
      4e6;  // up to here, 30 MB a million: a search grows with the profiles, it does not

  struct Parts {
    int bidders = 1;
    int levels = 1;
    int units = 1;
    Rule rule = Rule::kEager;
  };
  explicit VcgReserves(const Parts& parts);  // throws kOutOfRange

  int bidders() const { return parts_.bidders; }
  int levels() const { return parts_.levels; }
  int units() const { return parts_.units; }
  Rule rule() const { return parts_.rule; }
  Auction auction() const { return {.levels = parts_.levels, .units = parts_.units}; }
  // Every bidder's payment depends on its own reserve alone.
  bool is_separable() const { return parts_.rule == Rule::kLazy || parts_.units >= parts_.bidders; }

  double loss(const Action& x, const Outcome& y) const { return 1 - raw(x, y) / normaliser(); }
  // The bids, ranked once for all actions.
  RankedBids prepare(const Outcome& y) const { return rank_bids(y, parts_.levels); }
  double loss_prepared(const Action& x, std::span<const RankedBid> ranked) const {
    return 1 - raw_prepared(x, ranked) / normaliser();
  }
  // A winner pays at most the greater of its own level and the first bid that cannot win.
  double least_loss(const Outcome& y) const;
  double ln_size() const { return parts_.bidders * std::log(static_cast<double>(parts_.levels)); }
  std::optional<double> action_count() const;  // none above 2^53
  std::vector<Action> first_actions(std::uint64_t limit) const;
  std::uint64_t size() const;  // only where action_count() <= kMaxListed
  Action action(std::uint64_t k) const;
  void action(std::uint64_t k, Action& x) const;
  void accumulate(const Outcome& y, double weight, std::span<double> totals) const;
  // One unit, or every bidder for itself: a profile is then a few boxes of the grid (vcg_steps.cpp).
  bool has_few_steps() const { return parts_.units == 1 || is_separable(); }
  void add_steps(const Outcome& y, double weight, GridSteps& steps) const;  // only if has_few_steps()
  void add_curves(const Outcome& y, double weight, CurveSums& sums) const;  // only if is_separable()
  void action_at(const std::vector<int>& positions, Action& x) const;
  std::size_t coordinates() const { return static_cast<std::size_t>(parts_.bidders); }
  std::size_t domain(std::size_t) const { return static_cast<std::size_t>(parts_.levels); }
  std::size_t position(const Action& x, std::size_t c) const { return static_cast<std::size_t>(x[c] - 1); }

  // Is it one of the actions? Asked of saved states.
  bool allows(const Action& x) const {
    return x.size() == coordinates() &&
           std::all_of(x.begin(), x.end(), [&](int z) { return z >= 1 && z <= parts_.levels; });
  }

  // In units of the problem, as rows of a table, and made up.
  Form form() const { return Form::kReward; }
  double normaliser() const { return std::min(parts_.bidders, parts_.units); }
  double raw(const Action& x, const Outcome& y) const { return raw_prepared(x, prepare(y)); }
  std::size_t row_width() const { return coordinates(); }
  void outcome_from_row(std::span<const double> row, Outcome& y) const { y.assign(row.begin(), row.end()); }
  Outcome simulated(const MarketDraws& draws) const { return drawn_values(draws, coordinates()); }  // a bid per bidder
  void extreme_outcomes(ExtremeOutcomes<Outcome>& into) const;

  static std::vector<std::shared_ptr<const Perturbation<VcgReserves>>> perturbations(
      std::shared_ptr<const VcgReserves> p);
  // Default first: separable where it applies; else tabulate where that is the faster one and branch_bound
  // beyond. tabulate is offered up to kMaxListed, branch_bound for every eager auction.
  static std::vector<std::shared_ptr<const AnyOracle<VcgReserves>>> oracles(std::shared_ptr<const VcgReserves> p);

 private:
  double raw_prepared(const Action& x, std::span<const RankedBid> ranked) const;

  Parts parts_;
};

}  // namespace hannan
