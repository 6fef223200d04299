#include "hannan/core/pool.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <vector>

#include "hannan/core/pool_size.hpp"

namespace hannan::detail {
namespace pool_test {

// Losses are the outcome; the least one is known.
struct Row {
  using Action = int;
  using Outcome = std::vector<double>;
  double loss(int x, const Outcome& y) const { return y[static_cast<std::size_t>(x)]; }
  double least_loss(const Outcome& y) const { return *std::min_element(y.begin(), y.end()); }
  double ln_size() const { return std::log(4.0); }
};

struct GivenNoise {
  std::uint64_t id;
  std::vector<double> values;
  NoiseTable range;
  std::uint64_t draw() const { return id; }
  const NoiseTable& table() const { return range; }
  double of(int x) const { return values[static_cast<std::size_t>(x)]; }
  bool quick() const { return true; }
};

Answer<int> searched(std::vector<Ranked<int>> pool, double rest) {
  Answer<int> answer;
  answer.pool = std::move(pool);
  answer.rest = rest;
  return answer;
}

std::optional<Answer<int>> leader(const Pool<Row>& pool) {
  Answer<int> answer;
  return pool.leader(answer) ? std::optional(answer) : std::nullopt;
}

std::optional<Answer<int>> perturbed(const Pool<Row>& pool, const GivenNoise& noise, double scale) {
  Answer<int> answer;
  return pool.perturbed(noise, scale, answer) ? std::optional(answer) : std::nullopt;
}

constexpr auto kNoNoise = [](int) { return 0.0; };

TEST(Pool, KnowsTheLeaderUntilAnOutsiderCouldHaveCaughtUp) {
  Pool<Row> pool;
  pool.refill(searched({{2, 1.0}, {0, 1.5}}, 2.0), {}, kNoNoise);
  ASSERT_TRUE(leader(pool));
  EXPECT_EQ(leader(pool)->action, 2);
  EXPECT_EQ(leader(pool)->calls, 0u);
  // Member 2 pays 0.75, outsiders at least 0: 1.75 < 2, and member 0 at 1.5 leads.
  pool.observe(Row{}, {0.0, 0.0, 0.75, 0.0});
  ASSERT_TRUE(leader(pool));
  EXPECT_EQ(leader(pool)->action, 0);
  // Now 0 pays 0.5 as well and stands at 2.0, where an outsider may be.
  pool.observe(Row{}, {0.5, 0.0, 0.5, 0.0});
  EXPECT_FALSE(leader(pool));
}

TEST(Pool, CreditsOutsidersWithTheLeastLossOnly) {
  Pool<Row> pool;
  pool.refill(searched({{1, 0.0}}, 0.5), {}, kNoNoise);
  // Every action loses at least 0.75 a round, so the margin of 0.5 stays.
  for (int t = 0; t < 1000; ++t) pool.observe(Row{}, {0.75, 0.75, 1.0, 1.0});
  ASSERT_TRUE(leader(pool));
  EXPECT_EQ(leader(pool)->value, 750.0);
}

TEST(Pool, TiesGoToTheSmallestMemberAndAreNotTrustedAgainstOutsiders) {
  Pool<Row> pool;
  pool.refill(searched({{3, 1.0}, {1, 1.0}}, 1.5), {}, kNoNoise);
  EXPECT_EQ(leader(pool)->action, 1);
  // An outsider at the same value might be smaller.
  pool.refill(searched({{3, 1.0}, {1, 1.0}}, 1.0), {}, kNoNoise);
  EXPECT_FALSE(leader(pool));
}

TEST(Pool, FollowsTheScaleOfTheSameDrawExactly) {
  const GivenNoise noise{7, {-1, 2, 0, -3}, {.values = {}, .least = -3, .most = 2}};
  Pool<Row> pool;
  // Evidence loss + 2 noise: action 0 has loss 4 - 2 (-1) = 6, action 1 loss 5 - 4 = 1; outsiders >= 10.
  pool.refill(searched({{0, 4.0}, {1, 5.0}}, 10.0), {.draw = 7, .scale = 2, .least = -3, .most = 2},
              [&](int x) { return noise.of(x); });
  EXPECT_EQ(perturbed(pool, noise, 2.0)->action, 0);
  // At scale 1: 0 has 5, 1 has 3; outsiders >= 10 - 1 * 2 = 8.
  EXPECT_EQ(perturbed(pool, noise, 1.0)->action, 1);
  EXPECT_EQ(perturbed(pool, noise, 1.0)->value, 3.0);
  // At scale 4: 0 has 2, 1 has 9; outsiders >= 10 + 2 (-3) = 4.
  EXPECT_EQ(perturbed(pool, noise, 4.0)->action, 0);
  // At scale 5: 0 has 1; outsiders >= 1.
  EXPECT_FALSE(perturbed(pool, noise, 5.0));
  EXPECT_FALSE(leader(pool));  // the losses of outsiders are known up to the noise only
}

TEST(Pool, FollowsADrawThatHadNoWeightWhenItWasSearched) {
  const GivenNoise noise{7, {-1, 2, 0, -3}, {.values = {}, .least = -3, .most = 2}};
  Pool<Row> pool;
  pool.refill(searched({{0, 4.0}, {1, 3.0}}, 10.0), {.draw = 7, .scale = 0, .least = -3, .most = 2},
              [&](int x) { return noise.of(x); });
  EXPECT_EQ(perturbed(pool, noise, 0.0)->action, 1);
  EXPECT_EQ(perturbed(pool, noise, 1.0)->action, 0);  // 3 against 5
}

TEST(Pool, ServesAnotherDrawWithAWiderMargin) {
  const GivenNoise other{8, {1, -1, 0, 0}, {.values = {}, .least = -1, .most = 1}};
  Pool<Row> pool;
  pool.refill(searched({{0, 1.0}, {1, 1.5}}, 4.0), {}, kNoNoise);
  // 0: 1 + 1 = 2, 1: 1.5 - 1 = 0.5; outsiders >= 4 - 1.
  EXPECT_EQ(perturbed(pool, other, 1.0)->action, 1);
  // 0: 1 + 3 = 4, 1: 1.5 - 3 = -1.5; outsiders >= 4 - 3 = 1.
  EXPECT_EQ(perturbed(pool, other, 3.0)->action, 1);
  // Anchored in a draw: losses 0: 1 - 2 = -1, 1: 1.5 + 2 = 3.5; outsiders >= 4 - 1 * 2 - 1 * 1 = 1.
  pool.refill(searched({{0, 1.0}, {1, 1.5}}, 4.0), {.draw = 7, .scale = 1, .least = -2, .most = 2},
              [](int x) { return x == 0 ? 2.0 : -2.0; });
  EXPECT_EQ(perturbed(pool, other, 1.0)->action, 0);
  EXPECT_EQ(perturbed(pool, other, 1.0)->value, 0.0);
}

TEST(PoolSize, GrowsWhilePoolsDoNotLastAndShrinksWhenTheyLastLong) {
  struct Aged {
    std::uint64_t rounds;
    bool none = false;
    bool empty() const { return none; }
    std::uint64_t age() const { return rounds; }
  };
  PoolSize size(64);
  EXPECT_EQ(size.next(Aged{1}), 32u);
  EXPECT_EQ(size.next(Aged{1}), 64u);
  EXPECT_EQ(size.next(Aged{100}), 64u);
  EXPECT_EQ(size.next(Aged{1000}), 32u);
  // Hopeless: after eight of the largest in a row, eight searches without any.
  std::size_t asked = 0;
  for (int i = 0; i < 9; ++i) asked = size.next(Aged{0});
  EXPECT_EQ(asked, 0u);
  const Aged none{0, true};
  for (int i = 0; i < 8; ++i) EXPECT_EQ(size.next(none), 0u);
  // Then one more try with the largest, and twice as long without.
  EXPECT_EQ(size.next(none), 64u);
  EXPECT_EQ(size.next(Aged{0}), 0u);
  for (int i = 0; i < 16; ++i) EXPECT_EQ(size.next(none), 0u);
  EXPECT_EQ(size.next(none), 64u);
}

TEST(Sum, ForgetsNothingOverManyRounds) {
  Sum sum;
  double naive = 0;
  sum.add(1e9);
  naive += 1e9;
  for (int i = 0; i < 1'000'000; ++i) {
    sum.add(0.1);
    naive += 0.1;
  }
  // 0.1 is 0.1 + 5.55e-18 in binary: the true sum is 1e9 + 1e5 + 5.6e-12.
  EXPECT_EQ(sum.value(), 1e9 + 1e5);
  EXPECT_NE(naive, 1e9 + 1e5);
}

}  // namespace pool_test
}  // namespace hannan::detail
