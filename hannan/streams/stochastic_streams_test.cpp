#include "hannan/streams/stochastic_streams.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace hannan::detail {
namespace stochastic_streams_test {

using Rows = std::vector<std::vector<double>>;

Rows rows_of(const StreamSpec& spec) {
  const auto stream = make_loss_stream(spec);
  Rows rows(spec.rounds, std::vector<double>(stream->experts()));
  for (std::uint64_t t = 1; t <= spec.rounds; ++t) stream->losses(t, rows[t - 1]);
  return rows;
}

std::vector<double> totals(const Rows& rows) {
  std::vector<double> sum(rows[0].size());
  for (const auto& row : rows)
    for (std::size_t k = 0; k < row.size(); ++k) sum[k] += row[k];
  return sum;
}

// Hoeffding: one of `checks` means of n losses is further off than this with probability <= 1e-6.
double hoeffding(double n, double checks) { return std::sqrt(std::log(2 * checks / 1e-6) / (2 * n)); }

TEST(IidStream, HasOneExpertAtBestAndTheOthersAtOthers) {
  // 8 means of 20000 losses: limit 0.0204. A mean off by 0.041, as by mixing up 0.4 and 0.5, is caught
  // except with probability 1e-6.
  const StreamSpec spec{.name = "iid", .experts = 8, .rounds = 20000, .key = {.seed = 11}};
  std::vector<double> mean = totals(rows_of(spec));
  for (double& m : mean) m /= 20000;
  std::ranges::sort(mean);
  const double limit = hoeffding(20000, 8);
  EXPECT_NEAR(mean[0], 0.4, limit);
  for (std::size_t k = 1; k < 8; ++k) EXPECT_NEAR(mean[k], 0.5, limit);
}

TEST(IidStream, WithSureMeansHasSureLosses) {
  const Rows rows = rows_of({.name = "iid", .experts = 5, .rounds = 50, .best = 0, .others = 1});
  for (const auto& row : rows) EXPECT_EQ(row, rows[0]);
  EXPECT_EQ(std::ranges::count(rows[0], 0.0), 1);
  EXPECT_EQ(std::ranges::count(rows[0], 1.0), 4);
}

TEST(IidStream, DrawsItsBestExpertUniformly) {
  // 4000 runs, 4 experts: 1000 each, standard deviation 27.4; limits of 6 of them, false alarm
  // 4 * 2e-9. Never drawing the last expert would give it 0.
  std::vector<int> count(4);
  std::vector<double> row(4);
  for (std::uint64_t run = 0; run < 4000; ++run) {
    const StreamSpec spec{
        .name = "iid", .experts = 4, .rounds = 1, .key = {.seed = 1, .run = run}, .best = 0, .others = 1};
    make_loss_stream(spec)->losses(1, row);
    ++count[static_cast<std::size_t>(std::ranges::find(row, 0.0) - row.begin())];
  }
  for (int c : count) EXPECT_NEAR(c, 1000, 165);
}

TEST(SmallLossStream, HitsItsBestExpertInExactlyTheGivenNumberOfRounds) {
  // The other rates are at least 0.05, so 2000 rounds give each at least 100 - 83 (Hoeffding with 0.0414, 63
  // checks): only the best expert can have 0, 1 or 10.
  for (std::uint64_t hits : {0u, 1u, 10u}) {
    std::vector<double> sum =
        totals(rows_of({.name = "small-loss", .rounds = 2000, .key = {.seed = 21}, .hits = hits}));
    std::ranges::sort(sum);
    EXPECT_EQ(sum[0], static_cast<double>(hits));
    EXPECT_GT(sum[1], 10);
  }
  // One expert alone, hit in every round but one, and in every round.
  EXPECT_EQ(totals(rows_of({.name = "small-loss", .experts = 1, .rounds = 30, .hits = 29}))[0], 29);
  EXPECT_EQ(totals(rows_of({.name = "small-loss", .experts = 1, .rounds = 30, .hits = 30}))[0], 30);
}

TEST(SmallLossStream, ChoosesItsHitRoundsUniformly) {
  // 4000 runs, 5 of 20 rounds: each round 1000 times, standard deviation 27.4; limits of 6 of them, false
  // alarm 20 * 2e-9.
  std::vector<double> count(20);
  for (std::uint64_t run = 0; run < 4000; ++run) {
    const Rows rows =
        rows_of({.name = "small-loss", .experts = 1, .rounds = 20, .key = {.seed = 2, .run = run}, .hits = 5});
    for (std::size_t t = 0; t < 20; ++t) count[t] += rows[t][0];
  }
  for (double c : count) EXPECT_NEAR(c, 1000, 165);
}

TEST(SmallLossStream, DrawsTheOtherRatesUniformlyBetweenATwentiethAndAHalf) {
  // 511 rates: mean 0.275, standard deviation 0.13; measured over 4000 rounds (variance at most 1/16000
  // more). The mean of means has standard deviation 0.0058, limit 5 of them. P[no rate below 0.07] = (1 -
  // 0.02/0.45)^511 = 8e-11, likewise above 0.48.
  std::vector<double> mean =
      totals(rows_of({.name = "small-loss", .experts = 512, .rounds = 4000, .key = {.seed = 23}, .hits = 0}));
  for (double& m : mean) m /= 4000;
  std::ranges::sort(mean);
  mean.erase(mean.begin());
  double sum = 0;
  for (double m : mean) sum += m;
  EXPECT_NEAR(sum / 511, 0.275, 0.029);
  const double limit = hoeffding(4000, 511);
  EXPECT_GT(mean.front(), 0.05 - limit);
  EXPECT_LT(mean.front(), 0.07 + limit);
  EXPECT_GT(mean.back(), 0.48 - limit);
  EXPECT_LT(mean.back(), 0.5 + limit);
}

TEST(DriftStream, HasOneGoodExpertAtTheStartOfEachPeriodAndHandsOverToTheNext) {
  // best = 0, others = 1. At w = 0 the losses are sure: one expert 0, all others 1. In between only
  // the two neighbours can be 0: with probability 3/4 and 1/4 at w = 1/4.
  const std::uint64_t period = 4;
  const Rows rows = rows_of(
      {.name = "drift", .experts = 6, .rounds = 8001, .key = {.seed = 31}, .best = 0, .others = 1, .period = period});
  const auto good = [&](std::size_t regime) {
    const auto& row = rows[regime * period];
    EXPECT_EQ(std::ranges::count(row, 0.0), 1);
    return static_cast<std::size_t>(std::ranges::find(row, 0.0) - row.begin());
  };
  double leaving = 0, coming = 0, changes = 0;
  for (std::size_t r = 0; r < 2000; ++r) {
    const std::size_t now = good(r), next = good(r + 1);
    const auto& quarter = rows[r * period + 1];
    for (std::size_t k = 0; k < 6; ++k) {
      EXPECT_TRUE(k == now || k == next || quarter[k] == 1);
    }
    if (now == next) {
      EXPECT_EQ(quarter[now], 0);
      continue;
    }
    ++changes;
    leaving += quarter[now];
    coming += quarter[next];
  }
  // g is uniform: it changes with probability 5/6. Hoeffding with 3 checks, limit 0.0625 at n = 2000.
  EXPECT_NEAR(changes / 2000, 5.0 / 6, hoeffding(2000, 3));
  EXPECT_NEAR(leaving / changes, 0.25, hoeffding(changes, 3));
  EXPECT_NEAR(coming / changes, 0.75, hoeffding(changes, 3));
}

TEST(DriftStream, WithAPeriodLongerThanTheGameAndBestEqualOthersIsPlainBernoulli) {
  std::vector<double> mean = totals(rows_of({.name = "drift",
                                             .experts = 3,
                                             .rounds = 20000,
                                             .key = {.seed = 32},
                                             .best = 0.3,
                                             .others = 0.3,
                                             .period = 1u << 31}));
  for (double m : mean) EXPECT_NEAR(m / 20000, 0.3, hoeffding(20000, 3));
}

}  // namespace stochastic_streams_test
}  // namespace hannan::detail
