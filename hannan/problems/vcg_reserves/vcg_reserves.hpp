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
// With a price list or ceilings instead of levels (reserve_money.hpp) an action is n positions from 0, bids are any
// money, the loss is minus the money (reverse: the cost) and its range is unknown, unless a cap is given: then it is
// 1 - money / (s cap) (reverse: cost / (s cap)). What follows is of levels.
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
//   thermometer  eager: as one-hot: for every bidder (m-1)/m on the last one of x if its bid is below the reserve,
//   minus
//                that on the first zero if it is not. Another action that gains nothing there leaves more bidders out
//                or lowers reserves of bidders who stay, which earns no more.
//   direct       gamma = n (m-1), s >= 0: s = m-1 on column h = x_i of every bidder: a changed reserve
//                earns at least 1/m less there. With s >= n rewards are sums of columns: gamma = 1, s <= 0.
// With s >= n (both rules) and in the lazy rule only min(n, s) winners matter, known from y, each with
// a term of at most 1/R: the vectors above restricted to them give ceil(log2 m), 1, 1, m. (For eager
// s >= n one-hot and thermometer (m-1)/m, as a winner alone pays its own reserve, and an excluded one has level < m.)
// The paper's gamma = N is kept for bits under the eager rule.
// Data sets: a lone bidder i at h/m pays x_i/m if x_i <= h, under both rules; see revenue_code.hpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "hannan/core/extreme_outcomes.hpp"
#include "hannan/core/interval.hpp"
#include "hannan/core/oracle.hpp"
#include "hannan/core/perturbation.hpp"
#include "hannan/core/problem.hpp"
#include "hannan/game/market_draws.hpp"
#include "hannan/oracles/curve_sums.hpp"
#include "hannan/oracles/grid_steps.hpp"
#include "hannan/perturbations/coded_columns.hpp"
#include "hannan/problems/price_list.hpp"
#include "hannan/problems/vcg_reserves/reserve_money.hpp"
#include "hannan/problems/vcg_reserves/vcg_profile.hpp"

namespace hannan::detail {

class VcgReserves {
 public:
  using Action = std::vector<int>;
  using Outcome = std::vector<double>;  // n bids; with money what ReserveMoney::outcome makes of a round
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
    // In money: one of these, by bidder, instead of levels.
    std::vector<PriceList> prices;
    std::vector<std::vector<double>> shares, ceilings;  // reverse
    std::optional<double> cap;
  };
  explicit VcgReserves(const Parts& parts);  // throws kOutOfRange

  int bidders() const { return parts_.bidders; }
  int levels() const { return parts_.levels; }  // the most of any bidder
  int units() const { return parts_.units; }
  Rule rule() const { return parts_.rule; }
  const std::optional<ReserveMoney>& money() const { return money_; }
  Auction auction() const {
    return {.levels = parts_.levels, .units = parts_.units, .prices = money_ ? &money_->reserves() : nullptr};
  }
  // Every bidder's payment depends on its own reserve alone.
  bool is_separable() const {
    return parts_.rule == Rule::kLazy || (parts_.units >= parts_.bidders && !money_);  // there may be more bids
  }
  // A reserve by its position; with ceilings to be shifted.
  double reserve_price(int bidder, int position) const { return auction().price(bidder, position + 1, 0.0); }

  double loss(const Action& x, const Outcome& y) const { return loss_prepared(x, prepare(y)); }
  // The bids, ranked once for all actions.
  RankedBids prepare(const Outcome& y) const { return money_ ? money_->ranked(y) : rank_bids(y, parts_.levels); }
  double loss_prepared(const Action& x, const RankedBids& ranked) const {
    return ranked.offset - ranked.scale * paid(x, ranked) / normaliser();
  }
  // A winner pays at most the greater of its own level and the first bid that cannot win.
  double least_loss(const Outcome& y) const;
  LossRange loss_range() const { return money_ && !parts_.cap ? LossRange::kUnknown : LossRange::kUnitInterval; }
  LossSpread spread(const Outcome& y) const;
  // The norm that a perturbation needs on this outcome over the range of its losses.
  std::optional<double> gamma_at(std::string_view perturbation, const Outcome& y) const;
  bool allows_outcome(const Outcome& y) const;  // asked of saved states
  double ln_size() const;
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
  std::size_t domain(std::size_t c) const {
    return money_ ? money_->reserves()[c].size() : static_cast<std::size_t>(parts_.levels);
  }
  int lowest() const { return money_ ? 0 : 1; }  // the first reserve in an action
  std::size_t position(const Action& x, std::size_t c) const { return static_cast<std::size_t>(x[c] - lowest()); }

  bool allows(const Action& x) const;  // asked of saved states

  // In units of the problem, as rows of a table, and made up.
  Form form() const { return money_ && money_->reverse() ? Form::kLoss : Form::kReward; }
  double normaliser() const { return money_ ? money_->normaliser() : std::min(parts_.bidders, parts_.units); }
  double raw(const Action& x, const Outcome& y) const;
  std::size_t row_width() const { return coordinates() + (form() == Form::kLoss ? 1 : 0); }  // reverse: outside last
  Interval row_range() const { return money_ ? kAnyMoney : kUnit; }
  void outcome_from_row(std::span<const double> row, Outcome& y) const;
  Outcome simulated(const MarketDraws& draws) const;  // a bid per bidder
  void extreme_outcomes(ExtremeOutcomes<Outcome>& into) const;

  static std::vector<std::shared_ptr<const Perturbation<VcgReserves>>> perturbations(
      std::shared_ptr<const VcgReserves> p);
  // Default first: separable where it applies; else tabulate where that is the faster one and branch_bound
  // beyond. tabulate is offered up to kMaxListed, branch_bound for every eager auction.
  static std::vector<std::shared_ptr<const AnyOracle<VcgReserves>>> oracles(std::shared_ptr<const VcgReserves> p);

 private:
  static std::vector<std::shared_ptr<const Perturbation<VcgReserves>>> money_perturbations(
      const std::shared_ptr<const VcgReserves>& p);
  double paid(const Action& x, const RankedBids& ranked) const;
  bool next_reserves(Action& x, std::size_t count) const;

  Parts parts_;
  std::optional<ReserveMoney> money_;
};

}  // namespace hannan::detail
