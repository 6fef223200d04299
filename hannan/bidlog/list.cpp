// Auctions of a log as outcomes in JSON, one shape a problem: valuations of units, buyers of items, bids in money,
// posted offers, own bids. Every bid is counted once, as in a slot, pooled or left out, so that the summary adds up to
// the rows read. Amounts beyond the cap are clipped and counted.
#include "hannan/bidlog/list.hpp"

#include <algorithm>
#include <cmath>

#include "hannan/core/error.hpp"

namespace hannan::detail {

DemandCurve::DemandCurve(std::vector<LogBid> rows) : rows_(std::move(rows)) {
  // Rows of equal price by quantity: then sums round the same way whatever the order of the log was.
  std::sort(rows_.begin(), rows_.end(),
            [](const LogBid& a, const LogBid& b) { return a.bid != b.bid ? a.bid > b.bid : a.quantity > b.quantity; });
}

// The most that so many units are worth to the bidder: its best rows first, the last one in part.
double DemandCurve::worth(double units) const {
  double total = 0;
  for (const LogBid& row : rows_) {
    if (units <= 0) break;
    total += std::min(units, row.quantity) * row.bid;
    units -= row.quantity;
  }
  return total;
}

double DemandCurve::units() const {
  double sum = 0;
  for (const LogBid& row : rows_) sum += row.quantity;
  return sum;
}

// Rows that no unit is left for.
std::uint64_t DemandCurve::beyond(double units) const {
  std::uint64_t count = 0;
  for (const LogBid& row : rows_) {
    if (units <= 0) ++count;
    units -= row.quantity;
  }
  return count;
}

// Walks once along the rows: `at` and `used` say which row the next unit comes from and how much of it is gone, 0 <=
// used < rows_[at].quantity. It ends with the rows, with the lots, or where the value reaches the cap. O(rows + lots).
// Values that do not rise are left out: a step stands for all lots up to the next one.
Json DemandCurve::steps(const Scale& scale) const {
  Json steps = Json::array();
  std::size_t at = 0;
  double used = 0;             // of row `at`
  double total = 0, last = 0;  // in money; as written
  for (std::uint64_t lots = 1; lots <= scale.most && at < rows_.size() && last < 1; ++lots) {
    for (double left = scale.lot; left > 0 && at < rows_.size();) {
      const double part = std::min(left, rows_[at].quantity - used);
      total += part * rows_[at].bid;
      left -= part;
      used += part;
      if (used >= rows_[at].quantity) {
        ++at;
        used = 0;
      }
    }
    const double value = std::min(1.0, total / scale.cap);
    if (value > last) steps.push_back(Json::array({Json(lots), Json(value)}));
    last = std::max(last, value);
  }
  return steps;
}

double LogList::scaled(double amount) {
  SlotCounts& counts = log_.counts();
  counts.largest = std::max(counts.largest, amount);
  if (amount > log_.cap()) ++counts.clipped;
  return std::min(1.0, amount / log_.cap());
}

// filled_ marks the slots that had a bid in the auction: each is counted once an auction, whatever the number of its
// bids.
bool LogList::next(Json& outcome) {
  if (!log_.next(bids_)) return false;
  filled_.assign(log_.slots().size(), 0);
  switch (log_.plan().shape) {
    case LogShape::kBuyers:
      outcome = buyers();
      break;
    case LogShape::kMoneyBids:
      outcome = money_bids();
      break;
    case LogShape::kPosted:
      outcome = posted();
      break;
    case LogShape::kOwnBid:
      outcome = own_bid();
      break;
    default:
      outcome = valuations();
  }
  for (std::size_t slot = 0; slot < filled_.size(); ++slot)
    log_.counts().filled[slot] += static_cast<std::uint64_t>(filled_[slot]);
  return true;
}

Json LogList::buyers() {
  Json list = Json::array();
  for (const auto& own : by_owner(bids_)) list.push_back(buyer(own));
  if (list.size() > log_.plan().buyers) {
    throw Error(Code::kTooLarge,
                "found " + std::to_string(list.size()) + " buyers in a round, expected at most " +
                    std::to_string(log_.plan().buyers),
                where());
  }
  return list;
}

std::optional<std::size_t> LogList::counted_slot(const LogBid& bid) {
  SlotCounts& counts = log_.counts();
  const std::size_t slot = log_.slot_of(bid), slots = log_.slots().size();
  if (slot == slots) {
    ++counts.left_out;
    return std::nullopt;
  }
  ++counts.in_slots;
  if (slot == slots - log_.pooled()) ++counts.pooled;
  filled_[slot] = 1;
  return slot;
}

Json LogList::buyer(const std::vector<LogBid>& own) {
  const std::size_t slots = log_.slots().size();
  std::vector<double> amounts(slots, 0.0);
  std::vector<char> wanted(slots, 0);
  double sum = 0;
  for (const LogBid& bid : own) {
    const auto slot = counted_slot(bid);
    if (!slot) continue;
    wanted[*slot] = 1;
    sum += bid.bid;
    if (log_.plan().demand == Demand::kOneItem) amounts[*slot] = std::max(amounts[*slot], scaled(bid.bid));
  }
  if (log_.plan().demand == Demand::kOneItem) return Json(amounts);
  Json bundle = Json::array();
  for (std::size_t slot = 0; slot < slots; ++slot) {
    if (wanted[slot]) bundle.push_back(Json(slot));
  }
  return Json::object({{"bundle", std::move(bundle)}, {"value", scaled(sum)}});
}

// A demand curve per slot, cut into lots. The number of steps is limited: an outcome of millions of steps would make
// every round as expensive.
Json LogList::valuations() {
  SlotCounts& counts = log_.counts();
  const LogPlan& plan = log_.plan();
  std::vector<std::vector<LogBid>> rows(log_.slots().size());
  for (LogBid& bid : bids_) {
    const auto slot = counted_slot(bid);
    if (slot) rows[*slot].push_back(std::move(bid));
  }
  Json list = Json::array();
  for (auto& own : rows) {
    const DemandCurve curve(std::move(own));
    const double most = static_cast<double>(plan.units) * plan.lot;
    if (const double lots = std::ceil(std::min(most, curve.units()) / plan.lot);
        lots > static_cast<double>(kMostSteps)) {
      throw Error(Code::kTooLarge,
                  "found a bidder that asks for " + number_text(lots) + " units, expected at most " +
                      std::to_string(kMostSteps) + "; make a unit of several with --lot",
                  where());
    }
    // For its counts: whether what the curve is worth in all leaves the scale.
    scaled(curve.worth(most));
    counts.beyond_units += curve.beyond(most);
    list.push_back(curve.steps({.lot = plan.lot, .cap = log_.cap(), .most = plan.units}));
  }
  return list;
}

}  // namespace hannan::detail
