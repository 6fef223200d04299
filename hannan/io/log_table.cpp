#include "hannan/io/log_table.hpp"

#include <algorithm>
#include <functional>

#include "hannan/core/error.hpp"
#include "hannan/io/log_scale.hpp"

namespace hannan {

LogTable::LogTable(Opener open, std::string name, LogPlan plan)
    : open_(std::move(open)), name_(std::move(name)), plan_(std::move(plan)), cap_(plan_.cap.value_or(0)) {
  if (plan_.slots != Slots::kIdentity) {
    for (std::size_t i = 1; i <= plan_.count; ++i) {
      names_.push_back((plan_.slots == Slots::kOrder ? "place " : "rank ") + std::to_string(i));
    }
    if (plan_.slots == Slots::kOrder && plan_.rest == Rest::kPool) pool_ = plan_.rest_slots;
  } else if (!plan_.names.empty()) {
    names_ = plan_.names;
    if (plan_.rest == Rest::kPool) pool_ = plan_.rest_slots;
  }
  if (!plan_.cap || (plan_.slots == Slots::kIdentity && plan_.names.empty())) look_ahead();
  for (std::size_t i = 0; i < names_.size(); ++i) slot_of_.emplace(names_[i], i);
  for (std::size_t k = 1; k <= pool_; ++k) names_.push_back(pool_ == 1 ? "rest" : "rest " + std::to_string(k));
  filled_.assign(names_.size(), 0);
  tally_.severity = plan_.severity;
  rounds_.emplace(read_rounds(tally_));
}

LogRounds LogTable::read_rounds(LogTally& tally) {
  return {open_log({.bytes = open_(), .name = name_, .columns = plan_.columns, .tally = tally}), {.name = name_, .again = plan_.again, .tally = tally}};
}

// The bids of the next auction, its top ones left out where the log does not tell their true value.
bool LogTable::next_auction(LogRounds& rounds) {
  if (!rounds.next(bids_)) return false;
  for (std::size_t i = 0; i < plan_.drop_top && !bids_.empty(); ++i) {
    const auto lower = [](const LogBid& a, const LogBid& b) { return a.bid < b.bid; };
    bids_.erase(std::max_element(bids_.begin(), bids_.end(), lower));
    ++tops_;
  }
  return true;
}

bool LogTable::enough() { return bids_.size() >= plan_.least; }

void LogTable::look_ahead() {
  LogTally tally{.severity = plan_.severity};
  LogRounds rounds = read_rounds(tally);
  std::unordered_map<std::string, std::uint64_t> counts;
  BidQuantile quantile;
  const bool counting = plan_.slots == Slots::kIdentity && plan_.names.empty();
  while (next_auction(rounds)) {
    if (!enough()) continue;
    for (const LogBid& bid : bids_) {
      quantile.add(bid.bid);
      if (!counting) continue;
      ++counts[bid.who];
      if (counts.size() > kMostBidders) {
        throw Error(Code::kTooLarge, "found more than " + std::to_string(kMostBidders) +
                    " bidders, expected fewer; name those that matter with --names, or say --slots rank", name_);
      }
    }
  }
  tops_ = 0;
  if (counting) choose_names(counts);
  if (plan_.cap) return;
  cap_ = quantile.at(plan_.quantile);
  // With nothing to divide by, the second pass tells the reasons.
  if (cap_ == 0) cap_ = 1;
}

void LogTable::choose_names(const std::unordered_map<std::string, std::uint64_t>& counts) {
  std::vector<std::pair<std::uint64_t, std::string>> all;
  for (const auto& [name, count] : counts) all.emplace_back(count, name);
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first != b.first ? a.first > b.first : a.second < b.second; });
  bidders_ = all.size();
  if (plan_.rest == Rest::kPool && all.size() > plan_.count) pool_ = plan_.rest_slots;
  all.resize(std::min(all.size(), plan_.count));
  for (auto& [count, name] : all) names_.push_back(std::move(name));
}

bool LogTable::next(std::vector<double>& row) {
  while (next_auction(*rounds_)) {
    ++auctions_;
    if (!enough()) {
      ++(bids_.empty() ? empty_ : few_);
      continue;
    }
    ++kept_;
    into_slots(row);
    return true;
  }
  if (kept_ == 0) {
    std::string why;
    for (std::size_t i = 0; i < kDrops; ++i) {
      if (tally_.dropped[i] > 0) why += ", " + std::to_string(tally_.dropped[i]) + " " + std::string(fact_of(static_cast<Drop>(i)).about) + " (first at " + tally_.first_at[i] + ")";
    }
    if (empty_ + few_ > 0) why += ", " + std::to_string(empty_ + few_) + " auctions with too few bids";
    throw Error(Code::kEmpty, "found no auction to use, expected at least one: of " + std::to_string(tally_.rows) + " rows" + (why.empty() ? " none is a bid" : why.substr(1)), name_);
  }
  return false;
}

void LogTable::put(std::vector<double>& row, std::size_t slot, double bid) {
  if (row[slot] == 0) ++filled_[slot];
  largest_ = std::max(largest_, bid);
  if (bid > cap_) ++clipped_;
  row[slot] = std::max(row[slot], std::min(1.0, bid / cap_));
}

void LogTable::into_slots(std::vector<double>& row) {
  row.assign(names_.size(), 0.0);
  const std::size_t rest = names_.size() - pool_;
  if (plan_.slots == Slots::kRank) {  // equal bids fill equal cells, in whatever order
    std::sort(bids_.begin(), bids_.end(), [](const LogBid& a, const LogBid& b) { return a.bid > b.bid; });
  }
  others_.clear();
  for (std::size_t i = 0; i < bids_.size(); ++i) {
    std::size_t slot = std::min(i, rest);
    if (plan_.slots == Slots::kIdentity) {
      const auto found = slot_of_.find(bids_[i].who);
      slot = found == slot_of_.end() ? rest : found->second;
    }
    if (slot < rest) {
      ++slotted_;
      put(row, slot, bids_[i].bid);
    } else {
      others_.push_back(bids_[i].bid);
    }
  }
  std::sort(others_.begin(), others_.end(), std::greater<>());
  for (std::size_t k = 0; k < std::min(pool_, others_.size()); ++k) put(row, rest + k, others_[k]);
  (pool_ > 0 ? pooled_ : left_out_) += others_.size();
  if (pool_ > 0) slotted_ += others_.size();
  if (hides_second(row)) ++hidden_;
}

// Whether the second highest bid of the auction stands nowhere in the row, and the price would be wrong.
bool LogTable::hides_second(const std::vector<double>& row) const {
  if (bids_.size() < 2) return false;
  double first = 0, second = 0, first_cell = 0, second_cell = 0;
  const auto rank = [](double bid, double& high, double& low) {
    low = std::max(low, std::min(high, bid));
    high = std::max(high, bid);
  };
  for (const LogBid& bid : bids_) rank(std::min(1.0, bid.bid / cap_), first, second);
  for (const double cell : row) rank(cell, first_cell, second_cell);
  return second_cell < second;
}

Json LogTable::summary() const {
  Json slots = Json::array();
  for (std::size_t i = 0; i < names_.size(); ++i) {
    slots.push_back(Json::object({{"name", names_[i]}, {"auctions", filled_[i]}, {"pooled", i + pool_ >= names_.size()}}));
  }
  Json json = Json::object({{"log", name_}, {"cap", cap_}, {"largest_bid", largest_}});
  if (!plan_.cap) json.set("cap_quantile", plan_.quantile);
  if (!plan_.columns.currency.empty()) json.set("currency", plan_.columns.currency);
  json.set("slots", std::move(slots));
  json.set("rows", Json::object({{"read", tally_.rows}, {"used", tally_.used}, {"dropped", tally_.dropped_json()},
                                 {"superseded", tally_.superseded}, {"not_utf8", tally_.not_utf8},
                                 {"backwards_in_time", tally_.backwards}, {"cut_short", tally_.cut_short}}));
  json.set("auctions", Json::object({{"read", auctions_}, {"used", kept_}, {"empty", empty_}, {"few_bidders", few_}}));
  json.set("bids", Json::object({{"in_slots", slotted_}, {"clipped", clipped_}, {"pooled", pooled_}, {"left_out", left_out_}, {"tops_dropped", tops_}, {"seconds_hidden", hidden_}}));
  if (bidders_ > 0) json.set("bidders", bidders_);
  return json;
}

}  // namespace hannan
