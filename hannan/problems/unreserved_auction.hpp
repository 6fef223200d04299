// An auction in which nothing is asked for but an opening bid, for s units and the highest bid of each bidder: the bids
// that reach the opening bid o count, the s highest of them win, and each pays max(highest losing bid, o). Of a
// purchase the s lowest asks up to the outside price V win, and each is paid the lowest losing ask, or V; a unit that
// is not bought costs V.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace hannan::detail {

// What the sale brings. Costs n log s for n bids.
double rule_money(std::span<const double> bids, std::uint64_t units, double opening);
// What the purchase costs.
double rule_cost(std::span<const double> asks, std::uint64_t units, double outside);

// Puts the `most` highest bids first, in falling order.
void highest_first(std::span<const double> bids, std::uint64_t most, std::vector<double>& sorted);

}  // namespace hannan::detail
