#include "hannan/forecasts/median.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "hannan/forecasts/lanes.hpp"

namespace hannan::detail {
namespace median_test {

// Rows of every length up to 70, half of them with many equal numbers, against a sorted copy.
TEST(Median, AgreesWithASortedCopyAndSoDoLeastAndLargest) {
  std::uint64_t state = 7;
  for (std::size_t n = 1; n <= 70; ++n) {
    for (int turn = 0; turn < 200; ++turn) {
      std::vector<double> values(n);
      for (double& one : values) {
        state = state * 6'364'136'223'846'793'005U + 1'442'695'040'888'963'407U;
        one = static_cast<double>(static_cast<std::int64_t>(state) >> (turn % 2 == 0 ? 60 : 11)) / 4;
      }
      std::vector<double> sorted = values;
      std::ranges::sort(sorted);
      const auto [least, largest] = least_and_largest(values);
      EXPECT_EQ(least, sorted.front());
      EXPECT_EQ(largest, sorted.back());
      const double below = sorted[n % 2 == 1 ? n / 2 : n / 2 - 1], above = sorted[n / 2];
      EXPECT_EQ(median_of(values), n % 2 == 1 ? above : below + (above - below) / 2) << n << " numbers";
    }
  }
}

// A network sorts everything if it sorts all rows of zeros and ones (Knuth 5.3.4); here all of up to 16 of them.
TEST(Median, OfZerosAndOnesIsThatOfTheMoreFrequent) {
  for (std::size_t n = 1; n <= 16; ++n) {
    for (std::uint32_t row = 0; row < (1U << n); ++row) {
      std::vector<double> values(n);
      std::size_t ones = 0;
      for (std::size_t i = 0; i < n; ++i) {
        values[i] = (row >> i) % 2;
        ones += (row >> i) % 2;
      }
      const double expected = 2 * ones == n ? 0.5 : (2 * ones > n ? 1.0 : 0.0);
      ASSERT_EQ(median_of(values), expected) << "row " << row << " of " << n;
    }
  }
}

}  // namespace median_test
}  // namespace hannan::detail
