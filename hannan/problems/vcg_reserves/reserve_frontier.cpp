#include "hannan/problems/vcg_reserves/reserve_frontier.hpp"

#include <algorithm>
#include <array>

namespace hannan::detail {

namespace {

// The most that a profile can pay in a box.
double most_paid(const VcgReserves& p, std::span<const RankedBid> ranked, std::span<const std::uint16_t> runs) {
  std::array<const std::uint16_t*, kMostBids> lists;  // by bidder, beginning with the number of runs
  const std::uint16_t* next = runs.data();
  for (std::size_t c = 0; c < p.coordinates(); ++c) {
    lists[c] = next;
    next += 1 + 2 * std::size_t{*next};
  }
  const auto units = static_cast<std::size_t>(p.units());
  std::array<double, kMostBids> reserves;
  std::size_t winners = 0;
  double price = 0;
  for (const RankedBid& bid : ranked) {
    const std::uint16_t* list = lists[static_cast<std::size_t>(bid.bidder)];
    const std::size_t count = *list++;
    if (list[0] >= bid.level) continue;  // position d is reserve d + 1: it leaves
    if (winners == units) {
      price = std::max(bid.bid, static_cast<double>(bid.level) / p.levels());
      break;
    }
    std::size_t run = count - 1;
    while (list[2 * run] >= bid.level) --run;
    reserves[winners++] = static_cast<double>(std::min<int>(list[2 * run + 1], bid.level - 1) + 1) / p.levels();
  }
  double sum = 0;
  for (std::size_t k = 0; k < winners; ++k) sum += std::max(reserves[k], price);
  return sum;
}

}  // namespace

void raise_frontier(const VcgReserves& p, const VcgReserves::Outcome& y, double weight, Frontier& frontier) {
  const auto ranked = p.prepare(y);
  const std::span<const RankedBid> bids(ranked.begin(), ranked.end());
  for (std::size_t k = 0; k < frontier.size(); ++k) {
    const double least = weight > 0 ? 1 - most_paid(p, bids, frontier.runs(k)) / p.normaliser() : 1.0;
    frontier.raise(k, weight * least);
  }
  VcgReserves::Action x;
  for (Found& point : frontier.points) {
    p.action_at(point.positions, x);
    point.value += weight * p.loss_prepared(x, bids);
  }
}

}  // namespace hannan::detail
