// The draws of one round of a simulated market, from which a problem makes an outcome.
//
// A problem that offers `Outcome simulated(const MarketDraws&) const` can be played on every market of
// streams/market.hpp. A draw is a function of its place, so the order of the calls does not matter.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace hannan::detail {

class MarketDraws {
 public:
  virtual ~MarketDraws() = default;
  // A value, bid or price in [0,1]. Places are 0, 1, ... below 10^6; different places are different values.
  virtual double value(std::uint64_t place) const = 0;
  // A number in [0,1) that stays with the place in every round.
  virtual double lasting(std::uint64_t place) const = 0;
  // A fair integer in {0..n-1}, independent of the values.
  virtual std::uint64_t below(std::uint64_t place, std::uint64_t n) const = 0;
};

// The values of `count` places in order.
inline std::vector<double> drawn_values(const MarketDraws& draws, std::uint64_t count, std::uint64_t from = 0) {
  std::vector<double> values;
  for (std::uint64_t i = 0; i < count; ++i) values.push_back(draws.value(from + i));
  return values;
}

// One of n things by the first value: a market of low values brings low numbers.
inline std::uint64_t drawn_index(const MarketDraws& draws, std::uint64_t n) {
  return std::min(n - 1, static_cast<std::uint64_t>(draws.value(0) * static_cast<double>(n)));
}

}  // namespace hannan::detail
