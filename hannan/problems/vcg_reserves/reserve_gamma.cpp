// Ranges and gammas of reserves in money (docs/theory.md, money: range and gamma).
//
// limits(): between which numbers the money of a round lies over all reserves. gamma(): the norm of hedge vectors over
// that range, per outcome or for all outcomes; proofs in docs/theory.md under money. Where payments are sums over
// bidders, each with its own reserve (lazy, or no more bids than units), the largest norm of one bidder serves;
// otherwise bidders are hedged together and norms add up. Cost: O(bids * reserves of a bidder).
#include <algorithm>
#include <bit>
#include <cmath>
#include <set>

#include "hannan/problems/vcg_reserves/reserve_money.hpp"

namespace hannan::detail {

namespace {

// ceil(log2 values) for values >= 1: the width of the binary code of the positions.
double bits_of(std::size_t values) { return static_cast<double>(std::bit_width(values - 1)); }

// max over z >= 1 of p_z / (p_z - p_(z-1)): prices rise from p_0 = 0, so no difference is 0.
double steepness_of(const std::vector<double>& prices) {
  double most = 1;
  for (std::size_t z = 1; z < prices.size(); ++z) most = std::max(most, prices[z] / (prices[z] - prices[z - 1]));
  return most;
}

// The price of the winners where none of them minds its reserve.
double plain_price(const RankedBids& ranked, std::size_t units) {
  return units < ranked.size() ? ranked[units].bid : ranked.floor;
}

// Lazy: what the winners of a bidder pay at each of its reserves.
std::vector<std::vector<double>> lazy_tables(const ReservePrices& reserves, const RankedBids& ranked,
                                             std::size_t units) {
  std::vector<std::vector<double>> tables(reserves.size());
  for (std::size_t i = 0; i < reserves.size(); ++i) tables[i].assign(reserves[i].size(), 0.0);
  for (std::size_t k = 0; k < std::min(units, ranked.size()); ++k) {
    const RankedBid& bid = ranked[k];
    if (bid.bidder == kNoReserve) continue;
    const auto i = static_cast<std::size_t>(bid.bidder);
    for (std::size_t z = 0; z < static_cast<std::size_t>(bid.level); ++z)
      tables[i][z] += std::max(reserves[i][z] + ranked.shift, plain_price(ranked, units));
  }
  return tables;
}

}  // namespace

// Eager: at most every one of the first s pays its highest reached reserve or the plain price; at least what bids that
// always stay guarantee, nothing if there are not s + 1 of them.
ReserveMoney::Limits ReserveMoney::limits(const RankedBids& ranked) const {
  const auto units = static_cast<std::size_t>(parts_.units);
  const double price = plain_price(ranked, units);
  Limits limits;
  if (parts_.lazy) {
    for (std::size_t k = 0; k < std::min(units, ranked.size()); ++k) {
      if (ranked[k].bidder == kNoReserve) limits.most += price;
    }
    limits.least = limits.most;
    for (const auto& table : lazy_tables(reserves_, ranked, units)) {
      limits.most += *std::max_element(table.begin(), table.end());
      limits.least += *std::min_element(table.begin(), table.end());
    }
    return limits;
  }
  std::size_t sure = 0;  // bids that no reserve removes
  for (std::size_t k = 0; k < ranked.size(); ++k) {
    const RankedBid& bid = ranked[k];
    if (bid.bidder == kNoReserve) {
      if (k < units) limits.most += price;
    } else {
      const auto& own = reserves_[static_cast<std::size_t>(bid.bidder)];
      const auto level = static_cast<std::size_t>(bid.level);
      if (k < units) limits.most += std::max(own[level - 1] + ranked.shift, price);
      if (level < own.size()) continue;
    }
    // s + 1 bids that no reserve removes: all s units are sold, at the last of these bids or more.
    if (++sure == units + 1) limits.least = static_cast<double>(units) * bid.bid;
  }
  return limits;
}

// Bidders whose reserve can change the money of this round: only these need hedging.
std::vector<std::size_t> ReserveMoney::active(const RankedBids& ranked) const {
  std::set<std::size_t> found;
  if (parts_.lazy) {
    const auto tables = lazy_tables(reserves_, ranked, static_cast<std::size_t>(parts_.units));
    for (std::size_t i = 0; i < tables.size(); ++i) {
      const auto [least, most] = std::minmax_element(tables[i].begin(), tables[i].end());
      if (*least < *most) found.insert(i);
    }
  } else {
    for (const RankedBid& bid : ranked) {
      if (bid.bidder != kNoReserve) found.insert(static_cast<std::size_t>(bid.bidder));
    }
  }
  return {found.begin(), found.end()};
}

// For one outcome. None where no bound is proven.
std::optional<double> ReserveMoney::gamma(std::string_view code, const RankedBids& ranked) const {
  const bool few = parts_.lazy || ranked.size() <= static_cast<std::size_t>(parts_.units);  // sums over bidders
  double sum = 0, most = 0;
  for (const std::size_t i : active(ranked)) {
    const std::size_t values = reserves_[i].size();
    if (values == 1) continue;
    double own = 1;
    if (code == "bits") own = bits_of(values);
    if (code == "thermometer" && ranked.several && values > 2) own = 2;
    if (code == "direct") own = parts_.lazy || !few ? steepness_of(lone_prices(i)) : 1;
    sum += own;
    most = std::max(most, own);
  }
  if (code != "direct") return few ? most : sum;
  if (ranked.several || ranked.floor > 0 || parts_.scale == Scale::kCeilings) return std::nullopt;
  if (few) return most;
  const bool common = std::all_of(reserves_.begin(), reserves_.end(), [&](const auto& r) { return r == reserves_[0]; });
  if (common) return sum;
  // With different lists the norm is relative to the most money instead of its range.
  const Limits money = limits(ranked);
  if (money.most == 0) return 0.0;
  if (money.most <= money.least) return std::nullopt;
  return sum * money.most / (money.most - money.least);
}

std::optional<double> ReserveMoney::gamma(std::string_view code) const {
  if (code == "direct") return std::nullopt;  // nothing for several bids a bidder, or for an opening bid
  double sum = 0, most = 0;
  for (const auto& prices : reserves_) {
    const std::size_t values = prices.size();
    if (values == 1) continue;
    const double own = code == "bits" ? bits_of(values) : code == "thermometer" && values > 2 ? 2 : 1;
    sum += own;
    most = std::max(most, own);
  }
  return parts_.lazy ? most : sum;
}

}  // namespace hannan::detail
