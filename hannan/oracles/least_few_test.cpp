#include "hannan/oracles/least_few.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "hannan/core/order_few.hpp"
#include "tests/dice.hpp"

namespace hannan::detail {
namespace least_few_test {

std::vector<std::size_t> sorted(const std::vector<double>& values, std::size_t few) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  order_few(order, [&](std::size_t i, std::size_t j) { return values[i] < values[j]; });
  order.resize(std::min(few, order.size()));
  return order;
}

// Values on a coarse scale, so that many are equal, at lengths around the blocks of the scan.
TEST(LeastFew, AreTheFirstOfAStableSort) {
  Dice dice(5);
  for (const std::size_t size : {1, 2, 127, 128, 129, 1000}) {
    for (const std::size_t few : {0, 1, 2, 10, 128, 999, 2000}) {
      std::vector<double> data(size), noise(size), sum(size);
      for (std::size_t k = 0; k < size; ++k) {
        data[k] = dice.below(50);
        noise[k] = dice.below(4);
        sum[k] = data[k] + 0.5 * noise[k];
      }
      EXPECT_EQ(least_few(data, {}, 0.5, few), sorted(data, few));
      EXPECT_EQ(least_few(data, noise, 0.0, few), sorted(data, few));
      EXPECT_EQ(least_few(data, noise, 0.5, few), sorted(sum, few));
    }
  }
}

}  // namespace least_few_test
}  // namespace hannan::detail
