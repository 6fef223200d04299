// A bid log as a table of numbers, in [0,1] but for single amounts: one auction a row, one slot a column.
//
// Bids (LogShape::kBids). Slots, n of them, and one more (or k) for the rest where it is pooled:
//   identity  the n bidders that bid in most auctions, or those named. The rest shares one slot, by its
//             highest bid. segment is the same by segment: a slot is the highest bid of its segment.
//   order     the n that bid first in the auction. The rest shares one slot.
//   rank      the n highest bids, from the highest on. The rest is left out: it is below them all.
// Two bids that share a slot are one, so the price that the lower of them would have set is lost, and a
// replay earns less without a reserve than the log did. Auctions in which that happens to the second
// highest bid are counted; with two slots for the rest (its highest bids) it does not happen to the rest.
// An absent bidder bids 0, which reaches no reserve.
//
// Prices (LogShape::kPrices). Slots are items; a cell is the highest bid on the item in the round, one's own
// not counted: the price to beat. An item without a bid was not for sale, and costs 1, which no bid
// exceeds. The rest, where it is pooled, is the cheapest of the other items.
//
// One amount (LogShape::kAmount): a row is a round, and its amount stands as it is.
//
// Other numbers are divided by the cap; higher ones are clipped to 1 and counted.
#pragma once

#include <string>
#include <vector>

#include "hannan/bidlog/auctions.hpp"
#include "hannan/io/table.hpp"

namespace hannan::detail {

class LogTable final : public Table {
 public:
  // Throws what LogAuctions throws.
  LogTable(LogAuctions::Opener open, std::string name, LogPlan plan)
      : log_(std::move(open), std::move(name), std::move(plan)) {}

  bool next(std::vector<double>& row) override;
  std::size_t columns() const override { return log_.slots().size(); }
  const std::vector<std::string>& names() const override { return log_.slots(); }
  std::string where(std::size_t) const override { return log_.name() + ": row " + std::to_string(log_.tally().rows); }

  const LogAuctions& log() const { return log_; }  // its context is that of the last row

 private:
  void put_bids(std::vector<double>& row);
  void put_prices(std::vector<double>& row);
  void put_amount(std::vector<double>& row);
  double scaled(double bid);
  void report_money();
  bool hides_second(const std::vector<double>& row) const;

  LogAuctions log_;
  std::vector<LogBid> bids_;          // of the auction at hand
  std::vector<double> others_;        // bids of the rest in it
  std::vector<double> left_, slots_;  // for the money that is hidden: bids that are used, and what slots hold
};

}  // namespace hannan::detail
