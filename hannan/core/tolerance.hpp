// The only epsilons of the house.
#pragma once

#include <cmath>

namespace hannan {

// Two objective values this close are a tie, and ties go to the smallest action. Sums of losses are
// computed in different orders by different oracles; without a window, rounding would decide ties.
// Absolute part: losses are in [0,1], so 1e-9 is far below any difference that matters. Relative
// part: what rounding can have done to a sum of this size.
inline double tie_window(double value) { return 1e-9 + 1e-14 * std::abs(value); }

// What two programs may differ by that add up the same losses with weights of this total size, each in its own
// order: up to a thousand times what rounding usually does, and still far below what matters.
inline double sum_window(double weight) { return 1e-9 + 1e-12 * weight; }

// A weight that scaling has brought below this is dropped: 10^15 of them are still far below every tie window.
inline constexpr double kForgottenWeight = 1e-40;

// A real bid b reaches grid level floor(m*b + kGridSlack): 0.29 * 100 must reach level 29.
inline constexpr double kGridSlack = 1e-9;

}  // namespace hannan
