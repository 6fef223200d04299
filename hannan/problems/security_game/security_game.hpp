// `security-game`: a defender spreads r resources over n targets against attackers of known types.
//
// An action is a coverage vector c, integers in 0..m in units of 1/m, with sum r*m: target i is watched
// with probability c_i/m. An attacker of type y expects a_i(c) = (c_i/m) covered_i + (1 - c_i/m) uncovered_i
// at target i and goes where that is greatest; ties (within kTie, because coverage is a quotient) in the
// defender's favour, then to the lowest target. The outcome is the type, the defender's utility d in
// [-1,1] is his expected payoff at the target attacked, and the loss is f = (1 - d)/2. In this loss
// problem raw = loss.
//
// Y is small, so the perturbation is `outcomes`, one column f(., y) per type: the hedge vector of (x, y)
// is the unit vector of y, gamma = 1, non-negative. Where at most kMaxCoded actions can be listed there
// are also bits, one-hot and thermometer over that list (perturbations/explicit_columns.hpp).
//
// Actions: the whole grid in lexicographic order, or an explicit list in its own order, whose vectors
// may also use less than r*m. A loss costs O(n).
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

#include "hannan/core/oracle.hpp"
#include "hannan/core/perturbation.hpp"
#include "hannan/core/rows.hpp"
#include "hannan/game/market_draws.hpp"
#include "hannan/perturbations/coded_columns.hpp"
#include "hannan/problems/action_list.hpp"
#include "hannan/problems/security_game/bounded_sums.hpp"

namespace hannan::detail {

class SecurityGame {
 public:
  using Action = PlacedVector;
  using Outcome = std::uint64_t;  // a type
  static constexpr int kMaxTargets = 50;
  static constexpr int kMaxLevels = 1000;
  static constexpr std::size_t kMaxTypes = 1000;
  static constexpr std::size_t kMaxPayoffs = 2'000'000;  // types * targets * (levels + 1): one number each
  static constexpr double kMaxListed = 1e7;              // more actions than these are never listed
  static constexpr double kMaxCoded = 65536;             // above it only `outcomes` is offered
  static constexpr Interval kPayoff{-1, 1};
  static constexpr double kTie = 1e-9;  // attacker's and defender's utilities this close are equal

  // A player's payoff at each target, if it is attacked.
  struct Payoffs {
    std::vector<double> covered;
    std::vector<double> uncovered;
  };
  struct Type {
    Payoffs attacker;
    Payoffs defender;
  };
  struct Parts {
    int targets;
    int levels;
    int resources;
    std::vector<Type> types;
    ActionList actions;
  };
  explicit SecurityGame(Parts parts);  // throws kOutOfRange
  // Part of what the constructor checks: how many types there may be with so many targets and levels.
  static void expect_type_count(const Parts& parts, std::size_t types);

  const Parts& parts() const { return parts_; }

  int targets() const { return parts_.targets; }
  int levels() const { return parts_.levels; }
  int budget() const { return parts_.resources * parts_.levels; }
  std::size_t types() const { return parts_.types.size(); }
  // Expected payoffs at a target by its coverage 0..m.
  std::span<const double> attacker(std::size_t type, std::size_t target) const { return row(attacker_, type, target); }
  std::span<const double> defender(std::size_t type, std::size_t target) const { return row(defender_, type, target); }
  // The target that this type attacks.
  std::size_t attacked(std::span<const int> coverage, Outcome type) const;
  double loss_of(std::span<const int> coverage, Outcome type) const;

  double loss(const Action& x, Outcome y) const { return loss_of(x.levels, y); }
  double least_loss(Outcome y) const { return least_[y]; }
  double ln_size() const;
  std::optional<double> action_count() const;
  std::vector<Action> first_actions(std::uint64_t limit) const;
  std::uint64_t size() const;  // only where action_count() <= kMaxListed
  Action action(std::uint64_t k) const;
  void action(std::uint64_t k, Action& x) const;
  void accumulate(Outcome y, double weight, std::span<double> totals) const;
  // The whole list is one coordinate.
  std::size_t coordinates() const { return 1; }
  std::size_t domain(std::size_t) const { return size(); }
  std::size_t position(const Action& x, std::size_t) const;
  std::vector<Outcome> outcomes() const;

  // Is it one of the actions? Asked of saved states.
  bool allows(const Action& x) const {
    if (parts_.actions.given()) return parts_.actions.find(x.levels) == x.place;
    return x.place == 0 && x.levels.size() == static_cast<std::size_t>(parts_.targets) &&
           std::all_of(x.levels.begin(), x.levels.end(), [&](int c) { return c >= 0 && c <= parts_.levels; }) &&
           std::accumulate(x.levels.begin(), x.levels.end(), 0) == budget();
  }

  // In units of the problem, as rows of a table, and made up.
  Form form() const { return Form::kLoss; }
  double normaliser() const { return 1; }
  double raw(const Action& x, Outcome y) const { return loss(x, y); }
  std::size_t row_width() const { return 1; }
  Interval row_range() const { return {0, static_cast<double>(types() - 1)}; }
  void outcome_from_row(std::span<const double> row, Outcome& y) const { y = index_in_row(row[0], types()); }
  // The type v*d, rounded down, for a value v and d types.
  Outcome simulated(const MarketDraws& draws) const { return drawn_index(draws, types()); }

  static std::vector<std::shared_ptr<const Perturbation<SecurityGame>>> perturbations(
      std::shared_ptr<const SecurityGame> p);
  static std::vector<std::shared_ptr<const AnyOracle<SecurityGame>>> oracles(std::shared_ptr<const SecurityGame> p);

 private:
  std::span<const double> row(const std::vector<double>& table, std::size_t type, std::size_t target) const {
    const auto width = static_cast<std::size_t>(parts_.levels) + 1;
    return {table.data() + (type * static_cast<std::size_t>(parts_.targets) + target) * width, width};
  }
  // Calls visit(k, coverage) for every action in order.
  template <class Visit>
  void walk(Visit&& visit) const;

  Parts parts_;
  BoundedSums grid_;
  std::vector<double> least_;                // loss that no coverage goes below, by type
  std::vector<double> attacker_, defender_;  // by type, target, coverage
  // Losses of all actions by type, where they are few: made when first asked for.
  mutable std::once_flag tabulating_;
  mutable std::vector<double> losses_;
};

}  // namespace hannan::detail
