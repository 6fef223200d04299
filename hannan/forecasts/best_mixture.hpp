// The best fixed mixture of models in hindsight, and a floor that no other mixture is below (docs/theory-forecasts.md,
// F11).
//
//   F(u) = sum_i w_i l(u x_i, y_i) over the simplex.  For any a_i and any slope g_i of w_i l at a_i:
//   min F >= sum_i (w_i l(a_i) - g_i a_i) + min_k sum_i g_i x_ik
//
//   squared, brier   pairwise Frank-Wolfe on the Gram matrix of x - y; value and floor once more from the rows
//   log, own         the same steps on the rows, line search by bisection on the slope
//   linear losses    the dual linear programme over slopes in their boxes; its answer is clipped into the boxes and the
//                    floor is computed from it, so that nothing of the solver is taken on trust
//
// Cost: O(rows K^2) for squared; for others rows K a step.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "hannan/forecasts/loss.hpp"

namespace hannan::detail {

struct MixtureProblem {
  std::span<const double> x;       // K a row, filled: no NaN
  std::span<const double> y;       // a row each
  std::span<const double> weight;  // a row each; empty: 1
  std::size_t models = 0;
  const ForecastLoss& loss;
};

struct BestMixture {
  std::vector<double> weights;  // K
  double value = 0;             // F of them, over all rows
  std::optional<double> floor;  // no mixture is below; none: found on a part of the rows
  std::vector<double> slopes;   // linear losses: the g that proves the floor
  std::uint64_t every = 1;      // found on every n-th row
};

BestMixture best_mixture(const MixtureProblem& problem);

}  // namespace hannan::detail
