#include "hannan/forecasts/lanes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace hannan::detail {
namespace lanes_test {

// Rows of every length up to 64, with many equal numbers in them, against a sorted copy.
TEST(Lanes, AgreeWithASortedCopy) {
  std::uint64_t state = 7;
  for (std::size_t n = 1; n <= kMostCounted; ++n) {
    for (int turn = 0; turn < 50; ++turn) {
      std::vector<double> values(n);
      for (double& one : values) {
        state = state * 6'364'136'223'846'793'005U + 1'442'695'040'888'963'407U;
        one = static_cast<double>(static_cast<std::int64_t>(state >> 60U) - 8) / 4;
      }
      std::vector<double> sorted = values;
      std::ranges::sort(sorted);
      const auto [least, largest] = least_and_largest(values);
      EXPECT_EQ(least, sorted.front());
      EXPECT_EQ(largest, sorted.back());
      const double below = sorted[n % 2 == 1 ? n / 2 : n / 2 - 1], above = sorted[n / 2];
      EXPECT_EQ(counted_median(values), n % 2 == 1 ? above : below + (above - below) / 2);
    }
  }
}

}  // namespace lanes_test
}  // namespace hannan::detail
