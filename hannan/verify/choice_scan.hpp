// Looks at the values of all actions, given as a function of their places, and says which choice they allow.
//
// One pass for the least value, in lanes, so that no comparison waits for the one before it; nothing is stored.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>

namespace hannan::detail {

// Values this close are a tie, and ties go to the smallest action (docs/theory.md, conventions).
// Sums made in another order may differ a little, so what is asked of a recorded choice is: no value
// is clearly below its own, and no smaller action is clearly tied with the best. `unit` is 1 where losses are in [0,1],
// and otherwise the least power of two that is no smaller than the largest range of losses so far.
// Both chosen: 10^-9 is far below any difference of losses that means something, and 10^-14 of the value is some 45
// units in its last place, for sums made in another order.
inline double tie_slack(double value, double unit = 1) { return 1e-9 * unit + 1e-14 * (value < 0 ? -value : value); }

// That unit after a range, from the one before it: it never falls, so that a small range after a large one changes no
// window. 0 before the first range above 0.
inline double grown_unit(double unit, double range) {
  constexpr double kLeastUnit = 0x1p-160;  // smaller ranges are not told apart from it
  if (range <= unit) return unit;
  for (unit = unit > kLeastUnit ? unit : kLeastUnit; unit < range;) unit *= 2;
  return unit;
}

// A rate is made of a stability that is more than rounding of the totals it comes from: above what a tie may differ by
// (docs/theory-run.md, rates and rounding). Otherwise the rate is infinite, and ties share the weight.
inline bool gives_rate(double stability, double least, double unit = 1) { return stability > tie_slack(least, unit); }

// Requires size > 0.
template <class Values>
double least_value_of(std::size_t size, const Values& at) {
  // Eight independent minima: enough that comparisons overlap on any machine at hand; the least of all is the same in
  // any order.
  constexpr std::size_t kLanes = 8;
  double lane[kLanes];
  std::fill(lane, lane + kLanes, std::numeric_limits<double>::infinity());
  std::size_t k = 0;
  for (; k + kLanes <= size; k += kLanes) {
    for (std::size_t j = 0; j < kLanes; ++j) {
      const double v = at(k + j);
      lane[j] = v < lane[j] ? v : lane[j];
    }
  }
  for (; k < size; ++k) lane[0] = std::min(lane[0], at(k));
  return *std::min_element(lane, lane + kLanes);
}

// The first place whose value is at most `limit`; `end` where there is none before it.
template <class Values>
std::size_t first_within(std::size_t end, double limit, const Values& at) {
  std::size_t k = 0;
  while (k < end && !(at(k) <= limit)) ++k;
  return k;
}

// The smallest action that ties with the best.
template <class Values>
std::size_t smallest_minimiser_of(std::size_t size, const Values& at, double unit = 1) {
  const double least = least_value_of(size, at);
  return first_within(size, least + tie_slack(least, unit), at);
}

struct ChoiceFacts {
  double above = 0;      // its value less the least of all
  bool best = true;      // no value is clearly below its own
  bool smallest = true;  // no smaller action clearly ties with the best
};

template <class Values>
ChoiceFacts facts_of_choice(std::size_t size, std::size_t choice, const Values& at, double unit = 1) {
  const double least = least_value_of(size, at);
  const double slack = tie_slack(least, unit);
  return {.above = at(choice) - least,
          // The learner took the smallest action within one window of the least, by its own sums. Twice the window
          // here, and half of it for smaller ties, leave those sums at least half a window to differ by.
          .best = at(choice) <= least + 2 * slack,
          .smallest = first_within(choice, least + slack / 2, at) == choice};
}

inline std::size_t smallest_minimiser(std::span<const double> values, double unit = 1) {
  return smallest_minimiser_of(values.size(), [&](std::size_t k) { return values[k]; }, unit);
}

}  // namespace hannan::detail
