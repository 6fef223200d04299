// Differences first, then one call for all exponentials (core/exponentials.hpp: the bits of portable_exp), then the sum
// in the order of the experts: the same numbers as one by one.
#include "hannan/core/weights_of_totals.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "hannan/core/exponentials.hpp"

namespace hannan::detail {

double weights_of_totals(std::span<const double> totals, std::span<const double> awake, Tempering tempering,
                         std::span<double> weights) {
  const bool all = awake.empty();
  double least = std::numeric_limits<double>::infinity();  // of the awake
  for (std::size_t k = 0; k < totals.size(); ++k) {
    if (all || awake[k] > 0) least = std::min(least, totals[k]);
  }
  if (std::isinf(tempering.eta)) {
    for (std::size_t k = 0; k < totals.size(); ++k) weights[k] = totals[k] - least <= tempering.window ? 1.0 : 0.0;
  } else {
    // A sleeper may be better than the best awake: its exponent is taken as 0, and its weight is dropped below.
    for (std::size_t k = 0; k < totals.size(); ++k)
      weights[k] = -tempering.eta * (all || awake[k] > 0 ? totals[k] - least : 0);
    portable_exp_all(weights);
  }
  double sum = 0;
  for (std::size_t k = 0; k < totals.size(); ++k) {
    if (!all && awake[k] == 0) weights[k] = 0;
    sum += weights[k];
  }
  for (double& weight : weights) weight /= sum;
  return sum;
}

double spread_of_totals(std::span<const double> totals, double eta, double least, std::span<double> scratch) {
  for (std::size_t k = 0; k < totals.size(); ++k) scratch[k] = -eta * (totals[k] - least);
  portable_exp_all(scratch);
  double sum = 0;
  for (const double power : scratch) sum += power;
  return sum;
}

}  // namespace hannan::detail
