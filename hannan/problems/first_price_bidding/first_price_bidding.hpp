// `first-price-bidding`: one bidder who pays what it bids, for h items a round, each against the highest other bid.
//
// An action is a position per item in that item's grid: factors 0 = k_0 < ... < k_(m-1) < 1 of the own value (mode
// shade: the bid is k v), or bids in money 0 = b_0 < ... (mode absolute). The outcome is, per item, the own value v and
// what the others do: their highest bid d (won iff bid > d), the least bid w that wins (won iff bid >= w), or no bid
// (every bid wins); or the item is not for sale. Comparisons allow 1e-9, so that rounding does not decide ties.
// Reward: v - bid of every item won, in money; loss = -reward, of unknown range.
//
// Rewards add up over items. With z0 the first position that wins, the curve of an item is 0 below z0 and v - bid_z
// from it on, falling. So r_t, the sum over items of largest less least, is exact (with a budget an upper limit).
//
// Perturbations (docs/theory.md, first price), gamma relative to r_t:
//   one-hot      gamma = 1, s >= 0: the range of item j on the own position
//   thermometer  gamma = 1, both signs: below z0 only higher positions gain, -range on the first zero; from z0 on
//                higher ones do not, +range on the last one
//   bits         gamma = max_j ceil(log2 m_j)
// A budget on the summed bids of a round takes actions away, and with them conditions: the same gamma.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "hannan/core/archive.hpp"
#include "hannan/core/interval.hpp"
#include "hannan/core/oracle.hpp"
#include "hannan/core/perturbation.hpp"
#include "hannan/core/rows.hpp"
#include "hannan/game/market_draws.hpp"
#include "hannan/perturbations/coded_columns.hpp"
#include "hannan/problems/first_price_bidding/bid_budget.hpp"
#include "hannan/problems/price_list.hpp"

namespace hannan::detail {

// One item in one round.
struct BidOffer {
  enum class Rival : std::uint8_t {
    kNone,   // every bid wins
    kOther,  // `price` is the highest other bid: a bid above it wins
    kLeast,  // `price` is the least bid that wins
  };
  bool for_sale = false;  // otherwise the rest is as here
  double value = 0;
  Rival rival = Rival::kNone;
  double price = 0;  // 0 where there is no rival
  friend bool operator==(const BidOffer&, const BidOffer&) = default;
};
void archive(Archive& a, std::vector<BidOffer>& offers);

class FirstPriceBidding {
 public:
  using Action = std::vector<int>;        // a position per item
  using Outcome = std::vector<BidOffer>;  // one per item
  static constexpr std::size_t kMaxItems = 1000;
  static constexpr double kMaxTable = 1e7;           // actions that are ever listed
  static constexpr Interval kValues{0, 1e27};        // values, bids and prices: sums over items stay within kAnyLoss
  static constexpr double kTie = PriceList::kSlack;  // relative, of comparisons

  enum class Mode { kShade, kAbsolute };
  struct Parts {
    std::vector<PriceList> grids;  // one per item
    Mode mode = Mode::kShade;
    std::optional<double> budget;  // of the bids of a round together; absolute bids that are whole numbers
  };
  // Throws kOutOfRange.
  explicit FirstPriceBidding(Parts parts);

  const Parts& parts() const { return parts_; }
  std::size_t items() const { return parts_.grids.size(); }

  // The first position that wins; the number of positions where none does.
  std::size_t first_win(std::size_t item, const BidOffer& offer) const;
  // What winning at this position brings.
  double gain(std::size_t item, std::size_t position, const BidOffer& offer) const {
    const double at = parts_.grids[item][position];
    return parts_.mode == Mode::kShade ? (1 - at) * offer.value : offer.value - at;
  }

  double loss(const Action& x, const Outcome& y) const { return -raw(x, y); }
  double least_loss(const Outcome& y) const { return spread(y).least; }
  LossRange loss_range() const { return LossRange::kUnknown; }
  LossSpread spread(const Outcome& y) const;
  // What a perturbation needs over r_t: the same on every outcome.
  std::optional<double> gamma_at(std::string_view perturbation, const Outcome& y) const;
  double ln_size() const;
  std::optional<double> action_count() const;
  std::vector<Action> first_actions(std::uint64_t limit) const;
  // Only where action_count() <= kMaxTable.
  std::uint64_t size() const;
  Action action(std::uint64_t k) const {
    Action x;
    action(k, x);
    return x;
  }
  void action(std::uint64_t k, Action& x) const { chain_.positions(k, x); }
  void accumulate(const Outcome& y, double weight, std::span<double> totals) const;
  std::size_t coordinates() const { return items(); }
  std::size_t domain(std::size_t c) const { return parts_.grids[c].size(); }
  std::size_t position(const Action& x, std::size_t c) const { return static_cast<std::size_t>(x[c]); }

  const BidBudget& chain() const { return chain_; }
  // Is it one of the actions? Asked of saved states, and of what a user sends.
  bool allows(const Action& x) const;

  // In units of the problem, as rows of a table, and made up.
  Form form() const { return Form::kReward; }
  double normaliser() const { return 1; }
  double raw(const Action& x, const Outcome& y) const;
  // Per item the value and the highest other bid; an empty cell (NaN): not for sale, no other bid.
  std::size_t row_width() const { return 2 * items(); }
  Interval row_range() const { return kValues; }
  RowGaps row_gaps() const { return RowGaps::kAllowed; }
  void outcome_from_row(std::span<const double> row, Outcome& y) const;
  // Values and other bids in [0,1], or in absolute mode in [0, top bid of the item].
  Outcome simulated(const MarketDraws& draws) const;

  static std::vector<std::shared_ptr<const Perturbation<FirstPriceBidding>>> perturbations(
      std::shared_ptr<const FirstPriceBidding> p);
  static std::vector<std::shared_ptr<const AnyOracle<FirstPriceBidding>>> oracles(
      std::shared_ptr<const FirstPriceBidding> p);

 private:
  Parts parts_;
  BidBudget chain_;
};

}  // namespace hannan::detail
