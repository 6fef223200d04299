// A random outcome of any problem: its own sampler's, one of its list, a row of numbers, or a simulated one.
#pragma once

#include <map>
#include <memory>
#include <string_view>
#include <vector>

#include "hannan/core/error.hpp"
#include "hannan/core/rows.hpp"
#include "hannan/core/sample.hpp"
#include "hannan/game/market_draws.hpp"
#include "hannan/io/codec.hpp"

namespace hannan::detail::conformance {

// Values on a grid, at the ends and between.
class SampledDraws final : public MarketDraws {
 public:
  explicit SampledDraws(const KeyedRandom& random) : random_(random) {}
  double value(std::uint64_t place) const override { return sampled_unit(random_, place, 4); }
  double lasting(std::uint64_t place) const override { return random_.uniform(kApart + place); }
  std::uint64_t below(std::uint64_t place, std::uint64_t n) const override {
    return random_.below(2 * kApart + place, n);
  }

 private:
  static constexpr std::uint64_t kApart = 1'000'000;
  KeyedRandom random_;
};

template <class P>
typename P::Outcome sampled_outcome(const P& problem, const KeyedRandom& random) {
  typename P::Outcome y{};
  if constexpr (requires { Codec<P>::sample_outcome(problem, random); }) {
    y = Codec<P>::sample_outcome(problem, random);
  } else if constexpr (requires { problem.outcomes(); }) {
    const auto all = problem.outcomes();
    y = all[random.below(0, all.size())];
  } else if (row_width(problem) > 0) {
    const Interval range = row_range(problem);
    auto row = sampled_units(random, row_width(problem), 1 + random.below(1'000'000, 6));
    for (double& entry : row) entry = range.lo + entry * (range.hi - range.lo);
    outcome_from_row(problem, row, y);
  } else if constexpr (requires { problem.simulated(SampledDraws(random)); }) {
    y = problem.simulated(SampledDraws(random));
  } else {
    throw Error(Code::kUnavailable,
                "a problem without outcomes(), rows and simulated() needs sample_outcome in its codec");
  }
  return y;
}

template <class P>
Json sampled_json(std::string_view params, const KeyedRandom& random) {
  static std::map<std::string_view, std::shared_ptr<const P>> made;  // the texts are constants
  auto& problem = made[params];
  if (!problem) {
    const Json json = parse_json(params);
    Fields fields(json, "params");
    problem = Codec<P>::parse(fields);
  }
  return Codec<P>::outcome_json(*problem, sampled_outcome(*problem, random));
}

}  // namespace hannan::detail::conformance
