// What a log says of an auction besides the bids that are played, and what was paid in it where winners pay their own
// bids (docs/logs.md).
//
// Pay-as-bid, for the rows i of an auction with bid b_i, demand q_i and units won w_i:
//   paid    the sum of what the rows say they paid, else of b_i w_i; where no row says what it won, the s best bids win
//   second  what the same bids bring where every unit sold costs the best losing bid: rows, best first, take their
//           demand until all Q = sum w_i units are gone; the first row that has some demand left sets the price. Where
//           none has, it is the opening bid (reverse: what was paid, as there is no other price). Where rows say what
//           they paid, its unit need not be that of bid times units: second is scaled by paid / sum b_i w_i.
// Without a demand of its own a row wants what it won, or one unit.
//
// Costs n log n for n rows.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace hannan::detail {

enum class Payment : std::uint8_t {
  kUnsaid,  // second price, until the log says else
  kSecondPrice,
  kPayAsBid,
  kPosted,  // a bid is a price that was posted, and a row won what was sold at it
  kOwnLog,  // the log of one bidder: a bid is the price to beat
};
enum class Direction : std::uint8_t { kForward, kReverse };  // reverse: the lowest bid wins

// A row of an auction as it was logged.
struct LoggedRow {
  double bid = 0;
  std::optional<double> demand;  // units it is for
  std::optional<double> won;     // units it won
  std::optional<double> paid;    // by this row, or by its whole auction
  std::optional<double> value;   // to the bidder whose log it is
};

struct AuctionFacts {
  std::optional<double> opening;  // its opening bid or reserve
  std::optional<double> paid;     // what it brought
  std::optional<double> outside;  // reverse: what a unit costs that is not bought
  std::vector<LoggedRow> rows;    // where they are asked for: as they came
};

struct PayAsBidRule {
  std::uint64_t units = 1;
  Direction direction = Direction::kForward;
  double opening = 0;
};
struct PaidAsBid {
  double paid = 0;
  double second = 0;
  bool alone = false;  // no losing bid
};
PaidAsBid paid_as_bid(std::span<const LoggedRow> rows, const PayAsBidRule& rule);

// What the winners of a log have in common: whether the lowest bid wins, and whether what was paid is the winner's own
// bid. A row won where it says so; otherwise where it alone says what was paid.
class LogSigns {
 public:
  void add(std::span<const LoggedRow> rows);
  // In more than half of the auctions that show it.
  bool lowest_wins() const { return 2 * lowest_ > decided_; }
  bool pays_own() const { return 2 * own_ > priced_; }
  // Questions for whoever knows the log, where the answers are not given.
  struct Said {
    Payment payment;
    Direction direction;
    bool top_hidden;
  };
  std::vector<std::string> asks(const Said& said) const;

 private:
  std::uint64_t decided_ = 0, lowest_ = 0;  // auctions with two different bids and a winner
  std::uint64_t priced_ = 0, own_ = 0;      // auctions with two bids that say what was paid
};

}  // namespace hannan::detail
