// The ranges of numbers that come from outside and enter sums, products and square roots: parameters of learners and
// bounds, weights, given noise. Within them no result overflows, underflows or becomes NaN, and a number outside
// them is refused where it enters (kOutOfRange). docs/pipe.md lists them.
#pragma once

#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>

#include "hannan/core/error.hpp"
#include "hannan/io/fields.hpp"

namespace hannan::detail::limits {

// c, eta, beta, epsilon, a, switch_a, switch_b. Useful values lie within a few powers of ten of 1; these ends
// keep c * c, 1 / c and their products with gamma and M far inside the range of double.
inline constexpr Interval kTuning{1e-12, 1e12};
// phi: above 1, since bounds of flipflop have phi - 1 as a divisor and are proven for no other; in (1,100].
inline constexpr Interval kSwitching{1 + 0x1p-52, 100};
// gamma: the largest that a built-in matrix claims is columns * levels, about 10^9.
inline constexpr Interval kGamma{0, 1e12};
// M, the mean of the largest noise: at most about the number of columns.
inline constexpr Interval kNoiseSize{0, 1e12};
// rho2, the mean square of the range of the noise.
inline constexpr Interval kNoiseSquare{0, 1e24};
// delta, the chance that a limit fails.
inline constexpr Interval kChance{1e-12, 0.5};
// discount: smaller ones forget all but the last round.
inline constexpr Interval kDiscount{1e-6, 1};
// half_life, in rounds: the discount 2^(-1/half_life) lies within its own range and below 1.
inline constexpr Interval kHalfLife{0.1, 1e12};
// L*, regrets, N and m in bounds: more rounds than can be played; whole numbers are still exact.
inline constexpr Interval kTotal{0, 1e15};
// S of sum_upper: the work of the series grows with its root.
inline constexpr Interval kSeriesSum{0, 1e9};
// Sums of squares in bounds: Q and rho2.
inline constexpr Interval kSquares{0, 1e30};
// risk, largest and hard of a portfolio: every square is finite.
inline constexpr Interval kStake{1e-100, 1e100};
// The smallest error probability of a bound; 1/delta stays finite.
inline constexpr double kLeastDelta = 1e-300;
// Money of a bid, and what a bid of 1 stands for: sums over all rounds stay finite.
inline constexpr double kMostMoney = 1e30;
inline constexpr Interval kCap{1e-12, kMostMoney};
// One entry of a given matrix or of given noise.
inline constexpr Interval kEntry = kMatrixEntry;
// The summed absolute weights of a data set. Below 2^53, so that whole weights add up exactly; values of `best` are
// good to about 10^-15 of this sum.
inline constexpr double kMostWeight = 1e15;

// Adds up the absolute weights of a data set and refuses the one with which they exceed the limit.
class WeightSum {
 public:
  void add(double weight, std::string_view path) {
    sum_ += std::abs(weight);
    if (sum_ <= kMostWeight) return;
    throw Error(Code::kOutOfRange,
                "found weights whose absolute values add up to " + number_text(sum_) + ", expected at most " +
                    number_text(kMostWeight) + "; divide all of them by the same number",
                std::string(path));
  }

 private:
  double sum_ = 0;
};

}  // namespace hannan::detail::limits
