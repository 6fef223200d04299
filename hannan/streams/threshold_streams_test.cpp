#include "hannan/streams/threshold_streams.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "hannan/core/error.hpp"

namespace hannan::detail {
namespace threshold_streams_test {

std::vector<double> totals(const StreamSpec& spec) {
  const auto stream = make_loss_stream(spec);
  std::vector<double> sum(stream->experts()), row(stream->experts());
  for (std::uint64_t t = 1; t <= stream->rounds(); ++t) {
    stream->losses(t, row);
    for (std::size_t k = 0; k < row.size(); ++k) sum[k] += row[k];
    // A point splits the thresholds once: the losses change at most once from one to the next.
    int changes = 0;
    for (std::size_t k = 1; k < row.size(); ++k) changes += row[k] != row[k - 1];
    EXPECT_LE(changes, 1);
  }
  return sum;
}

TEST(ThresholdStreams, FlipExactlyAsManyLabelsOfTheTrueThreshold) {
  for (std::uint64_t run = 0; run < 20; ++run) {
    const auto sum =
        totals({.name = "threshold-flips", .experts = 9, .rounds = 400, .key = {.seed = 5, .run = run}, .hits = 7});
    EXPECT_EQ(*std::min_element(sum.begin(), sum.end()), 7);
  }
}

TEST(ThresholdStreams, DrawEveryThresholdAsTheTrueOne) {
  std::vector<int> count(5);
  for (std::uint64_t run = 0; run < 200; ++run) {
    const auto sum =
        totals({.name = "threshold-flips", .experts = 5, .rounds = 100, .key = {.seed = 6, .run = run}, .hits = 0});
    ++count[static_cast<std::size_t>(std::min_element(sum.begin(), sum.end()) - sum.begin())];
  }
  for (const int n : count) EXPECT_GT(n, 15);  // 40 expected, standard deviation 5.7
}

TEST(ThresholdStreams, FlipALabelWithTheGivenProbability) {
  const auto sum = totals({.name = "threshold-noise", .experts = 9, .rounds = 20000, .key = {.seed = 7}, .best = 0.3});
  // Mean 6000, standard deviation 65: beyond five of them once in 10^6.
  EXPECT_NEAR(*std::min_element(sum.begin(), sum.end()), 6000, 325);
}

TEST(ThresholdStreams, SweepThePointsOnceAndSpareTheLastThreshold) {
  // Point i with label 0 costs the thresholds k <= i: k loses m - k.
  for (const std::uint64_t rounds : {4, 5, 11, 100}) {
    EXPECT_EQ(totals({.name = "threshold-sweep", .experts = 5, .rounds = rounds}), (std::vector<double>{4, 3, 2, 1, 0}))
        << rounds;
  }
  EXPECT_EQ(totals({.name = "threshold-sweep", .experts = 2, .rounds = 3}), (std::vector<double>{1, 0}));
}

TEST(ThresholdStreams, SweepAtEvenlySpreadRounds) {
  const auto stream = make_loss_stream({.name = "threshold-sweep", .experts = 4, .rounds = 6});
  std::vector<double> row(4), hit;
  for (std::uint64_t t = 1; t <= 6; ++t) {
    stream->losses(t, row);
    hit.push_back(row[0]);
  }
  EXPECT_EQ(hit, (std::vector<double>{1, 0, 1, 0, 0, 1}));  // floor(0), floor(2.5), floor(5), counted from 1
}

TEST(ThresholdStreams, AlternateAtTheMidpoint) {
  // m = 4, point 2: thresholds 0, 1, 2 say 1 and lose in odd rounds, 3 and 4 in even ones.
  EXPECT_EQ(totals({.name = "threshold-midpoint", .experts = 5, .rounds = 7}), (std::vector<double>{4, 4, 4, 3, 3}));
}

TEST(ThresholdStreams, RefuseWhatHasNoPoints) {
  EXPECT_THROW(make_loss_stream({.name = "threshold-midpoint", .experts = 1}), Error);
  EXPECT_THROW(make_loss_stream({.name = "threshold-flips", .experts = 4, .rounds = 5, .hits = 6}), Error);
  EXPECT_THROW(make_loss_stream({.name = "threshold-noise", .experts = 4, .best = 1.5}), Error);
  EXPECT_THROW(make_loss_stream({.name = "threshold-sweep", .experts = 9, .rounds = 7}), Error);
}

}  // namespace threshold_streams_test
}  // namespace hannan::detail
