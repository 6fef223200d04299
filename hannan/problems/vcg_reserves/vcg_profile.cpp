// Ranking of bids and the response of revenue to one reserve (formula in vcg_profile.hpp). Costs: ranking O(n log n);
// revenue and respond O(bids looked at), which ends at the (s+1)-th who stays; a curve O(1) to add to and O(m) to read.
#include "hannan/problems/vcg_reserves/vcg_profile.hpp"

#include <algorithm>
#include <utility>

#include "hannan/core/tolerance.hpp"

namespace hannan::detail {

void sort_bids(RankedBids& bids) {
  // A total order for one bid a bidder. kNoReserve (-1) as unsigned is the largest number and comes last.
  const auto precedes = [](const RankedBid& a, const RankedBid& b) {
    return a.bid != b.bid ? a.bid > b.bid : static_cast<unsigned>(a.bidder) < static_cast<unsigned>(b.bidder);
  };
  constexpr std::size_t kFew = 8;  // sorted by insertion here, in half the time
  if (bids.size() > kFew) return std::sort(bids.begin(), bids.end(), precedes);
  for (RankedBid* next = bids.begin(); next != bids.end(); ++next) {
    for (RankedBid* at = next; at != bids.begin() && precedes(*at, at[-1]); --at) std::swap(*at, at[-1]);
  }
}

RankedBids rank_bids(std::span<const double> bids, int levels) {
  RankedBids ranked;
  for (std::size_t i = 0; i < bids.size(); ++i) {
    // floor(m b + kGridSlack), at most m: 0.29 * 100 must reach 29 (core/tolerance.hpp).
    const int level =
        std::min(levels, static_cast<int>(levels * bids[i] + kGridSlack));  // cut off: bids are not negative
    if (level >= 1) ranked.push_back({bids[i], level, static_cast<int>(i)});
  }
  sort_bids(ranked);
  return ranked;
}

int Auction::level_of(int bidder, double price, double shift, int level) const {
  if (!prices) return level;
  const auto& own = (*prices)[static_cast<std::size_t>(bidder)];
  const auto above = std::partition_point(own.begin(), own.end(), [&](double p) { return p + shift <= price; });
  return static_cast<int>(above - own.begin());
}

namespace {

// Bids that stay, in order.
struct Stayed {
  const RankedBid* at[kMostRanked];
  double reserve[kMostRanked];
  std::size_t size = 0;
  double floor = 0;

  double bid(std::size_t k) const { return k < size ? at[k]->bid : floor; }
  // What the first `winners` pay in all at a common price.
  double paid(std::size_t winners, double price) const {
    double sum = 0;
    for (std::size_t k = 0; k < winners; ++k) sum += std::max(reserve[k], price);
    return sum;
  }
};

// respond() for one unit, where most of the time goes.
Response respond_single(const BidProfile& profile, std::span<const int> reserves, const Auction& auction, int bidder) {
  const RankedBid* first = nullptr;  // of the others who stay
  const RankedBid* own = nullptr;
  const RankedBid* second = nullptr;  // of the bidder's own
  const RankedBid* next = nullptr;
  bool own_leads = false;
  for (const auto& r : profile.bids) {
    if (r.bidder == bidder) {
      if (own) {
        if (!second) second = &r;
      } else {
        own = &r;
        own_leads = first == nullptr;
      }
    } else if (auction.stays(r, reserves)) {
      if (first) {
        next = &r;
        break;
      }
      first = &r;
    }
  }
  // Three cases. The bidder is absent: the first of the others pays max(own reserve, next bid). It leads: it pays its
  // reserve or the first other bid (or its own second one). It does not lead: it can only raise the price of the first,
  // at every reserve that it reaches, so the payment does not depend on z: price_level = levels.
  const double behind = next ? next->bid : profile.floor;
  const double reserve = first ? auction.price(*first, reserves, profile.shift) : 0.0;
  Response out{.excluded = first ? std::max(reserve, behind) : 0.0, .shift = profile.shift};
  if (!own) return out;
  out.own_level = own->level;
  if (own_leads) {
    if (second && (!first || second->bid > first->bid)) first = second;
    out.price = first ? first->bid : profile.floor;
    out.price_level = auction.level_of(bidder, out.price, profile.shift, first ? first->level : 0);
  } else {
    out.price = std::max(reserve, std::max(own->bid, behind));
    out.price_level = auction.levels;
  }
  return out;
}

}  // namespace

// Two passes over the bids up to the (s+1)-th who stays: the first finds the price that all pay at least, the second
// adds the greater of it and each winner's reserve.
double revenue(const BidProfile& profile, std::span<const int> reserves, const Auction& auction) {
  // Winners are met before the price they pay is known; the price first, then what they pay.
  const auto units = static_cast<std::size_t>(auction.units);
  std::size_t stayed = 0, behind = 0;  // the first bid that no winner has
  double price = profile.floor;
  for (; behind < profile.bids.size(); ++behind) {
    const RankedBid& r = profile.bids[behind];
    if (!auction.stays(r, reserves)) continue;
    if (stayed == units) {
      price = r.bid;
      break;
    }
    ++stayed;
  }
  double sum = 0;
  for (std::size_t k = 0; k < behind; ++k) {
    const RankedBid& r = profile.bids[k];
    if (auction.stays(r, reserves)) sum += std::max(auction.price(r, reserves, profile.shift), price);
  }
  return sum;
}

// The others who stay are collected up to the (s+1)-th; with the bidder among the first s the s-th of them is the
// highest loser, without it the (s+1)-th is.
Response respond(const BidProfile& profile, std::span<const int> reserves, const Auction& auction, int bidder) {
  if (auction.units == 1) return respond_single(profile, reserves, auction, bidder);
  const auto units = static_cast<std::size_t>(auction.units);
  Stayed stayed;  // its arrays are not cleared
  stayed.floor = profile.floor;
  const RankedBid* own = nullptr;
  std::size_t ahead = 0;  // others who stay and stand before the bidder
  for (const auto& r : profile.bids) {
    if (r.bidder == bidder) {
      if (own) continue;
      own = &r;
      ahead = stayed.size;
    } else if (auction.stays(r, reserves)) {
      stayed.at[stayed.size] = &r;
      stayed.reserve[stayed.size++] = auction.price(r, reserves, profile.shift);
      if (stayed.size > units) break;
    }
  }
  // stayed has at most units + 1 entries: those behind cannot win or set a price, with or without the bidder.
  const std::size_t winners = std::min(units, stayed.size);
  const double runner_up = stayed.bid(units);
  Response out{.excluded = stayed.paid(winners, runner_up), .shift = profile.shift};
  if (!own) return out;  // absent, or below a loser: its bid does not matter
  out.own_level = own->level;
  // It wins, and so does one fewer of the others: the units-th of them sets the price. Otherwise all winners are
  // others, and its bid, if it stays, is the new highest losing one at most.
  if (ahead < units) {
    out.price = stayed.bid(units - 1);
    const int level = stayed.size >= units ? stayed.at[units - 1]->level : 0;
    out.price_level = auction.level_of(bidder, out.price, profile.shift, level);
    out.base = stayed.paid(std::min(units - 1, stayed.size), out.price);
  } else {
    out.price = stayed.paid(winners, std::max(own->bid, runner_up));
    out.price_level = auction.levels;
  }
  return out;
}

void ResponseCurve::clear() {
  std::fill(flat_.begin(), flat_.end(), 0.0);
  std::fill(slope_.begin(), slope_.end(), 0.0);
}

void ResponseCurve::add(const Response& r, double weight) {
  // 1 <= turn <= end <= levels + 1, and the arrays have levels + 2 entries. [1, turn): base + price; [turn, end): base
  // + the z-th reserve + shift; from end on: excluded.
  const auto end = static_cast<std::size_t>(r.own_level) + 1;
  const auto turn = static_cast<std::size_t>(std::min(r.price_level, r.own_level)) + 1;
  flat_[1] += weight * (r.base + r.price);
  const double shift = turn < end ? r.shift : 0.0;
  flat_[turn] -= weight * (r.price - shift);
  flat_[end] += weight * (r.excluded - r.base - shift);
  slope_[turn] += weight;  // turn = end: never above the price, and the two cancel
  slope_[end] -= weight;
}

// Prefix sums of both difference arrays give constant and slope at every reserve.
void ResponseCurve::read(std::span<double> out) const {
  const auto levels = static_cast<double>(out.size());
  double flat = 0, slope = 0;
  for (std::size_t z = 1; z <= out.size(); ++z) {
    flat += flat_[z];
    slope += slope_[z];
    out[z - 1] = flat + (prices_ ? slope * (*prices_)[z - 1] : slope * static_cast<double>(z) / levels);
  }
}

}  // namespace hannan::detail
