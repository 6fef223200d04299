// Prices in money from which a seller chooses: p_0 = 0 < p_1 < ... < p_{m-1}, and the named lists.
//
// A decision is a position z; position 0 is "no reserve" (or "free"). Bids and values are never clipped or rounded, but
// a bid that misses a price by rounding alone reaches it: z(b) is the largest z with p_z <= b (1 + 1e-9), and a bid
// below p_{z(b)} counts as that price. All comparisons after that are exact.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "hannan/core/interval.hpp"

namespace hannan::detail {

// A sum of money: sums over 10^15 rounds stay within kAnyLoss.
inline constexpr Interval kAnyMoney{0, 1e30};

class PriceList {  // prices that may be asked, from 0 upwards
 public:
  static constexpr std::size_t kMostPrices = 4096;
  static constexpr double kSlack = 1e-9;       // relative: what rounding may have taken from a bid
  static constexpr double kLeastRatio = 1e-6;  // neighbours this close, relative to the higher one, are refused

  PriceList() = default;  // the price 0 alone
  // Throws kOutOfRange with the place, `part`[z], of a list that is empty, does not begin with 0 or does not rise.
  explicit PriceList(std::vector<double> prices, const std::string& part = "prices");

  std::size_t size() const { return prices_.size(); }
  double operator[](std::size_t z) const { return prices_[z]; }
  double top() const { return prices_.back(); }
  std::span<const double> prices() const { return prices_; }
  bool operator==(const PriceList&) const = default;

  // The highest price that the bid reaches; bid >= 0.
  std::size_t position(double bid) const;
  // The bid, or the price that it misses by rounding alone.
  double snapped(double bid) const;
  // The largest p_z / (p_z - p_{z-1}); 1 where there is one price only.
  double steepness() const;

 private:
  std::vector<double> prices_{0.0};
};

// Named lists: 0 and K prices, rounded to so many decimals where they are given, without those that are then equal or
// too close. Throw kOutOfRange.
using Decimals = std::optional<int>;                                                   // of the currency
PriceList linear_prices(std::size_t count, double top, Decimals decimals = {});        // top k/K, k = 1..K
PriceList geometric_prices(std::size_t count, Interval ends, Decimals decimals = {});  // low (top/low)^(k/(K-1)), k < K
// The bids at the ranks ceil(n k/(K+1)), k = 1..K, of n bids; bids of 0 are none.
PriceList quantile_prices(std::size_t count, std::span<const double> bids, Decimals decimals = {});

}  // namespace hannan::detail
