#include "hannan/streams/ordered_streams.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace hannan::detail {
namespace ordered_streams_test {

struct Hit {
  std::uint64_t round;
  std::size_t expert;
  friend bool operator==(const Hit&, const Hit&) = default;
};

std::vector<Hit> hits_of(const StreamSpec& spec) {
  const auto stream = make_loss_stream(spec);
  std::vector<Hit> hits;
  std::vector<double> row(stream->experts());
  for (std::uint64_t t = 1; t <= spec.rounds; ++t) {
    stream->losses(t, row);
    for (std::size_t k = 0; k < row.size(); ++k) {
      EXPECT_TRUE(row[k] == 0 || row[k] == 1);
      if (row[k] == 1) hits.push_back({t, k});
    }
  }
  return hits;
}

TEST(EliminationStream, HitsEveryExpertTenTimesAPassAndSparesTheLastOnce) {
  const struct {
    std::uint64_t passes, rounds;
  } cases[] = {{0, 5000}, {1, 5000}, {10, 20000}};
  for (const auto& c : cases) {
    std::vector<int> count(64);
    const auto hits = hits_of({.name = "elimination", .rounds = c.rounds, .hits = c.passes});
    for (const Hit& hit : hits) ++count[hit.expert];
    for (std::size_t k = 0; k < 63; ++k) EXPECT_EQ(count[k], 10 * (c.passes + 1));
    EXPECT_EQ(count[63], 10 * c.passes);
    // In index order, ten each.
    for (std::size_t i = 0; i < hits.size(); ++i) EXPECT_EQ(hits[i].expert, i / 10 % 64);
    EXPECT_EQ(hits.front().round, 1u);
    EXPECT_EQ(hits.back().round, c.rounds);
  }
}

TEST(EliminationStream, SpreadsItsHitsEvenly) {
  // K = 2, p = 0: ten hits of expert 0. T = 10: every round. T = 24: floor(23 i / 9) + 1.
  for (const Hit& hit : hits_of({.name = "elimination", .experts = 2, .rounds = 10, .hits = 0}))
    EXPECT_EQ(hit.expert, 0u);
  EXPECT_EQ(hits_of({.name = "elimination", .experts = 2, .rounds = 10, .hits = 0}).size(), 10u);
  const std::uint64_t rounds[] = {1, 3, 6, 8, 11, 13, 16, 18, 21, 24};
  const auto hits = hits_of({.name = "elimination", .experts = 2, .rounds = 24, .hits = 0});
  ASSERT_EQ(hits.size(), 10u);
  for (std::size_t i = 0; i < 10; ++i) EXPECT_EQ(hits[i], (Hit{rounds[i], 0}));
}

TEST(EliminationStream, MatchesTheFormulaHitByHit) {
  // 10 (7 * 3 + 6) = 270 hits; every T from the tightest on, so that the spacing passes through many
  // fractions and integers.
  for (std::uint64_t rounds = 270; rounds < 600; ++rounds) {
    const auto hits = hits_of({.name = "elimination", .experts = 7, .rounds = rounds, .hits = 3});
    ASSERT_EQ(hits.size(), 270u);
    for (std::uint64_t i = 0; i < 270; ++i) ASSERT_EQ(hits[i].round, i * (rounds - 1) / 269 + 1);
  }
}

TEST(EliminationStream, OfOneExpertWithoutAPassIsAllZeros) {
  EXPECT_TRUE(hits_of({.name = "elimination", .experts = 1, .rounds = 1, .hits = 0}).empty());
  EXPECT_EQ(hits_of({.name = "elimination", .experts = 1, .rounds = 25, .hits = 2}).size(), 20u);
}

TEST(EliminationStream, NeedsNoSmallNumbers) {
  // T = 2^40, K = 2^20, p = 0: the last hit is in the last round, on the last but one expert.
  const std::uint64_t rounds = std::uint64_t{1} << 40;
  const auto stream = make_loss_stream({.name = "elimination", .experts = 1u << 20, .rounds = rounds, .hits = 0});
  std::vector<double> row(stream->experts());
  stream->losses(rounds, row);
  EXPECT_EQ(row[(1u << 20) - 2], 1);
  stream->losses(rounds - 1, row);
  for (double loss : row) ASSERT_EQ(loss, 0);
}

TEST(KillerStream, StartsWithAHalfAndAlternates) {
  const auto stream = make_loss_stream({.name = "killer", .rounds = 5});
  ASSERT_EQ(stream->experts(), 2u);
  const std::vector<std::vector<double>> rows = {{0.5, 0}, {0, 1}, {1, 0}, {0, 1}, {1, 0}};
  std::vector<double> row(2);
  for (std::uint64_t t = 1; t <= 5; ++t) {
    stream->losses(t, row);
    EXPECT_EQ(row, rows[t - 1]);
  }
}

TEST(KillerStream, MakesTheLeaderLoseHalfOfTheRoundsMoreThanTheBest) {
  // T = 5000: the leader pays 0.5 and then 4999 times 1, the experts 0.5 + 2499 and 2500: regret
  // 4999.5 - 2499.5 = 2500.
  const auto stream = make_loss_stream({.name = "killer", .rounds = 5000});
  double total[2] = {0, 0}, paid = 0, row[2];
  for (std::uint64_t t = 1; t <= 5000; ++t) {
    stream->losses(t, row);
    paid += row[total[1] < total[0]];
    for (int k : {0, 1}) total[k] += row[k];
  }
  EXPECT_EQ(total[0], 2499.5);
  EXPECT_EQ(total[1], 2500);
  EXPECT_EQ(paid - total[0], 2500);
}

}  // namespace ordered_streams_test
}  // namespace hannan::detail
