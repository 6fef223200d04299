// Least and largest of a row of numbers, and whether all are there, without branches: the rows of forecasts are short,
// and a branch that cannot be predicted costs as much as several comparisons. The results are those of a plain loop.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>

#ifdef __aarch64__
#include <arm_neon.h>
#endif

namespace hannan::detail {

struct LeastAndLargest {
  double least, largest;
};

using TwoLanes [[gnu::vector_size(16)]] = double;
#ifdef __aarch64__
// One instruction; comparing and choosing are two. Of zeros of both signs another one is taken, which changes nothing
// that is made of them here.
inline TwoLanes lesser_of(TwoLanes a, TwoLanes b) { return vminnmq_f64(a, b); }
inline TwoLanes greater_of(TwoLanes a, TwoLanes b) { return vmaxnmq_f64(a, b); }
#else
inline TwoLanes lesser_of(TwoLanes a, TwoLanes b) { return b < a ? b : a; }
inline TwoLanes greater_of(TwoLanes a, TwoLanes b) { return b > a ? b : a; }
#endif

// Of at least one number, none of them NaN. In pairs, two of them at a time: comparisons of one pair wait for each
// other. (Of wider vectors g++ 12 makes single comparisons where the machine has none.)
inline LeastAndLargest least_and_largest(std::span<const double> numbers) {
  double least = numbers[0], largest = numbers[0];
  std::size_t k = 0;
  if (numbers.size() >= 4) {
    TwoLanes low_a, low_b, high_a, high_b, next_a, next_b;
    std::memcpy(&low_a, numbers.data(), sizeof low_a);
    std::memcpy(&low_b, numbers.data() + 2, sizeof low_b);
    high_a = low_a;
    high_b = low_b;
    for (k = 4; k + 4 <= numbers.size(); k += 4) {
      std::memcpy(&next_a, numbers.data() + k, sizeof next_a);
      std::memcpy(&next_b, numbers.data() + k + 2, sizeof next_b);
      low_a = lesser_of(low_a, next_a);
      low_b = lesser_of(low_b, next_b);
      high_a = greater_of(high_a, next_a);
      high_b = greater_of(high_b, next_b);
    }
    low_a = lesser_of(low_a, low_b);
    high_a = greater_of(high_a, high_b);
    least = std::min(low_a[0], low_a[1]);
    largest = std::max(high_a[0], high_a[1]);
  }
  for (; k < numbers.size(); ++k) {
    least = std::min(least, numbers[k]);
    largest = std::max(largest, numbers[k]);
  }
  return {least, largest};
}

// Whether none is NaN. Counted, not searched, so that it becomes vectors.
inline bool all_delivered(std::span<const double> numbers) {
  std::size_t there = 0;
  for (const double one : numbers) there += one == one ? 1U : 0U;
  return there == numbers.size();
}

}  // namespace hannan::detail
