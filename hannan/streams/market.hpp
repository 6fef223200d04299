// Simulated markets: valuations, bids and prices in [0,1] for every problem that takes them.
//
//   uniform      independent, uniform on [0,1]
//   lognormal    independent, median 0.35, sigma 0.5, cut at 1: many low, few high
//   correlated   a common shock moves all of a round's values together, plus a part of their own
//   switching    two markets, a cheap and an expensive one, in turns of `period` rounds
//
// A value is a function of (key, round, place): any round can be had without the ones before it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "hannan/core/keyed_random.hpp"

namespace hannan::detail {

// A stream beside the markets, which answers actions (market_source.hpp).
inline constexpr std::string_view kAdversarial = "adversarial";

struct MarketSpec {
  std::string name = "uniform";
  Key key = {};
  std::uint64_t period = 500;  // switching: rounds from one market to the other
};

class Market {
 public:
  // Throws kUnknownName with the list of markets, or kOutOfRange.
  explicit Market(const MarketSpec& spec);

  // Value number `place` of a round; places of one round are different values.
  double value(std::uint64_t round, std::uint64_t place) const;
  // A number in [0,1) that stays with a place: the same in every round, but each of the two markets of
  // `switching` has its own.
  double lasting(std::uint64_t round, std::uint64_t place) const;
  // A fair integer in {0..n-1}, apart from the values.
  std::uint64_t below(std::uint64_t round, std::uint64_t place, std::uint64_t n) const;

 private:
  std::uint64_t market(std::uint64_t round) const { return (round - 1) / spec_.period % 2; }
  double lognormal(std::uint64_t round, std::uint64_t place, double median) const;

  enum class Kind { kUniform, kLognormal, kCorrelated, kSwitching };
  Kind kind_;
  MarketSpec spec_;
};

struct MarketFact {
  std::string_view name, about;
};
std::span<const MarketFact> markets();

}  // namespace hannan::detail
