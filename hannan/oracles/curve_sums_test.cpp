#include "hannan/oracles/curve_sums.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "hannan/core/keyed_random.hpp"
#include "hannan/core/tolerance.hpp"

namespace hannan::detail {
namespace curve_sums_test {

// Quarters tie often, reals never.
CurveSums draw_sums(std::uint64_t seed) {
  const KeyedRandom random(Key{6}, Purpose::kTest, seed);
  std::uint64_t next = 0;
  CurveSums sums;
  sums.constant = random.uniform(next++) - 0.5;
  const bool coarse = seed % 2 == 0;
  const auto n = 1 + random.below(next++, 4);
  for (std::uint64_t c = 0; c < n; ++c) {
    sums.curves.emplace_back(1 + random.below(next++, 5));
    for (double& v : sums.curves.back())
      v = coarse ? static_cast<double>(random.below(next++, 4)) / 4 : random.uniform(next++);
  }
  return sums;
}

std::vector<RankedSum> enumerate(const CurveSums& sums) {
  std::vector<RankedSum> all;
  std::vector<int> x(sums.curves.size(), 0);
  while (true) {
    all.push_back({x, sums.at(x)});
    std::size_t c = x.size();
    while (c > 0 && static_cast<std::size_t>(++x[c - 1]) == sums.curves[c - 1].size()) x[--c] = 0;
    if (c == 0) return all;
  }
}

TEST(CurveSums, KBestAgreeWithEnumeration) {
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const CurveSums sums = draw_sums(seed);
    auto all = enumerate(sums);
    double least = all[0].value;
    for (const auto& entry : all) least = std::min(least, entry.value);
    const auto choice =
        *std::find_if(all.begin(), all.end(), [&](auto& e) { return e.value <= least + tie_window(least); });
    std::sort(all.begin(), all.end(), [](auto& a, auto& b) { return a.value < b.value; });
    for (std::size_t keep : {0, 1, 2, 9, 1000}) {
      const RankedSums found = smallest_sums(sums, keep);
      EXPECT_EQ(found.pool[0].positions, choice.positions);
      EXPECT_EQ(found.least, least);
      ASSERT_EQ(found.pool.size(), std::min(std::max<std::size_t>(keep, 1), all.size()));
      for (std::size_t i = 0; i < found.pool.size(); ++i) {
        EXPECT_NEAR(found.pool[i].value, all[i].value, 1e-12);
        EXPECT_EQ(found.pool[i].value, sums.at(found.pool[i].positions));
        for (std::size_t j = 0; j < i; ++j) EXPECT_NE(found.pool[i].positions, found.pool[j].positions);
      }
      if (keep == 0) {
        EXPECT_EQ(found.rest, least);
      } else if (keep < all.size()) {
        EXPECT_NEAR(found.rest, all[keep].value, 1e-12);
      } else {
        EXPECT_TRUE(std::isinf(found.rest));
      }
    }
  }
}

// 64 coordinates of 4096 equal numbers: 2^768 combinations tie, the first of all is the choice.
TEST(CurveSums, TakesTheSmallestOfAnAstronomicalTie) {
  CurveSums sums;
  sums.curves.assign(64, std::vector<double>(4096, 0.25));
  const auto found = smallest_sums(sums, 5);
  EXPECT_EQ(found.pool[0].positions, std::vector<int>(64, 0));
  EXPECT_EQ(found.pool.size(), 5U);
  EXPECT_EQ(found.rest, 16.0);
}

TEST(CurveSums, AddsAndClears) {
  const CurveSums a = draw_sums(1);
  CurveSums b = a;
  b.scale(3);
  CurveSums sum = a;
  sum.set_sum(b, a, -3.0);
  for (const auto& entry : enumerate(sum)) EXPECT_EQ(entry.value, 0);
  sum.set_sum(a, a, 2.0);
  EXPECT_EQ(sum.curves[0][0], a.curves[0][0] + 2 * a.curves[0][0]);
  EXPECT_EQ(sum.constant, a.constant + 2 * a.constant);
  sum.clear();
  for (const auto& entry : enumerate(sum)) EXPECT_EQ(entry.value, 0);
}

}  // namespace curve_sums_test
}  // namespace hannan::detail
