// SeenRounds is a set of 64-bit digests with linear probing: a power of two of slots, at most half of them full, so
// that a search ends at an empty one soon; 0 marks an empty slot, and a digest of 0 is taken as 1. LogRounds reads one
// row ahead (pending_): the first row of the next round is what ends the one before.
#include "hannan/bidlog/rounds.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "hannan/core/digest.hpp"
#include "hannan/core/error.hpp"

namespace hannan::detail {

// Ends, because grow() keeps at least half of the slots empty. slots_.size() is a power of two here, so that & mask is
// modulo.
bool SeenRounds::place(std::uint64_t print) {
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t i = static_cast<std::size_t>(print) & mask;; i = (i + 1) & mask) {
    if (slots_[i] == print) return false;
    if (slots_[i] != 0) continue;
    slots_[i] = print;
    return true;
  }
}

void SeenRounds::grow() {
  auto old = std::move(slots_);
  // 1024 is chosen: 8 KiB, and a power of two, which doubling keeps and the mask of place() needs.
  slots_.assign(std::max<std::size_t>(1024, 2 * old.size()), 0);
  for (const auto print : old) {
    if (print != 0) place(print);
  }
}

// True for a name that is new. Two names with one digest would be taken for one round: with a million rounds that has a
// probability of about 3e-8 (n^2 / 2^65).
bool SeenRounds::add(std::string_view name) {
  if (2 * (used_ + 1) > slots_.size()) grow();
  Digest digest;
  digest.add(name);
  const std::uint64_t print = std::max<std::uint64_t>(1, digest.value());
  const bool fresh = place(print);
  used_ += fresh ? 1 : 0;
  return fresh;
}

LogRounds::LogRounds(std::unique_ptr<LogRows> rows, Setting setting)
    : rows_(std::move(rows)),
      name_(std::move(setting.name)),
      again_(setting.again),
      split_(setting.split),
      repeats_(setting.repeats),
      tally_(setting.tally),
      by_(setting.by),
      keep_rows_(setting.rows) {}

// The next auction: a round, or with items the next item of a round. Facts of the item count before those of the round.
bool LogRounds::next(std::vector<LogBid>& bids) {
  while (at_ == auctions_.size()) {
    if (!read_round()) return false;
  }
  bids = std::move(auctions_[at_++]);
  facts_ = {};
  if (!all_facts_.empty()) {
    const bool by_item = split_ == Split::kByItem && !bids.empty();
    const auto own = all_facts_.find(by_item ? bids.front().item : std::string());
    const auto round = all_facts_.find("");
    if (own != all_facts_.end()) facts_ = std::move(own->second);
    if (round != all_facts_.end() && !facts_.opening) facts_.opening = round->second.opening;
    if (round != all_facts_.end() && !facts_.paid) facts_.paid = round->second.paid;
    if (round != all_facts_.end() && !facts_.outside) facts_.outside = round->second.outside;
  }
  if (by_ == 0) return true;
  auto known = bids.empty() ? contexts_.end() : contexts_.find(bids.front().item);
  if (known == contexts_.end()) known = contexts_.find("");
  if (known != contexts_.end()) {
    context_ = known->second;
  } else {
    context_.values.assign(by_, "");
    context_.cells.assign(by_, "");
  }
  return true;
}

// The first row of an auction says its context; later ones that say another are counted and not used.
void LogRounds::take_context(const LogRow& row) {
  if (!row.context) return;
  const std::string_view item = split_ == Split::kByItem ? row.item : std::string_view();
  const auto known = contexts_.find(std::string(item));
  if (known == contexts_.end()) {
    contexts_.emplace(item, LogContext{row.context->values(), row.context->raw()});
  } else if (known->second.values != row.context->values()) {
    tally_.differs(name_ + ": row " + std::to_string(tally_.rows),
                   "the context " + dump(Json(row.context->values())) + " in round " + dump(Json(row.round)) +
                       ", expected " + dump(Json(known->second.values)) + " as in its first row");
  }
}

// The first row that says it counts.
void LogRounds::take_facts(const LogRow& row) {
  const bool row_kept = keep_rows_ != Setting::Rows::kForget && row.bid;
  if (!row.opening && !row.paid && !row.outside && !row_kept) return;
  AuctionFacts& known = all_facts_[split_ == Split::kByItem ? std::string(row.item) : std::string()];
  bool differs = false;
  const auto keep = [&](std::optional<double>& fact, const std::optional<double>& found) {
    differs |= fact && found && *fact != *found;
    if (!fact) fact = found;
  };
  keep(known.opening, row.opening);
  keep(known.outside, row.outside);
  if (row_kept) {
    known.rows.push_back({.bid = *row.bid,
                          .demand = row.demand,
                          .won = row.won,
                          .paid = row.paid,
                          .value = row.value,
                          .who = std::string(row.who)});
  }
  // What a row paid need not be what its auction brought.
  if (!known.paid) known.paid = row.paid;
  differs = differs || (keep_rows_ != Setting::Rows::kPaidEach && !row.won && row.paid && *known.paid != *row.paid);
  if (differs) ++tally_.baseline_differs;
}

// Facts and the time are taken from every row, also from one without a bid; raw_ holds the rows with one.
void LogRounds::take(const LogRow& row) {
  take_facts(row);
  if (time_.empty()) time_.assign(row.time);
  if (!row.bid) return;
  if (raw_.size() == kMostRows) {
    throw Error(Code::kTooLarge,
                "found more than " + std::to_string(kMostRows) + " rows of round " + dump(Json(row.round)) +
                    ", expected fewer; is --round the right column?",
                name_);
  }
  raw_.push_back({std::string(row.item), std::string(row.who), std::string(row.segment), *row.bid, row.quantity,
                  row.won.value_or(0), row.value.value_or(0)});
}

// All rows of one round. A round that came before is refused, dropped or new, as the flag says: rows of one round must
// stand together, or a log would have to be held in memory.
bool LogRounds::read_round() {
  if (done_ || (!pending_ && !rows_->next(row_))) return false;
  round_.assign(row_.round);
  raw_.clear();
  contexts_.clear();
  all_facts_.clear();
  time_.clear();
  dropped_ = false;
  if (!seen_.add(round_) && again_ != Again::kNew) {
    if (again_ == Again::kRefuse) {
      throw Error(
          Code::kMalformed,
          "found round " + dump(Json(round_)) + " again after other rounds (row " + std::to_string(tally_.rows) +
              "), expected the rows of a round together; three remedies: --sort-by COLUMN (puts each round together "
              "and the rounds in order of a column such as the time), --again new (these rows are another round), "
              "--again drop (they are left out)",
          name_);
    }
    dropped_ = true;
  }
  do {
    // row_ is the first row not taken yet, and it is of this round.
    if (!dropped_) take_context(row_);
    take(row_);
    if (dropped_ && row_.bid) {
      --tally_.used;
      tally_.drop(Drop::kAgain, name_ + ": row " + std::to_string(tally_.rows), "round " + round_ + " again");
    }
    pending_ = rows_->next(row_);
    done_ = !pending_;
  } while (pending_ && row_.round == round_);
  auctions_.clear();
  at_ = 0;
  const std::uint64_t superseded = tally_.superseded, duplicates = tally_.duplicates;
  if (repeats_ != Repeats::kAll) keep_best();
  if (dropped_) {  // all of its rows are counted as dropped
    tally_.superseded = superseded;
    tally_.duplicates = duplicates;
  }
  if (split_ == Split::kByItem) {
    split_by_item();
  } else {
    auctions_.push_back(std::move(raw_));
  }
  return true;
}

// Keeps each bidder's highest (or lowest) bid on an item, where its first stood. A bid that the bidder made before is a
// duplicate, all others are superseded. By sorting, so that a log that is one giant round costs n log n.
void LogRounds::keep_best() {
  std::vector<std::size_t> order(raw_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto differ = [&](std::size_t a, std::size_t b) {
    return raw_[a].item != raw_[b].item || raw_[a].who != raw_[b].who || raw_[a].who.empty();
  };
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (const int c = raw_[a].item.compare(raw_[b].item); c != 0) return c < 0;
    if (const int c = raw_[a].who.compare(raw_[b].who); c != 0) return c < 0;
    return a < b;
  });
  const std::uint64_t repeated = repeated_bids(order);
  tally_.duplicates += repeated;
  std::vector<std::size_t> kept;  // the first row of each bidder, which takes the best bid and its segment
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i == 0 || differ(kept.back(), order[i])) {
      kept.push_back(order[i]);
      continue;
    }
    LogBid& first = raw_[kept.back()];
    LogBid& later = raw_[order[i]];
    if (repeats_ == Repeats::kLowest ? later.bid < first.bid : later.bid > first.bid) {
      first.bid = later.bid;
      first.segment = std::move(later.segment);
    }
    ++tally_.superseded;
  }
  tally_.superseded -= repeated;
  // kept is sorted and has no place twice, so kept[i] >= i: rows move to the front and none is overwritten before it
  // moved.
  if (kept.size() == raw_.size()) return;
  std::sort(kept.begin(), kept.end());
  for (std::size_t i = 0; i < kept.size(); ++i) {
    if (i != kept[i]) raw_[i] = std::move(raw_[kept[i]]);
  }
  raw_.resize(kept.size());
}

// Rows whose bid the same bidder made before on the same item. In `order` the rows of one stand together.
std::uint64_t LogRounds::repeated_bids(const std::vector<std::size_t>& order) const {
  std::uint64_t repeated = 0;
  std::vector<double> bids;
  const auto count = [&] {
    std::sort(bids.begin(), bids.end());
    repeated += static_cast<std::uint64_t>(bids.end() - std::unique(bids.begin(), bids.end()));
    bids.clear();
  };
  for (std::size_t i = 0; i < order.size(); ++i) {
    const LogBid& bid = raw_[order[i]];
    if (i > 0 && (bid.who.empty() || bid.who != raw_[order[i - 1]].who || bid.item != raw_[order[i - 1]].item)) count();
    bids.push_back(bid.bid);
  }
  count();
  return repeated;
}

// Items in order of first appearance.
// Rows of one item mostly stand together, so that the last home is looked at before the map.
void LogRounds::split_by_item() {
  std::unordered_map<std::string, std::size_t> homes;  // item -> its auction
  std::size_t home = 0;
  for (LogBid& bid : raw_) {
    if (auctions_.empty() || auctions_[home].front().item != bid.item) {
      home = homes.emplace(bid.item, auctions_.size()).first->second;
      if (home == auctions_.size()) auctions_.emplace_back();
    }
    auctions_[home].push_back(std::move(bid));
  }
  if (auctions_.empty()) auctions_.emplace_back();
}

}  // namespace hannan::detail
