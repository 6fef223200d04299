#include "hannan/oracles/argmin.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "hannan/core/keyed_random.hpp"
#include "hannan/core/tolerance.hpp"

namespace hannan::detail {
namespace argmin_test {

Least plainly(const std::vector<double>& values) {
  const double least = *std::min_element(values.begin(), values.end());
  std::size_t k = 0;
  while (!(values[k] <= least + tie_window(least))) ++k;
  return {k, values[k], least};
}

void expect_same(const Least& found, const Least& wanted) {
  EXPECT_EQ(found.index, wanted.index);
  EXPECT_EQ(found.value, wanted.value);
  EXPECT_EQ(found.floor, wanted.floor);
}

TEST(Argmin, AgreesWithAPlainLoopAtEveryLengthAroundTheBlocks) {
  for (const std::size_t size : {1, 2, 3, 7, 8, 9, 31, 2047, 2048, 2049, 4096, 5000, 10'001}) {
    for (std::uint64_t draw = 0; draw < 20; ++draw) {
      std::vector<double> data(size), noise(size), sum(size);
      KeyedRandom(Key{.seed = size}, Purpose::kTest, 2 * draw).fill_uniform(data);
      KeyedRandom(Key{.seed = size}, Purpose::kTest, 2 * draw + 1).fill_uniform(noise);
      for (std::size_t k = 0; k < size; ++k) sum[k] = data[k] + -0.7 * noise[k];
      expect_same(argmin(data, {}, 1.0), plainly(data));
      expect_same(argmin(data, noise, 0.0), plainly(data));
      expect_same(argmin(data, noise, -0.7), plainly(sum));
    }
  }
}

TEST(Argmin, TiesWithinTheWindowGoToTheLowestIndexAcrossBlocks) {
  // Falling by a fraction of the window from block to block, so that who is within it changes on the way.
  for (const double drop : {0.2e-9, 0.4e-9, 0.6e-9, 0.9e-9, 1.1e-9}) {
    std::vector<double> values(20'000, 5.0);
    for (std::size_t block = 0; block < 9; ++block)
      values[2048 * block + 17 * block + 3] = 1.0 - drop * static_cast<double>(block);
    expect_same(argmin(values, {}, 1.0), plainly(values));
  }
  std::vector<double> flat(9000, 2.5);
  EXPECT_EQ(argmin(flat, {}, 1.0).index, 0u);
}

TEST(Argmin, InfiniteValuesAreNeverChosen) {
  std::vector<double> values(5000, std::numeric_limits<double>::infinity());
  values[4321] = 7;
  expect_same(argmin(values, {}, 1.0), plainly(values));
}

}  // namespace argmin_test
}  // namespace hannan::detail
