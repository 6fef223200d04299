// Forecasts of several quantiles of one quantity: a combiner for each level, and an output that never crosses.
//
// Sorting the quantiles of a row never increases the sum of their pinball losses (docs/theory-forecasts.md, F9), so
// what is proven of each combiner holds for the sum over levels of the sorted output. The score of a row is the
// weighted interval score: 2 times the mean of the pinball losses over the levels.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "hannan/forecasts/loss.hpp"

namespace hannan::detail {

inline void sort_levels(std::vector<double>& quantiles) { std::ranges::sort(quantiles); }

// Levels increase, a quantile each.
inline double interval_score(std::span<const double> quantiles, std::span<const double> levels, double y) {
  double sum = 0;
  for (std::size_t q = 0; q < levels.size(); ++q)
    sum += ForecastLoss{.kind = ForecastLoss::Kind::kPinball, .level = levels[q]}.value(quantiles[q], y);
  return 2 * sum / static_cast<double>(levels.size());
}

}  // namespace hannan::detail
