// Outcomes that multi-unit makes itself: valuations of a simulated market, and extreme ones.
#include <algorithm>
#include <cmath>
#include <vector>

#include "hannan/problems/extreme_rows.hpp"
#include "hannan/problems/multi_unit/multi_unit.hpp"

namespace hannan::detail {

MultiUnit::Outcome MultiUnit::simulated(const MarketDraws& draws) const {
  const auto units = static_cast<std::uint64_t>(parts_.units);
  Outcome y(coordinates());
  for (std::size_t i = 0; i < y.size(); ++i) {
    // Draws are addressed by number: 8 for each bidder, of which three are used twice, for a quantity and for a value.
    const std::uint64_t place = i * 8;
    std::vector<int> at;
    for (std::uint64_t step = 0; step < 3; ++step) at.push_back(1 + static_cast<int>(draws.below(place + step, units)));
    std::sort(at.begin(), at.end());
    at.erase(std::unique(at.begin(), at.end()), at.end());
    double worth = 0;
    for (std::size_t step = 0; step < at.size(); ++step) {
      const double before = worth;
      worth = std::min(1.0, worth + draws.value(place + step) / 2);
      if (worth > before) y[i].push_back({at[step], worth});
    }
  }
  return y;
}

void MultiUnit::extreme_outcomes(ExtremeOutcomes<Outcome>& into) const {
  const int units = parts_.units;
  const auto step = [](int q) { return q == 0 ? StepValuation{} : StepValuation{{q, 1.0}}; };
  const auto points = grid_points(static_cast<std::uint64_t>(units), coordinates(), into.left());
  for (const auto& point : points) {
    Outcome profile;
    for (const double share : point) profile.push_back(step(static_cast<int>(std::lround(share * units))));
    into.add(profile);
  }
  if (!points.empty()) return into.describe("all profiles of one step per bidder");
  for (int q = 1; q <= units && into.left() > 0; ++q) {
    for (std::size_t i = 0; i < coordinates() && into.left() > 0; ++i) {
      Outcome lone, each;
      for (std::size_t b = 0; b < coordinates(); ++b) {
        lone.push_back(step(b == i ? q : 0));
        const auto shifted = (static_cast<std::uint64_t>(q - 1) + b * i) % static_cast<std::uint64_t>(units);
        each.push_back(step(1 + static_cast<int>(shifted)));
      }
      into.add(each);
      into.add(lone);
    }
  }
  into.describe("one step of one bidder or of each");
}

}  // namespace hannan::detail
