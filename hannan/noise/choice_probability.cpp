// An interval of noise by intersecting half lines, one per rival: slope * alpha <= lead. Exact up to the rounding of K
// quotients; used to test the stability lemma (docs/theory.md, stability) and its failures without sampling.
#include "hannan/noise/choice_probability.hpp"

#include <algorithm>
#include <cassert>
#include <limits>

namespace hannan::detail {

NoiseRange winning_interval(const ScalarChoice& choice) {
  constexpr double kUnbounded = std::numeric_limits<double>::infinity();
  const std::size_t k = choice.action;
  assert(choice.losses.size() == choice.column.size() && k < choice.losses.size());
  NoiseRange wins{-kUnbounded, kUnbounded};
  for (std::size_t j = 0; j < choice.losses.size(); ++j) {
    const double slope = choice.column[k] - choice.column[j];
    const double lead = choice.losses[j] - choice.losses[k];
    if (slope > 0) wins.high = std::min(wins.high, lead / slope);
    if (slope < 0) wins.low = std::max(wins.low, lead / slope);
    if (slope == 0 && (lead < 0 || (lead == 0 && j < k))) return {kUnbounded, -kUnbounded};
  }
  return wins;
}

double choice_probability(const ScalarChoice& choice, const Noise& noise) {
  const NoiseRange wins = winning_interval(choice);
  return noise.mass(wins.low, wins.high);
}

}  // namespace hannan::detail
