#include "hannan/problems/unreserved_auction.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>

namespace hannan::detail {

void highest_first(std::span<const double> bids, std::uint64_t most, std::vector<double>& sorted) {
  sorted.assign(bids.begin(), bids.end());
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(most, sorted.size()));
  std::partial_sort(sorted.begin(), middle, sorted.end(), std::greater<>());
}

// `in` counts the bids that reach the opening bid, at most units + 1: in > units means that there is a losing one,
// sorted[units].
double rule_money(std::span<const double> bids, std::uint64_t units, double opening) {
  std::vector<double> sorted;
  highest_first(bids, units + 1, sorted);
  std::uint64_t in = 0;  // winners and the first loser that reach the opening bid
  while (in < sorted.size() && in <= units && sorted[in] >= opening) ++in;
  const double losing = in > units ? sorted[units] : 0;
  return static_cast<double>(std::min(in, units)) * std::max(losing, opening);
}

// The same with asks up to the outside price; units that are not bought are paid for at that price.
double rule_cost(std::span<const double> asks, std::uint64_t units, double outside) {
  std::vector<double> sorted;
  for (const double ask : asks) {
    if (ask <= outside) sorted.push_back(ask);
  }
  std::sort(sorted.begin(), sorted.end());
  const std::uint64_t bought = std::min<std::uint64_t>(units, sorted.size());
  const double price = sorted.size() > units ? sorted[units] : outside;
  return static_cast<double>(bought) * price + static_cast<double>(units - bought) * outside;
}

}  // namespace hannan::detail
