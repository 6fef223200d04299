#include "hannan/report/thinned.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace hannan::detail {
namespace thinned_test {

TEST(Thinned, KeepsEveryPointUpToTheLimit) {
  Thinned series(10);
  for (std::uint64_t t = 1; t <= 10; ++t) series.add(t, t % 3 == 0 ? 1.0 : 0.5);
  const auto points = series.extremes();
  ASSERT_EQ(points.size(), 10U);
  for (std::uint64_t t = 1; t <= 10; ++t) EXPECT_EQ(points[t - 1], (ThinnedPoint{t, t % 3 == 0 ? 1.0 : 0.5}));
  EXPECT_EQ(series.width(), 1U);
}

TEST(Thinned, KeepsASinglePeakAndASingleDipOfAMillionRounds) {
  Thinned series;
  for (std::uint64_t t = 1; t <= 1'000'000; ++t) {
    series.add(t, t == 123'457 ? 9.0 : t == 777'777 ? -9.0 : std::sin(static_cast<double>(t)));
  }
  const auto points = series.extremes();
  EXPECT_LE(points.size(), 2002U);
  EXPECT_GE(points.size(), 1000U);
  // 1000 buckets of 512 rounds do not reach a million, of 1024 they do.
  EXPECT_EQ(series.width(), 1024U);
  EXPECT_EQ(std::count(points.begin(), points.end(), ThinnedPoint{123'457, 9.0}), 1);
  EXPECT_EQ(std::count(points.begin(), points.end(), ThinnedPoint{777'777, -9.0}), 1);
  EXPECT_TRUE(
      std::is_sorted(points.begin(), points.end(), [](const auto& a, const auto& b) { return a.round < b.round; }));
}

TEST(Thinned, BeginsAndEndsWhereTheSeriesDoes) {
  Thinned series(4);
  // Buckets of 4: {0 5 1 2} {3 9 0 4} {7}; the first round is no extreme of its own but 0 is, the last is.
  const double values[] = {2, 5, 1, 2, 3, 9, 0, 4, 7, 7.5, 6};
  for (std::size_t i = 0; i < std::size(values); ++i) series.add(i + 1, values[i]);
  const std::vector<ThinnedPoint> expected{{1, 2}, {2, 5}, {3, 1}, {6, 9}, {7, 0}, {10, 7.5}, {11, 6}};
  EXPECT_EQ(series.extremes(), expected);
  EXPECT_EQ(series.last(), 6);
}

TEST(Thinned, AveragesBucketsForShares) {
  Thinned series(2);
  for (std::uint64_t t = 1; t <= 8; ++t) series.add(t, t > 5 ? 1 : 0);
  const std::vector<ThinnedPoint> expected{{4, 0}, {8, 0.75}};  // of 5 to 8, three are 1
  EXPECT_EQ(series.means(), expected);
}

TEST(Thinned, LeavesGapsWhereRoundsWereLeftOut) {
  Thinned series(4);
  for (std::uint64_t t = 1; t <= 1024; t *= 2) series.add(t, static_cast<double>(t));
  EXPECT_EQ(series.width(), 256U);
  // 1 to 256 are one bucket; 512 and 1024 one each.
  const std::vector<ThinnedPoint> expected{{1, 1}, {256, 256}, {512, 512}, {1024, 1024}};
  EXPECT_EQ(series.extremes(), expected);
}

TEST(Thinned, HasNoPointsWithoutRounds) {
  EXPECT_TRUE(Thinned().extremes().empty());
  EXPECT_TRUE(Thinned().means().empty());
}

}  // namespace thinned_test
}  // namespace hannan::detail
