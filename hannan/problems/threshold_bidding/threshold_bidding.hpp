// `threshold-bidding`: one bidder against a finite, known set of price vectors for h items.
//
// An action is a bid per item in {0..m}, in units of 1/m; overbidding is allowed. The outcome is the index
// of a price vector; item j is won iff bid >= price, that is iff the bid is at least
//   need_j = ceil(m * price_j - kGridSlack)   (a price above 1 is out of reach),
// and the utility is u = v(won) - sum of the prices won. The loss is f = (1 - u)/2; in this loss problem
// raw = loss. Valuations and prices by which some action could leave u in [-1,1] are refused.
//
// Y is small, so the perturbation is `outcomes`, one column f(., y) per price vector: the hedge vector of
// (x, y) is the unit vector of y, gamma = 1, non-negative. Where at most kMaxCoded actions can be listed
// there are also bits, one-hot and thermometer over that list (perturbations/explicit_columns.hpp).
//
// Actions: all (m+1)^h bids in lexicographic order, or an explicit list in its own order.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "hannan/core/oracle.hpp"
#include "hannan/core/perturbation.hpp"
#include "hannan/core/rows.hpp"
#include "hannan/game/market_draws.hpp"
#include "hannan/perturbations/coded_columns.hpp"
#include "hannan/problems/action_list.hpp"

namespace hannan::detail {

class ThresholdBidding {
 public:
  using Action = PlacedVector;          // h bids
  using Outcome = std::uint64_t;        // a price vector
  using Bundle = std::uint32_t;         // bit j = item j
  static constexpr int kMaxItems = 12;  // a value is held for each of 2^h bundles
  static constexpr int kMaxLevels = 1000;
  static constexpr std::size_t kMaxUtilities = 8'000'000;  // price vectors * 2^h: one number each
  static constexpr double kMaxListed = 1e7;                // more actions than these are never listed
  static constexpr double kMaxCoded = 65536;               // above it only `outcomes` is offered

  struct Parts {
    int items;
    int levels;
    std::vector<int> valuation;               // by bundle, in units of 1/m, 0 for the empty one
    std::vector<std::vector<double>> prices;  // h each
    ActionList actions;
  };
  explicit ThresholdBidding(Parts parts);  // throws kOutOfRange
  // Part of what the constructor checks: how many price vectors there are, and that each has a price per item.
  static void expect_prices(const Parts& parts);

  const Parts& parts() const { return parts_; }

  int items() const { return parts_.items; }
  int levels() const { return parts_.levels; }
  std::size_t price_vectors() const { return parts_.prices.size(); }
  // The least bid that wins this item at these prices; above m: none does.
  int need(Outcome y, std::size_t item) const { return needs_[y * static_cast<std::size_t>(parts_.items) + item]; }
  Bundle won(std::span<const int> bids, Outcome y) const;
  double value(Bundle bundle) const { return static_cast<double>(parts_.valuation[bundle]) / parts_.levels; }
  double price(Outcome y, std::size_t item) const { return parts_.prices[y][item]; }
  double utility(Bundle bundle, Outcome y) const { return utilities_[(y << parts_.items) + bundle]; }

  double loss(const Action& x, Outcome y) const;
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
    return x.place == 0 && x.levels.size() == static_cast<std::size_t>(parts_.items) &&
           std::all_of(x.levels.begin(), x.levels.end(), [&](int b) { return b >= 0 && b <= parts_.levels; });
  }

  // In units of the problem, as rows of a table, and made up.
  Form form() const { return Form::kLoss; }
  double normaliser() const { return 1; }
  double raw(const Action& x, Outcome y) const { return loss(x, y); }
  std::size_t row_width() const { return 1; }
  Interval row_range() const { return {0, static_cast<double>(price_vectors() - 1)}; }
  void outcome_from_row(std::span<const double> row, Outcome& y) const { y = index_in_row(row[0], price_vectors()); }
  // A market of low values brings price vectors of low numbers.
  Outcome simulated(const MarketDraws& draws) const { return drawn_index(draws, price_vectors()); }

  static std::vector<std::shared_ptr<const Perturbation<ThresholdBidding>>> perturbations(
      std::shared_ptr<const ThresholdBidding> p);
  static std::vector<std::shared_ptr<const AnyOracle<ThresholdBidding>>> oracles(
      std::shared_ptr<const ThresholdBidding> p);

 private:
  void expect_utilities() const;  // no action earns less than -1 or more than 1

  Parts parts_;
  std::vector<int> needs_;         // by price vector, item
  std::vector<double> least_;      // loss that no bids go below, by price vector
  std::vector<double> utilities_;  // by price vector, bundle
};

}  // namespace hannan::detail
