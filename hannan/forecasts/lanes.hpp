// Least and largest of a row of numbers, and its median, without branches: the rows of forecasts are short, and a
// branch that cannot be predicted costs as much as several comparisons. The results are those of a plain loop.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>

namespace hannan::detail {

struct LeastAndLargest {
  double least, largest;
};

// Of at least one number, none of them NaN. In pairs, two of them at a time: comparisons of one pair wait for each
// other. (Of wider vectors g++ 12 makes single comparisons where the machine has none.)
inline LeastAndLargest least_and_largest(std::span<const double> numbers) {
  using Pair [[gnu::vector_size(16)]] = double;
  double least = numbers[0], largest = numbers[0];
  std::size_t k = 0;
  if (numbers.size() >= 4) {
    Pair low_a, low_b, high_a, high_b, next_a, next_b;
    std::memcpy(&low_a, numbers.data(), sizeof low_a);
    std::memcpy(&low_b, numbers.data() + 2, sizeof low_b);
    high_a = low_a;
    high_b = low_b;
    for (k = 4; k + 4 <= numbers.size(); k += 4) {
      std::memcpy(&next_a, numbers.data() + k, sizeof next_a);
      std::memcpy(&next_b, numbers.data() + k + 2, sizeof next_b);
      low_a = next_a < low_a ? next_a : low_a;
      low_b = next_b < low_b ? next_b : low_b;
      high_a = next_a > high_a ? next_a : high_a;
      high_b = next_b > high_b ? next_b : high_b;
    }
    low_a = low_b < low_a ? low_b : low_a;
    high_a = high_b > high_a ? high_b : high_a;
    least = std::min(low_a[0], low_a[1]);
    largest = std::max(high_a[0], high_a[1]);
  }
  for (; k < numbers.size(); ++k) {
    least = std::min(least, numbers[k]);
    largest = std::max(largest, numbers[k]);
  }
  return {least, largest};
}

// The median of up to 64 numbers, none of them NaN, by counting: the number of rank n is the one with at most n others
// below it and more than n others below or equal. O(n^2) comparisons, in vectors.
inline constexpr std::size_t kMostCounted = 64;
inline double counted_median(std::span<const double> values) {
  const std::size_t n = values.size(), half = n / 2, lower = n % 2 == 1 ? half : half - 1;
  double middle = values[0], below = values[0];
  for (std::size_t k = 0; k < n; ++k) {
    const double one = values[k];
    std::size_t less = 0, not_above = 0;
    for (std::size_t i = 0; i < n; ++i) {
      less += values[i] < one ? 1 : 0;
      not_above += values[i] <= one ? 1 : 0;
    }
    middle = less <= half && half < not_above ? one : middle;
    below = less <= lower && lower < not_above ? one : below;
  }
  return n % 2 == 1 ? middle : below + (middle - below) / 2;
}

}  // namespace hannan::detail
