// Auctions of a log as rows of numbers in [0,1], a column a slot: bids by bidder, rank or order, or for one bidder the
// highest other bid of each item. A slot with several bids keeps the highest. Cost: O(bids log bids) an auction.
#include "hannan/bidlog/table.hpp"

#include <algorithm>
#include <functional>

#include "hannan/core/error.hpp"

namespace hannan::detail {

bool LogTable::next(std::vector<double>& row) {
  if (!log_.next(bids_)) return false;
  if (log_.plan().shape == LogShape::kAmount) {
    put_amount(row);
  } else if (log_.plan().shape == LogShape::kPrices) {
    put_prices(row);
  } else {
    put_bids(row);
  }
  return true;
}

double LogTable::scaled(double bid) {
  SlotCounts& counts = log_.counts();
  counts.largest = std::max(counts.largest, bid);
  if (bid > log_.cap()) ++counts.clipped;
  return std::min(1.0, bid / log_.cap());
}

void LogTable::put_amount(std::vector<double>& row) {
  SlotCounts& counts = log_.counts();
  if (bids_.size() != 1)
    throw Error(Code::kMalformed,
                "found " + std::to_string(bids_.size()) + " rows of a round, expected one: its amount", where(0));
  ++counts.in_slots;
  ++counts.filled[0];
  counts.largest = std::max(counts.largest, bids_[0].bid);
  row.assign(1, bids_[0].bid);
}

void LogTable::put_bids(std::vector<double>& row) {
  const LogPlan& plan = log_.plan();
  SlotCounts& counts = log_.counts();
  row.assign(columns(), 0.0);
  const std::size_t rest = columns() - log_.pooled();
  const bool named = by_name(plan.slots);
  if (plan.slots == Slots::kRank) {  // equal bids fill equal cells, in whatever order
    std::sort(bids_.begin(), bids_.end(), [](const LogBid& a, const LogBid& b) { return a.bid > b.bid; });
  }
  const auto put = [&](std::size_t slot, double bid) {
    if (row[slot] == 0) ++counts.filled[slot];
    row[slot] = std::max(row[slot], scaled(bid));
    slots_[slot] = std::max(slots_[slot], bid);
  };
  others_.clear();
  left_.clear();
  slots_.assign(columns(), 0.0);
  for (std::size_t i = 0; i < bids_.size(); ++i) {
    // Slots [0, rest) have an owner each; [rest, columns) are those for the rest, filled with its highest bids.
    const std::size_t slot = named ? log_.slot_of(bids_[i]) : std::min(i, rest);
    if (slot < rest) {
      ++counts.in_slots;
      left_.push_back(bids_[i].bid);
      put(slot, bids_[i].bid);
    } else {
      others_.push_back(bids_[i].bid);
    }
  }
  std::sort(others_.begin(), others_.end(), std::greater<>());
  for (std::size_t k = 0; k < std::min(log_.pooled(), others_.size()); ++k) put(rest + k, others_[k]);
  (log_.pooled() > 0 ? counts.pooled : counts.left_out) += others_.size();
  if (log_.pooled() > 0) counts.in_slots += others_.size();
  if (log_.pooled() > 0) left_.insert(left_.end(), others_.begin(), others_.end());
  if (hides_second(row)) ++counts.seconds_hidden;
  report_money();
}

// The auction after each step of the reading, in money (logged_money.hpp).
void LogTable::report_money() {
  LoggedMoney& money = *log_.money();
  money.after(ReadStage::kDropped, left_);
  money.after(ReadStage::kPooled, slots_);
  for (double& bid : slots_) bid = std::min(bid, log_.cap());
  money.after(ReadStage::kClipped, slots_);
}

// Whether the second highest bid of the auction stands nowhere in the row, and the price would be wrong.
// Two passes that keep the two largest numbers: of the bids as they would stand in cells of their own, and of the row.
bool LogTable::hides_second(const std::vector<double>& row) const {
  if (bids_.size() < 2) return false;
  double first = 0, second = 0, first_cell = 0, second_cell = 0;
  const auto rank = [](double bid, double& high, double& low) {
    low = std::max(low, std::min(high, bid));
    high = std::max(high, bid);
  };
  for (const LogBid& bid : bids_) rank(std::min(1.0, bid.bid / log_.cap()), first, second);
  for (const double cell : row) rank(cell, first_cell, second_cell);
  return second_cell < second;
}

void LogTable::put_prices(std::vector<double>& row) {
  const LogPlan& plan = log_.plan();
  SlotCounts& counts = log_.counts();
  const std::size_t rest = columns() - log_.pooled();
  // The highest bid of the others by item: those with a slot, and the rest item by item, of which the cheapest counts.
  row.assign(columns(), -1.0);
  std::unordered_map<std::string_view, double> elsewhere;
  for (const LogBid& bid : bids_) {
    const bool own = !plan.me.empty() && bid.who == plan.me;  // the item is for sale, and no more is said
    const std::size_t slot = log_.slot_of(bid);
    const double price = own ? 0 : scaled(bid.bid);
    counts.left_out += own || (slot == rest && log_.pooled() == 0) ? 1 : 0;
    if (slot < rest) {
      row[slot] = std::max(row[slot], price);
      counts.in_slots += own ? 0 : 1;
    } else if (log_.pooled() > 0) {
      double& highest = elsewhere.emplace(bid.item, 0.0).first->second;
      highest = std::max(highest, price);
      counts.pooled += own ? 0 : 1;
    }
  }
  for (const auto& [item, price] : elsewhere) row[rest] = row[rest] < 0 ? price : std::min(row[rest], price);
  for (std::size_t slot = 0; slot < row.size(); ++slot) {
    // -1 marks an item that was not for sale; its price is then 1, out of reach.
    if (row[slot] < 0) {
      row[slot] = 1;
    } else {
      ++counts.filled[slot];
    }
  }
}

}  // namespace hannan::detail
