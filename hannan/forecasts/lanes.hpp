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

inline TwoLanes two_at(const double* from) {
  TwoLanes made;
  std::memcpy(&made, from, sizeof made);
  return made;
}
inline TwoLanes swapped(TwoLanes of) { return TwoLanes{of[1], of[0]}; }

// Of at least one number, none of them NaN. In pairs, two of them at a time: comparisons of one pair wait for each
// other. The last number stands alone or twice: that changes no least and no largest. (Of wider vectors g++ 12 makes
// single comparisons where the machine has none.)
[[gnu::always_inline]] inline LeastAndLargest least_and_largest(std::span<const double> numbers) {
  const std::size_t size = numbers.size();
  const double* const all = numbers.data();
  if (size == 1) return {all[0], all[0]};
  TwoLanes low_a = two_at(all), low_b = two_at(all + size - 2), high_a = low_a, high_b = low_b;
  std::size_t k = 2;
  for (; k + 4 <= size; k += 4) {
    const TwoLanes next_a = two_at(all + k), next_b = two_at(all + k + 2);
    low_a = lesser_of(low_a, next_a);
    low_b = lesser_of(low_b, next_b);
    high_a = greater_of(high_a, next_a);
    high_b = greater_of(high_b, next_b);
  }
  if (k + 2 <= size) {
    low_a = lesser_of(low_a, two_at(all + k));
    high_a = greater_of(high_a, two_at(all + k));
  }
  low_a = lesser_of(low_a, low_b);
  high_a = greater_of(high_a, high_b);
  return {lesser_of(low_a, swapped(low_a))[0], greater_of(high_a, swapped(high_a))[0]};
}

// Takes the second numbers from the first, as many, and gives the least that is left; of at least one.
inline double least_left(std::span<double> numbers, const double* less) {
  const std::size_t size = numbers.size();
  double* const all = numbers.data();
  const double last = all[size - 1] - less[size - 1];
  TwoLanes low{last, last};
#pragma GCC unroll 2
  for (std::size_t k = 0; k + 2 <= size; k += 2) {
    const TwoLanes left = two_at(all + k) - two_at(less + k);
    std::memcpy(all + k, &left, sizeof left);
    low = lesser_of(low, left);
  }
  all[size - 1] = last;
  return lesser_of(low, swapped(low))[0];
}

// One after the other: the order decides on the last bit. Written out by fours, so that the loop costs little.
inline double sum_in_order(std::span<const double> numbers) {
  double sum = 0;
#pragma GCC unroll 4
  for (const double one : numbers) sum += one;
  return sum;
}
inline double dot_in_order(std::span<const double> weights, const double* of) {
  double sum = 0;
#pragma GCC unroll 4
  for (std::size_t k = 0; k < weights.size(); ++k) sum += weights[k] * of[k];
  return sum;
}

// Whether none is NaN. Counted, not searched, so that it becomes vectors.
inline bool all_delivered(std::span<const double> numbers) {
  std::size_t there = 0;
  for (const double one : numbers) there += one == one ? 1U : 0U;
  return there == numbers.size();
}

}  // namespace hannan::detail
