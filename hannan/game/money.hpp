// What a problem says of money, where its actions or outcomes are money: an optional trait, Game::money().
//
// A problem states it as a value (Codec<P>::money); logs, comparisons, pages, the service and Python ask it and know no
// problem by its name. Every part but `amounts` may be left out: a function that is empty says that there is no such
// thing. Functions take values of the problem they are from, and keep it alive.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "hannan/core/any_value.hpp"

namespace hannan::detail {

// The numbers of an action as amounts, one for each bidder or item.
struct Amounts {
  std::string_view what;   // "reserve", "price", "bid", "stock"; empty: an action is no amount
  std::string_view owner;  // whose one is: "bidder", "item"
  std::size_t owners = 0;  // how many there are
  // What the amounts are in: currency as they stand; parts of the scale of the data, which a log or a cap says; shares
  // of something else (`of`); or pieces of goods. The last two are no currency.
  enum class Unit { kCurrency, kScale, kShare, kPieces };
  Unit unit = Unit::kCurrency;
  std::string_view of;  // of shares: "value", "estimate"
  // An action has places in these lists, one each. Empty: it has whole numbers of 1/levels of the scale.
  std::vector<std::vector<double>> lists;
  double levels = 0;  // 0: there are lists
  // What pages call the owners: the slots of the log, where there are as many; the goods, whose prices are columns
  // "price.red"; or numbers.
  enum class Names { kNumbers, kSlots, kGoods };
  Names names = Names::kNumbers;
  // What pages show of levels where the scale is known.
  enum class Shown { kLevels, kCurrency };
  Shown shown = Shown::kLevels;
  // What a page calls the decisions, where that is not what all problems of the kind call them (ActionLabels).
  std::string_view page, thing;
};

// What is known of the rounds of a log before one is played.
struct MoneyLimits {
  double unit = 1;     // money of a loss of 1
  double outside = 0;  // purchases: the largest price of not buying; 0: not known
  double largest = 0;  // posted prices: units of a round, one bidder's log: value, at most; 0: not known
};

struct Money {
  Amounts amounts;

  // The most that a round may gain in money where the range of losses is unknown; none: that is not known.
  std::function<std::optional<double>(const MoneyLimits&)> most_gain;

  // Where decisions are shares themselves, what the gain of a round is a share of (compare/round_scale.hpp).
  struct Shares {
    std::function<double(const AnyOutcome&)> of;
    double most = 1;  // the largest gain of a round over it
    // Whether gains always are such shares, or only where the baseline lost in no round.
    enum class Judged { kAlways, kWithoutLosses };
    Judged judged = Judged::kWithoutLosses;
  };
  std::optional<Shares> shares;

  // The loss of a round in which nothing is asked for: no reserve, no ceiling.
  std::function<double(const AnyOutcome&)> unasked;
  bool first_asks_nothing = false;  // that is the problem's first action

  // The loss of what was done in the round of an outcome, with `unseen` money a round, in the problem's unit, that the
  // outcome does not show.
  std::function<double(const AnyOutcome&, double unseen)> logged;
  bool shows_openings = false;  // outcomes have the opening bids: they are not unseen

  // The outcome of the same round that earns most, where of the highest bid only what was paid is shown.
  std::function<AnyOutcome(const AnyOutcome&)> hidden_top;

  // No more bids than units: all that is earned comes from a reserve or an opening bid.
  std::function<bool(const AnyOutcome&)> uncontested;

  // Whether amounts are price floors, the reserves of a sale; ceilings of purchases are none.
  enum class Floors { kNone, kReserves, kCeilings };
  Floors floors = Floors::kNone;
};

}  // namespace hannan::detail
