// Closed intervals of real numbers, infinities allowed as ends.
#pragma once

#include <limits>

namespace hannan::detail {

// Closed at both ends.
struct Interval {
  double lo;
  double hi;
};

inline constexpr Interval kAnyFinite{std::numeric_limits<double>::lowest(), std::numeric_limits<double>::max()};
inline constexpr Interval kExtended{-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
inline constexpr Interval kUnit{0, 1};
inline constexpr Interval kNonnegative{0, std::numeric_limits<double>::max()};
// An entry of a given matrix, or a weight of a given data set: sums and products of them stay far from overflow.
inline constexpr Interval kMatrixEntry{-1e12, 1e12};
// A loss where the range is unknown. 10^15 rounds of the largest, measured in the smallest unit that is told apart
// (game/shared_history.hpp), stay below 10^100, which is what a saved state may hold.
inline constexpr Interval kAnyLoss{-1e30, 1e30};
// Greater than zero.
inline constexpr Interval kPositive{std::numeric_limits<double>::denorm_min(), std::numeric_limits<double>::max()};

}  // namespace hannan::detail
