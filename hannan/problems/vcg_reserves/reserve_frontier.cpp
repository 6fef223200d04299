// What one more outcome adds at least to every box of a frontier, and exactly to every point of it. For a box: the
// bidders whose lowest reserve is above their bid leave; all others stay, each at the highest reserve it reaches. The
// money of any action of the box is at most that, by the proof in reserve_boxes.hpp with an empty pair, so the loss is
// at least offset - scale * money / R. Boxes are stored as runs of positions (oracles/frontier.hpp). Cost: O(n + bids)
// a box.
#include "hannan/problems/vcg_reserves/reserve_frontier.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace hannan::detail {

namespace {

// The most that a profile can pay in a box.
double most_paid(const VcgReserves& p, const BidProfile& profile, std::span<const std::uint16_t> runs) {
  // Runs of a coordinate: their number r, then r pairs (first, last), rising. coordinates() is at most kMostBids.
  std::array<const std::uint16_t*, kMostBids> lists;  // by bidder, beginning with the number of runs
  const std::uint16_t* next = runs.data();
  for (std::size_t c = 0; c < p.coordinates(); ++c) {
    lists[c] = next;
    next += 1 + 2 * std::size_t{*next};
  }
  const Auction auction = p.auction();
  const auto leaves = [&](const RankedBid& bid) {
    return bid.bidder != kNoReserve && lists[static_cast<std::size_t>(bid.bidder)][1] >= bid.level;
  };
  // The highest reserve in the box that the bid reaches.
  const auto highest = [&](const RankedBid& bid) {
    if (bid.bidder == kNoReserve) return -std::numeric_limits<double>::infinity();
    const std::uint16_t* list = lists[static_cast<std::size_t>(bid.bidder)];
    std::size_t run = *list++ - std::size_t{1};
    // Position d is reserve d + 1, reached if d < level. The bid does not leave, so the first run begins below its
    // level and the loop stops at run 0 at the latest; the last position reached is the run's end or level - 1.
    while (list[2 * run] >= bid.level) --run;
    return p.reserve_price(bid.bidder, std::min<int>(list[2 * run + 1], bid.level - 1)) + profile.shift;
  };
  const auto units = static_cast<std::size_t>(p.units());
  std::size_t winners = 0, behind = 0;
  double price = profile.floor;
  for (; behind < profile.bids.size(); ++behind) {
    const RankedBid& bid = profile.bids[behind];
    if (leaves(bid)) continue;
    if (winners == units) {
      price = std::max(bid.bid, auction.reach(bid));
      break;
    }
    ++winners;
  }
  double sum = 0;
  for (std::size_t k = 0; k < behind; ++k) {
    if (!leaves(profile.bids[k])) sum += std::max(highest(profile.bids[k]), price);
  }
  return sum;
}

}  // namespace

void raise_frontier(const VcgReserves& p, const VcgReserves::Outcome& y, double weight, Frontier& frontier) {
  const auto ranked = p.prepare(y);
  for (std::size_t k = 0; k < frontier.size(); ++k) {
    // A negative weight turns the inequality around: the loss is at most that of earning nothing.
    const double most = weight > 0 ? ranked.scale * most_paid(p, ranked, frontier.runs(k)) : 0.0;
    frontier.raise(k, weight * (ranked.offset - most / p.normaliser()));
  }
  VcgReserves::Action x;
  for (Found& point : frontier.points) {
    p.action_at(point.positions, x);
    point.value += weight * p.loss_prepared(x, ranked);
  }
}

}  // namespace hannan::detail
