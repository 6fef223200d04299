// What a log says of an auction besides the bids that are played, and what was paid in it where winners pay their own
// bids (docs/logs.md).
//
// Pay-as-bid, for the rows i of an auction with bid b_i, demand q_i and units won w_i:
//   paid    the sum of what the rows say they paid, else of b_i w_i; where no row says what it won, the s best bids win
//   second  what the same bids bring where winners pay the best losing bid. Of row i that is the best bid of another
//           bidder that won less than it wanted and is not better than b_i: a firm's second bid is no rival of its
//           first, and a bid that was better and lost was not accepted, whatever the reason was. Where there is none it
//           is the opening bid (reverse: what was paid, as there is no other price). Where rows state quantities (a
//           share auction) there is one price for all units: the best row, of any bidder, that has some demand left and
//           is not better than the worst that won. Where rows say what they paid, its unit need not be that of bid
//           times units: second is scaled by paid / sum b_i w_i.
// Without a demand of its own a row wants what it won, or one unit. Where no row says what it won, a bidder without a
// stated demand wins with its best row alone.
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
  std::string who;               // empty: a bidder of its own
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
  bool alone = false;  // a winner has no rival: no other bidder at or behind its bid
};
PaidAsBid paid_as_bid(std::span<const LoggedRow> rows, const PayAsBidRule& rule);

// Whether a bid won nothing that was better than one that won; false where rows do not say who won.
bool better_bid_lost(std::span<const LoggedRow> rows, Direction direction);

// What the winners of a log have in common: whether the lowest bid wins, and whether what was paid is the winner's own
// bid. A row won where it says so; otherwise where it alone says what was paid.
//
// What winners pay is asked until --payment says it, or --paid does and agrees with the bids: of every purchase, and of
// every log that names winners or has a column that tells of them (payment_columns.hpp). Bids alone are taken as those
// of a second-price auction.
class LogSigns {
 public:
  void add(std::span<const LoggedRow> rows, Direction direction);
  // In more than half of the auctions that show it.
  bool lowest_wins() const { return 2 * lowest_ > decided_; }
  bool pays_own() const { return 2 * own_ > priced_; }
  // Questions for whoever knows the log, where the answers are not given.
  struct Said {
    Payment payment = Payment::kUnsaid;
    Direction direction = Direction::kForward;
    bool top_hidden = false;
    bool won = false;                      // --won names winners
    std::optional<double> paid;            // --paid: what was paid in all
    double rule = 0;                       // and the second price of the same auctions
    std::span<const std::string> columns;  // that tell of winners or payments, and that no flag names
  };
  std::vector<std::string> asks(const Said& said) const;

 private:
  std::uint64_t decided_ = 0, lowest_ = 0;  // auctions with two different bids and a winner
  std::uint64_t priced_ = 0, own_ = 0;      // auctions with two bids that say what was paid
};

}  // namespace hannan::detail
