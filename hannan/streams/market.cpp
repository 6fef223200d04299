// Columns of a round: 12 place + i for the twelve uniforms of a lognormal value, 2^31 + place for the own part of a
// correlated one, 2^32 + place for integers. They do not meet while a place is below 2^31/12, about 178 million;
// market_source.cpp stays below 17 million.
#include "hannan/streams/market.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "hannan/core/elementary.hpp"
#include "hannan/core/error.hpp"
#include "hannan/core/near_name.hpp"

namespace hannan::detail {
namespace {

constexpr std::array<MarketFact, 4> kMarkets{{
    {"uniform", "independent values, uniform on [0,1]"},
    {"lognormal", "independent values, median 0.35, many low and few high"},
    {"correlated", "a common shock moves all values of a round"},
    {"switching", "a cheap and an expensive market in turns of --period rounds"},
}};

// Integers draw from columns beyond all values.
constexpr std::uint64_t kIntegers = std::uint64_t{1} << 32;

}  // namespace

std::span<const MarketFact> markets() { return kMarkets; }

Market::Market(const MarketSpec& spec) : kind_(Kind::kUniform), spec_(spec) {
  std::string names;
  for (std::size_t i = 0; i < kMarkets.size(); ++i) {
    names += (i ? ", " : "") + std::string(kMarkets[i].name);
    if (kMarkets[i].name == spec.name) {
      kind_ = static_cast<Kind>(i);
      if (spec.period == 0) throw Error(Code::kOutOfRange, "found 0, expected at least 1", "stream.period");
      return;
    }
  }
  throw Error(Code::kUnknownName,
              "found \"" + spec.name + "\", expected one of " + names + ", " + std::string(kAdversarial) +
                  near_hint(spec.name, kMarkets, &MarketFact::name),
              "stream");
}

// Z has mean 0 and variance 12/12 = 1.
// exp(ln median + 0.5 Z) with Z the sum of twelve uniforms less 6: near enough to normal for a market,
// and the same bits everywhere.
double Market::lognormal(std::uint64_t round, std::uint64_t place, double median) const {
  const KeyedRandom random(spec_.key, Purpose::kStream, round);
  double z = -6;
  for (std::uint64_t i = 0; i < 12; ++i) z += random.uniform(12 * place + i);
  return std::min(1.0, median * portable_exp(0.5 * z));
}

double Market::value(std::uint64_t round, std::uint64_t place) const {
  switch (kind_) {
    case Kind::kUniform:
      return KeyedRandom(spec_.key, Purpose::kStream, round).uniform(place);
    case Kind::kLognormal:
      return lognormal(round, place, 0.35);
    case Kind::kCorrelated: {
      // Place 0 of the lognormal law is the shock; values take the places after it.
      const double shock = lognormal(round, 0, 0.5);
      return std::min(
          1.0, shock * (0.5 + 0.5 * KeyedRandom(spec_.key, Purpose::kStream, round).uniform(kIntegers / 2 + place)));
    }
    case Kind::kSwitching:
      return lognormal(round, place, market(round) == 0 ? 0.25 : 0.6);
  }
  return 0;
}

// No round that is played has the number 0, so that what lasts has draws of its own; a switching market has one for
// each of its two kinds.
double Market::lasting(std::uint64_t round, std::uint64_t place) const {
  const std::uint64_t which = kind_ == Kind::kSwitching ? market(round) : 0;
  return KeyedRandom(spec_.key, Purpose::kStream, 0).uniform(2 * place + which);
}

std::uint64_t Market::below(std::uint64_t round, std::uint64_t place, std::uint64_t n) const {
  return KeyedRandom(spec_.key, Purpose::kStream, round).below(kIntegers + place, n);
}

}  // namespace hannan::detail
