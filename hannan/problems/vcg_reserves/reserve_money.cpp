// Rounds in money to outcomes (lists of numbers), and outcomes to ranked profiles in forward money; the transformations
// are in reserve_money.hpp and docs/theory.md, money. Invariant: outcome(round_of(y)) == y for every outcome y that was
// made here; allows() tests exactly that. Cost: O(bids log bids) a round.
#include "hannan/problems/vcg_reserves/reserve_money.hpp"

#include <algorithm>
#include <cassert>
#include <functional>
#include <string>
#include <utility>

#include "hannan/core/error.hpp"
#include "hannan/core/expect.hpp"
#include "hannan/core/text.hpp"

namespace hannan::detail {

namespace {

// A bid that misses a price by less than this part of it is at the price: decimal prices times rates are rounded.
constexpr double kSlack = PriceList::kSlack;

// Shares from 1 downwards, or ceilings: positive and falling by more than a millionth.
void expect_falling(const std::vector<double>& list, bool shares, const std::string& part) {
  const auto refuse = [](const std::string& what, const std::string& at) { throw Error(Code::kOutOfRange, what, at); };
  if (list.empty() || list.size() > PriceList::kMostPrices) {
    refuse("found " + std::to_string(list.size()) + " entries, expected 1 to " + std::to_string(PriceList::kMostPrices),
           part);
  }
  expect_numbers(list, {kPositive.lo, shares ? 1.0 : kAnyMoney.hi}, part);
  if (shares && list.front() != 1)
    refuse("found " + number_text(list.front()) + " as the first share, expected 1, which stands for \"no ceiling\"",
           path_of(part, 0));
  for (std::size_t z = 1; z < list.size(); ++z) {
    if (list[z - 1] - list[z] <= PriceList::kLeastRatio * list[z - 1]) {
      refuse("found " + number_text(list[z]) + " after " + number_text(list[z - 1]) +
                 ", expected entries that fall by more than a millionth",
             path_of(part, z));
    }
  }
}

[[noreturn]] void refuse_outcome(const std::string& what, const std::string& at) {
  throw Error(Code::kBadOutcome, what, at);
}

}  // namespace

// reserves_[i] rises in all scales: prices as they are, shares as 1 - share, ceilings as minus the ceiling. Purchases
// become sales that way, with the saving as the revenue.
ReserveMoney::ReserveMoney(Parts parts) : parts_(std::move(parts)) {
  if (parts_.cap) expect_number(*parts_.cap, {kPositive.lo, kAnyMoney.hi}, "cap");
  const auto within_cap = [&](double price, const std::string& part) {
    if (!parts_.cap || price <= *parts_.cap) return;
    throw Error(Code::kOutOfRange,
                "found " + number_text(price) + " above the cap " + number_text(*parts_.cap) +
                    ", expected none above it: no bid would reach it",
                part);
  };
  for (const auto& list : parts_.prices) {
    within_cap(list.top(), "prices");
    reserves_.emplace_back(list.prices().begin(), list.prices().end());
  }
  const bool shares = parts_.scale == Scale::kShares;
  for (std::size_t i = 0; reverse() && i < parts_.falling.size(); ++i) {
    expect_falling(parts_.falling[i], shares, path_of(shares ? "shares" : "ceilings", i));
    if (!shares) within_cap(parts_.falling[i].front(), "ceilings");
    auto& rising = reserves_.emplace_back();
    for (const double entry : parts_.falling[i]) rising.push_back(shares ? 1 - entry : -entry);
  }
}

// What a round must be, whoever wrote it; the limits state the part of the outcome that is wrong. In a reverse auction
// `bids` are asks, and an ask above the cap is not refused: kept() leaves it out where it exceeds what the unit costs
// elsewhere.
void ReserveMoney::check_round(const ReserveBids& round) const {
  if (round.bids.size() != bidders()) {
    refuse_outcome("found bids of " + std::to_string(round.bids.size()) + ", expected one entry per bidder, " +
                       std::to_string(bidders()),
                   "bids");
  }
  // A bid that exceeds the cap by rounding alone is at it.
  const double most = parts_.cap && !reverse() ? *parts_.cap * (1 + kSlack) : kAnyMoney.hi;
  const auto check = [&](double bid, const std::string& at) {
    if (bid >= 0 && bid <= most) return;
    refuse_outcome(
        "found " + (bid == bid ? number_text(bid) : "a NaN") + ", expected a number in [0," + number_text(most) + "]",
        at);
  };
  for (std::size_t i = 0; i < round.bids.size(); ++i) {
    for (const double bid : round.bids[i]) check(bid, path_of("bids", i));
  }
  for (const double bid : round.others) check(bid, "others");
  check(round.opening, "opening");
  if (reverse()) {
    const double largest = parts_.cap ? *parts_.cap * (1 + kSlack) : kAnyMoney.hi;
    if (!(round.outside > 0 && round.outside <= largest))
      refuse_outcome("found " + number_text(round.outside) + ", expected what a unit costs that is not bought, in (0," +
                         number_text(largest) + "]",
                     "outside");
    if (round.opening != 0) refuse_outcome("found an opening bid, expected none in a reverse auction", "opening");
  } else if (round.outside != 0) {
    refuse_outcome("found a price outside, expected none: it belongs to reverse auctions", "outside");
  }
}

// Those that can matter, best first.
std::vector<double> ReserveMoney::kept(const std::vector<double>& bids, const ReserveBids& round) const {
  std::vector<double> some;
  for (const double bid : bids) {
    const bool counts =
        reverse() ? bid <= round.outside * (1 + kSlack) : bid > 0 && bid * (1 + kSlack) >= round.opening;
    if (counts) some.push_back(bid + 0.0);  // no negative zero
  }
  if (reverse()) {
    std::sort(some.begin(), some.end());
  } else {
    std::sort(some.begin(), some.end(), std::greater<>());
  }
  // s + 1 bids of one bidder leave at the same reserve or not at all, so those behind never win or set a price.
  if (some.size() > static_cast<std::size_t>(parts_.units)) some.resize(static_cast<std::size_t>(parts_.units) + 1);
  return some;
}

// The short form, one bid for each bidder, where nothing else is needed; else the long one: limit, then for each bidder
// and for the others a count and so many bids.
std::vector<double> ReserveMoney::outcome(const ReserveBids& round) const {
  check_round(round);
  bool plain = !reverse() && round.opening == 0;
  std::vector<double> bids(bidders(), 0.0), all{reverse() ? round.outside : round.opening};
  std::size_t count = 0;
  const auto add = [&](const std::vector<double>& some) {
    count += some.size();
    all.push_back(static_cast<double>(some.size()));
    all.insert(all.end(), some.begin(), some.end());
  };
  for (std::size_t i = 0; i < bidders(); ++i) {
    const auto some = kept(round.bids[i], round);
    if (some.size() > 1) plain = false;
    if (!some.empty()) bids[i] = some.front();
    add(some);
  }
  const auto others = kept(round.others, round);
  add(others);
  if (count > static_cast<std::size_t>(kMostRanked)) {
    refuse_outcome(
        "found " + std::to_string(count) + " bids that can matter, expected at most " + std::to_string(kMostRanked),
        "bids");
  }
  return plain && others.empty() ? bids : all;
}

// The inverse of outcome() on what outcome() makes. at() throws std::out_of_range on a list that is cut short; callers
// check with allows() what they did not make.
ReserveBids ReserveMoney::round_of(const std::vector<double>& outcome) const {
  ReserveBids round;
  // The long form has bidders() + 1 counts and one number before them, so the size tells the two forms apart.
  if (outcome.size() == bidders()) {
    for (const double bid : outcome) round.bids.push_back(bid > 0 ? std::vector{bid} : std::vector<double>());
    return round;
  }
  (reverse() ? round.outside : round.opening) = outcome.at(0);
  std::size_t at = 1;
  const auto next = [&] {
    const auto size = static_cast<std::size_t>(outcome.at(at++));
    std::vector<double> bids;
    for (std::size_t k = 0; k < size; ++k) bids.push_back(outcome.at(at++));
    return bids;
  };
  for (std::size_t i = 0; i < bidders(); ++i) round.bids.push_back(next());
  round.others = next();
  return round;
}

// Asked of saved states. Never throws: counts are checked before the list is taken apart, and round_of and outcome then
// run on a list of the right length.
bool ReserveMoney::allows(const std::vector<double>& found) const {
  // The counts first, so that the list can be read at all.
  std::size_t at = 1;
  for (std::size_t i = 0; found.size() != bidders() && i <= bidders(); ++i) {
    if (at >= found.size() || !(found[at] >= 0 && found[at] <= kMostRanked)) return false;
    // A count that is no whole number is cut off here, and the comparison below refuses it.
    at += 1 + static_cast<std::size_t>(found[at]);
  }
  if (found.size() != bidders() && at != found.size()) return false;
  try {
    return outcome(round_of(found)) == found;
  } catch (const Error&) {
    return false;
  }
}

// `limit` is the opening bid or V.
RankedBid ReserveMoney::ranked_bid(double bid, int bidder, double limit) const {
  const auto i = static_cast<std::size_t>(bidder);
  RankedBid out{.bid = bid, .level = 0, .bidder = bidder};
  if (parts_.scale == Scale::kPrices) {
    out.bid = std::max(bid, limit);  // one that misses the opening bid by rounding alone is at it
    if (bidder == kNoReserve) return out;
    const auto z = parts_.prices[i].position(out.bid);
    out.bid = std::max(out.bid, parts_.prices[i][z]);
    out.level = static_cast<int>(z) + 1;
    return out;
  }
  const bool shares = parts_.scale == Scale::kShares;
  const double cost = std::min(bid, limit);
  out.bid = shares ? 1 - cost / limit : limit - cost;
  if (bidder == kNoReserve) return out;
  const auto& falling = parts_.falling[i];
  const auto ceiling = [&](double entry) { return shares ? entry * limit : entry; };
  // Ceilings fall, so the ones that the ask does not exceed come first: their number is the level.
  const auto reached = std::partition_point(falling.begin(), falling.end(),
                                            [&](double entry) { return cost <= ceiling(entry) * (1 + kSlack); });
  out.level = static_cast<int>(reached - falling.begin());
  if (out.level > 0) {
    const double reserve = reserves_[i][static_cast<std::size_t>(out.level) - 1] + (shares ? 0.0 : limit);
    out.bid = std::max(out.bid, reserve);
  }
  return out;
}

// Costs become savings in reverse auctions: a share 1 - ask/V in units of V (scale), or V - ask with reserves moved by
// V (shift). offset is what the loss is without any sale.
RankedBids ReserveMoney::ranked(const std::vector<double>& outcome) const {
  RankedBids out;
  out.offset = parts_.cap ? 1.0 : 0.0;
  const auto add = [&](double bid, int bidder, double limit) {
    const RankedBid ranked = ranked_bid(bid, bidder, limit);
    // A bid of 0 is none. One that reaches no reserve leaves, but sets a price where reserves do not matter.
    const bool leaves = bidder != kNoReserve && ranked.level == 0 && !parts_.lazy;
    if (ranked.bid > 0 && !leaves) out.push_back(ranked);
  };
  if (outcome.size() == bidders()) {
    for (std::size_t i = 0; i < outcome.size(); ++i) add(outcome[i], static_cast<int>(i), 0.0);
    sort_bids(out);
    return out;
  }
  const double limit = outcome[0];
  if (reverse()) {
    out.offset = parts_.units * limit / normaliser();
    if (parts_.scale == Scale::kShares) out.scale = limit;
    if (parts_.scale == Scale::kCeilings) out.shift = limit;
  } else {
    out.floor = limit;
  }
  std::size_t at = 1;
  for (std::size_t i = 0; i <= bidders(); ++i) {
    const auto size = static_cast<std::size_t>(outcome[at++]);
    const int bidder = i < bidders() ? static_cast<int>(i) : kNoReserve;
    out.several = out.several || (i < bidders() && size > 1);
    for (std::size_t k = 0; k < size; ++k) add(outcome[at++], bidder, limit);
  }
  sort_bids(out);
  return out;
}

// For perturbations: one bidder's reserves from 0 on, and the round in which a bidder bids alone against equal others.
std::vector<double> ReserveMoney::lone_prices(std::size_t bidder) const {
  std::vector<double> prices = reserves_[bidder];
  const double lowest = prices.front();  // ceilings: V is the highest
  for (double& price : prices) price -= lowest;
  return prices;
}

double ReserveMoney::lone_outside(std::size_t bidder) const {
  return parts_.scale == Scale::kCeilings ? parts_.falling[bidder].front() : parts_.cap.value_or(1.0);
}

double ReserveMoney::lone_scale(std::size_t bidder) const {
  return (parts_.scale == Scale::kShares ? lone_outside(bidder) : 1.0) / normaliser();
}

std::vector<double> ReserveMoney::lone_outcome(const LoneBid& lone) const {
  ReserveBids round;
  round.bids.resize(bidders());
  const double outside = lone_outside(lone.bidder);
  const auto given = [&](double bid) {
    return parts_.scale == Scale::kPrices ? bid : parts_.scale == Scale::kShares ? outside * (1 - bid) : outside - bid;
  };
  round.bids[lone.bidder] = {given(lone.bid)};
  round.others.assign(lone.count, given(lone.other));
  if (reverse()) round.outside = outside;
  return outcome(round);
}

}  // namespace hannan::detail
