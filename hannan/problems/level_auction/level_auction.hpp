// `level-auction`: n bidders with s thresholds each from {1..m}/m; revenue of level_rule.hpp, R = 1.
//
// Action: n*s thresholds, bidder by bidder, increasing within a bidder; K = C(m,s)^n. Outcome: n bids, or
// n+1 with the phantom's; only floor(m b) matters, so outcomes are kept as integers and money is exact.
//
// Perturbations (level_columns.hpp), a coordinate per threshold with m-s+1 values:
//   direct       the rewards of the paper's profiles, computed from the rule; gamma = nsm, s >= 0: m in
//                the one column per threshold where the action's own value earns at least 1/m more
//   one-hot      gamma = ns, s >= 0: 1 on each own value
//   thermometer  gamma = 2ns (ns with two values): +1 on the last one, -1 on the next column
//   bits         gamma = N: distinct binary rows
// Every function of one threshold is implementable through the phantom with non-negative weights, so
// all columns have data sets of both signs.
//
// Oracles: branch_bound (level_search.hpp), tabulate for small K.
#pragma once

#include <algorithm>
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
#include "hannan/problems/level_auction/level_rule.hpp"

namespace hannan::detail {

// floor(m b) of the n bids, then the phantom's.
struct BidReach {
  std::vector<int> units;
  friend auto operator<=>(const BidReach&, const BidReach&) = default;
};
void archive(Archive& a, BidReach& reach);

class LevelAuction {
 public:
  using Action = std::vector<int>;
  using Outcome = BidReach;
  static constexpr int kMaxBidders = 64;
  static constexpr int kMaxLevels = static_cast<int>(LevelRule::kMostChoices);
  static constexpr int kMaxColumns = 1'000'000;  // n * s * (m-s+1)
  static constexpr double kMaxTable = 1e7;       // actions that are ever listed

  explicit LevelAuction(LevelRule rule);  // throws kOutOfRange

  const LevelRule& rule() const { return rule_; }
  double loss(const Action& x, const Outcome& y) const { return 1 - raw(x, y); }
  // No bidder pays above its bid.
  double least_loss(const Outcome& y) const {
    return 1 - static_cast<double>(*std::max_element(y.units.begin(), y.units.end())) / rule_.levels;
  }
  double ln_size() const;
  std::optional<double> action_count() const;
  std::vector<Action> first_actions(std::uint64_t limit) const;
  // Only where K <= kMaxTable: the thresholds of one bidder are listed on first use.
  std::uint64_t size() const;
  Action action(std::uint64_t k) const;
  void accumulate(const Outcome& y, double weight, std::span<double> totals) const;

  std::size_t coordinates() const { return rule_.n() * rule_.s(); }
  std::size_t domain(std::size_t) const { return rule_.choices(); }
  std::size_t position(const Action& x, std::size_t c) const {
    return static_cast<std::size_t>(x[c]) - 1 - c % rule_.s();
  }
  // Where actions can be listed: of action k, and for how many actions in a row it stays the same.
  std::size_t position_at(std::uint64_t k, std::size_t c) const;
  std::size_t run_length(std::size_t c) const;

  // Is it one of the actions? Asked of saved states.
  bool allows(const Action& x) const {
    if (x.size() != coordinates()) return false;
    for (std::size_t c = 0; c < x.size(); ++c) {
      if (x[c] < 1 || x[c] > rule_.levels || (c % rule_.s() != 0 && x[c] <= x[c - 1])) return false;
    }
    return true;
  }

  // In units of the problem, as rows of a table, and made up.
  Form form() const { return Form::kReward; }
  double normaliser() const { return 1; }
  double raw(const Action& x, const Outcome& y) const {
    return static_cast<double>(rule_.revenue(x, y.units)) / rule_.levels;
  }
  std::size_t row_width() const { return rule_.n(); }
  void outcome_from_row(std::span<const double> row, Outcome& y) const;
  Outcome simulated(const MarketDraws& draws) const;  // a bid per bidder, no phantom
  void extreme_outcomes(ExtremeOutcomes<Outcome>& into) const;

  static std::vector<std::shared_ptr<const Perturbation<LevelAuction>>> perturbations(
      std::shared_ptr<const LevelAuction> p);
  static std::vector<std::shared_ptr<const AnyOracle<LevelAuction>>> oracles(std::shared_ptr<const LevelAuction> p);

 private:
  double per_bidder() const;                           // C(m,s), infinity beyond the doubles
  const std::vector<std::vector<int>>& lists() const;  // the threshold lists of one bidder, in order

  LevelRule rule_;
  mutable std::once_flag once_;
  mutable std::vector<std::vector<int>> lists_;
};

}  // namespace hannan::detail
