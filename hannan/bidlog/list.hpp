// A bid log as outcomes that are lists, for problems whose outcomes are no rows of numbers.
//
// Buyers (LogShape::kBuyers): each bidder of a round is a buyer, its bid is what it would pay.
//   single  {"bundle": its items, "value": the sum of its bids on them}
//   unit    a list of values, one per item; 0 where it did not bid
// Items without a slot are the rest: one more item, of which unit demand takes the most expensive, or left out.
//
// Valuations (LogShape::kValuations): a row says "q more units at b each". A bidder's rows in
// a round, highest price first, are its marginal values; the value of x units is the sum of the first x. The
// outcome has the value of 1..h lots as steps. The rest, where it is pooled, is one bidder whose value is
// that of the best split among them: its rows, highest price first.
//
// Bids in money (LogShape::kMoneyBids), for reserves in money: {"bids": [...], "others": [...], "opening":
// o}. A slot has the s + 1 highest bids of its own (null: none, a number, or a list), and so have the others, which
// have no reserve: no other bid can matter, and nothing is hidden but what is dropped. "opening" is there where the log
// says it. Of purchases {"bids", "others", "outside"} with the s + 1 lowest asks.
//
// Posted prices (LogShape::kPosted), for prices in money: who bought at q is a buyer who would pay q;
// most is earned where it would pay anything and who declined would pay almost q (compare/unsure.hpp). Whether a log
// has such limits at all: posted_offers.hpp.
//
// One bidder's log (LogShape::kOwnBid): [{"value": v, "other": the price to beat}] a round.
//
// Other amounts are divided by the cap, clipped to 1 and counted.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hannan/bidlog/auctions.hpp"
#include "hannan/bidlog/posted_offers.hpp"
#include "hannan/io/json.hpp"

namespace hannan::detail {

// Rows of (units, money each), highest price first. Costs n log n to make, linear in the rows to read from front to
// end.
class DemandCurve {
 public:
  explicit DemandCurve(std::vector<LogBid> rows);
  // The worth of so many units in money; less than all that is asked for, or all.
  double worth(double units) const;
  // Steps [[lots, value], ...] for lots of `lot` units up to `most`, values divided by cap and at most 1.
  struct Scale {
    double lot, cap;
    std::uint64_t most;
  };
  Json steps(const Scale& scale) const;
  // Rows of which nothing is within so many units.
  std::uint64_t beyond(double units) const;
  double units() const;

 private:
  std::vector<LogBid> rows_;
};

class LogList {
 public:
  // Steps in one valuation: beyond is kTooLarge.
  static constexpr std::uint64_t kMostSteps = 1 << 16;

  // Throws what LogAuctions throws.
  LogList(LogAuctions::Opener open, std::string name, LogPlan plan)
      : log_(std::move(open), std::move(name), std::move(plan)) {}

  bool next(Json& outcome);
  // Of posted prices: the outcome of the same round that earns most.
  const Json& most() const { return most_; }
  // Of posted prices: the offers of the same round, those without a sale too.
  const std::vector<LoggedOffer>& offers() const { return offers_; }
  // Of bids in money: all bids of each slot of that auction, where several bidders share a slot.
  const std::vector<std::vector<double>>& slot_bids() const { return slot_bids_; }
  const LogAuctions& log() const { return log_; }
  std::string where() const { return log_.name() + ": row " + std::to_string(log_.tally().rows); }

 private:
  Json buyers();
  Json buyer(const std::vector<LogBid>& own);
  Json valuations();
  Json money_bids();
  Json posted();
  Json own_bid();
  double outside() const;
  // The slot of the bid, and the bid counted; nothing where it has no slot.
  std::optional<std::size_t> counted_slot(const LogBid& bid);
  double scaled(double amount);

  LogAuctions log_;
  std::vector<LogBid> bids_;  // of the auction at hand
  std::vector<char> filled_;  // slots that have something in it
  Json most_;
  std::vector<LoggedOffer> offers_;
  std::vector<std::vector<double>> slot_bids_;
};

}  // namespace hannan::detail
