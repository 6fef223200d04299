// Every epsilon of the library, with its reason: pure functions and constants, constant time, nothing thrown.
#pragma once

#include <cmath>

namespace hannan {

// Two objective values this close are a tie, and ties go to the smallest action. Sums of losses are
// computed in different orders by different oracles; without a window, rounding would decide ties.
// Absolute part: losses are in [0,1], so 1e-9 is far below any difference that matters. Relative
// part: what rounding can have done to a sum of this size. Where the range of losses is unknown `unit` stands for
// the 1.
inline double tie_window(double value, double unit = 1) { return 1e-9 * unit + 1e-14 * std::abs(value); }

// The least power of two that is no smaller than this range of losses: a unit in which the range is at most 1, and by
// which sums are divided without rounding. Ranges below the least unit are not told apart from it.
inline constexpr double kLeastUnit = 0x1p-160;
inline double unit_of(double range) {
  int exponent = 0;
  const double fraction = std::frexp(range > kLeastUnit ? range : kLeastUnit, &exponent);
  return std::ldexp(1.0, fraction == 0.5 ? exponent - 1 : exponent);
}

// What two programs may differ by that add up the same losses with weights of this total size, each in its own
// order: up to a thousand times what rounding usually does, and still far below what matters.
inline double sum_window(double weight) { return 1e-9 + 1e-12 * weight; }

// A weight that scaling has brought below this is dropped: 10^15 of them are still far below every tie window.
inline constexpr double kForgottenWeight = 1e-40;

// A real number b reaches level floor(m*b + kGridSlack) of a grid of m steps: 0.29 * 100 must reach level 29, although
// its double is 28.999...
inline constexpr double kGridSlack = 1e-9;

}  // namespace hannan
