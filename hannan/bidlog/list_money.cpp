// Outcomes in money: bids of auctions and purchases, posted prices, and one bidder's log.
#include <algorithm>
#include <cmath>

#include "hannan/bidlog/list.hpp"
#include "hannan/core/error.hpp"

namespace hannan::detail {

Json LogList::money_bids() {
  const LogPlan& plan = log_.plan();
  SlotCounts& counts = log_.counts();
  const std::size_t slots = log_.slots().size();
  const bool named = by_name(plan.slots);
  const bool reverse = plan.direction == Direction::kReverse;
  const auto better = [&](double a, double b) { return reverse ? a < b : a > b; };
  if (plan.slots == Slots::kRank)
    std::sort(bids_.begin(), bids_.end(), [&](const LogBid& a, const LogBid& b) { return better(a.bid, b.bid); });
  // slot_of() gives `slots` for others as there is no pooled slot here, so own[slot] exists for every bid. By order or
  // rank bid i goes to slot i, beyond the slots to the others.
  std::vector<std::vector<double>> own(slots + 1);  // the last is that of the others
  std::vector<double> left;
  for (std::size_t i = 0; i < bids_.size(); ++i) {
    const std::size_t slot = named ? log_.slot_of(bids_[i]) : std::min(i, slots);
    counts.largest = std::max(counts.largest, bids_[i].bid);
    if (slot == slots && plan.rest == Rest::kDrop) {
      ++counts.left_out;
      continue;
    }
    ++counts.in_slots;
    if (slot == slots) ++counts.pooled;
    if (slot < slots) filled_[slot] = 1;
    own[slot].push_back(bids_[i].bid);
    left.push_back(bids_[i].bid);
  }
  log_.money()->after(ReadStage::kDropped, left);
  left.clear();
  if (plan.slots == Slots::kAll || plan.slots == Slots::kSegment) {
    slot_bids_ = own;
    slot_bids_.pop_back();  // others have no reserve
  }
  for (auto& bids : own) {
    std::sort(bids.begin(), bids.end(), better);
    // With s units the s + 1 best of a slot decide who wins and what is paid; a bid behind them in its own slot is
    // behind them in the auction.
    if (bids.size() > plan.units + 1) bids.resize(plan.units + 1);
    left.insert(left.end(), bids.begin(), bids.end());
  }
  for (const ReadStage stage : {ReadStage::kPooled, ReadStage::kClipped}) log_.money()->after(stage, left);
  Json bids = Json::array();
  for (std::size_t slot = 0; slot < slots; ++slot) {
    if (own[slot].empty()) {
      bids.push_back(Json());
    } else {
      bids.push_back(own[slot].size() == 1 ? Json(own[slot][0]) : Json(own[slot]));
    }
  }
  Json outcome = Json::object({{"bids", std::move(bids)}});
  if (!own[slots].empty()) outcome.set("others", Json(own[slots]));
  if (reverse) {
    outcome.set("outside", outside());
  } else if (log_.facts().opening) {
    outcome.set("opening", *log_.facts().opening);
  }
  return outcome;
}

// What a unit costs that is not bought. Where winners are paid their own bids nothing depends on it.
double LogList::outside() const {
  const auto& found = log_.facts().outside;
  if (found && *found > 0) return *found;
  if (log_.plan().payment == Payment::kPayAsBid) return std::max(1e-9, log_.money()->last_outside());
  throw Error(Code::kMissingField,
              "found a purchase without a price of not buying, expected --scale COLUMN with a number above 0 in every "
              "round: the estimate, the budget, or the price of the catalogue",
              where());
}

Json LogList::posted() {
  // Beyond every price of a list, and just below a price that was declined: beyond what snapping takes
  // (price_list.hpp).
  constexpr double kAnyPrice = 1e15, kJustBelow = 1 - 1e-8;
  // A buyer is made for each unit: the limit keeps one row from filling the memory. Chosen.
  constexpr double kMostUnits = 1 << 16;
  Json list = Json::array(), most = Json::array();
  double kept = 0;
  offers_.clear();
  for (const LogBid& bid : bids_) {
    const auto slot = counted_slot(bid);
    log_.counts().largest = std::max(log_.counts().largest, bid.bid);
    if (!slot) continue;
    kept += bid.bid * bid.won;
    if (bid.won != std::floor(bid.won) || bid.won > kMostUnits)
      throw Error(
          Code::kOutOfRange,
          "found " + number_text(bid.won) + " units sold, expected a whole number up to " + number_text(kMostUnits),
          where());
    offers_.push_back({.good = *slot, .price = bid.bid, .sold = bid.won});
    const auto buyer = [&](double value) {
      return Json::object({{"bundle", Json::array({Json(*slot)})}, {"value", value}});
    };
    for (int unit = 0; unit < static_cast<int>(bid.won); ++unit) {
      list.push_back(buyer(bid.bid));
      most.push_back(buyer(kAnyPrice));
    }
    if (bid.won == 0 && bid.bid > 0) most.push_back(buyer(bid.bid * kJustBelow));
  }
  log_.money()->after_posted(kept, offers_);
  most_ = std::move(most);
  return list;
}

Json LogList::own_bid() {
  SlotCounts& counts = log_.counts();
  if (bids_.size() != 1)
    throw Error(Code::kMalformed,
                "found " + std::to_string(bids_.size()) + " rows of a round, expected one: the price to beat", where());
  ++counts.in_slots;
  filled_[0] = 1;
  counts.largest = std::max(counts.largest, bids_[0].bid);
  return Json::array({Json::object({{"value", bids_[0].value}, {"other", bids_[0].bid}})});
}

}  // namespace hannan::detail
