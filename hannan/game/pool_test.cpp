#include "hannan/game/pool.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "hannan/game/game_of.hpp"
#include "hannan/game/pool_size.hpp"

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

class GivenNoise final : public AskedNoise {
 public:
  GivenNoise(std::uint64_t id, std::vector<double> values, double least, double most)
      : id_(id), values_(std::move(values)), range_{.values = {}, .least = least, .most = most} {}
  std::uint64_t draw() const override { return id_; }
  bool quick() const override { return true; }
  const NoiseTable& table() const override { return range_; }
  double of(const AnyAction& x) const override { return values_[static_cast<std::size_t>(x.get<int>())]; }

 private:
  std::uint64_t id_;
  std::vector<double> values_;
  NoiseTable range_;
};

GameAnswer searched(const std::vector<Ranked<int>>& pool, double rest) {
  GameAnswer answer;
  for (const auto& [action, value] : pool) answer.pool.push_back({AnyAction::of(action), value});
  answer.rest = rest;
  return answer;
}

// The action and its value; what no pool proves is none.
struct Found {
  int action;
  double value;
  std::uint64_t calls;
};
std::optional<Found> leader(const Pool& pool) {
  GameAnswer answer;
  if (!pool.leader(answer)) return std::nullopt;
  return Found{answer.action.get<int>(), answer.value, answer.calls};
}

std::optional<Found> perturbed(const Pool& pool, const GivenNoise& noise, double scale) {
  GameAnswer answer;
  if (!pool.perturbed({.noise = noise, .scale = scale}, answer)) return std::nullopt;
  return Found{answer.action.get<int>(), answer.value, answer.calls};
}

void observe(Pool& pool, std::vector<double> losses) {
  static const auto game = erased(std::make_shared<const Row>());
  pool.observe(*game, AnyOutcome::of(std::move(losses)));
}

TEST(Pool, KnowsTheLeaderUntilAnOutsiderCouldHaveCaughtUp) {
  Pool pool;
  pool.refill(searched({{2, 1.0}, {0, 1.5}}, 2.0));
  ASSERT_TRUE(leader(pool));
  EXPECT_EQ(leader(pool)->action, 2);
  EXPECT_EQ(leader(pool)->calls, 0u);
  // Member 2 pays 0.75, outsiders at least 0: 1.75 < 2, and member 0 at 1.5 leads.
  observe(pool, {0.0, 0.0, 0.75, 0.0});
  ASSERT_TRUE(leader(pool));
  EXPECT_EQ(leader(pool)->action, 0);
  // Now 0 pays 0.5 as well and stands at 2.0, where an outsider may be.
  observe(pool, {0.5, 0.0, 0.5, 0.0});
  EXPECT_FALSE(leader(pool));
}

TEST(Pool, CreditsOutsidersWithTheLeastLossOnly) {
  Pool pool;
  pool.refill(searched({{1, 0.0}}, 0.5));
  // Every action loses at least 0.75 a round, so the margin of 0.5 stays.
  for (int t = 0; t < 1000; ++t) observe(pool, {0.75, 0.75, 1.0, 1.0});
  ASSERT_TRUE(leader(pool));
  EXPECT_EQ(leader(pool)->value, 750.0);
}

TEST(Pool, TiesGoToTheSmallestMemberAndAreNotTrustedAgainstOutsiders) {
  Pool pool;
  pool.refill(searched({{3, 1.0}, {1, 1.0}}, 1.5));
  EXPECT_EQ(leader(pool)->action, 1);
  // An outsider at the same value might be smaller.
  pool.refill(searched({{3, 1.0}, {1, 1.0}}, 1.0));
  EXPECT_FALSE(leader(pool));
}

TEST(Pool, FollowsTheScaleOfTheSameDrawExactly) {
  const GivenNoise noise(7, {-1, 2, 0, -3}, -3, 2);
  Pool pool;
  // Evidence loss + 2 noise: action 0 has loss 4 - 2 (-1) = 6, action 1 loss 5 - 4 = 1; outsiders >= 10.
  pool.refill(searched({{0, 4.0}, {1, 5.0}}, 10.0), noise, 2);
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
  const GivenNoise noise(7, {-1, 2, 0, -3}, -3, 2);
  Pool pool;
  pool.refill(searched({{0, 4.0}, {1, 3.0}}, 10.0), noise, 0);
  EXPECT_EQ(perturbed(pool, noise, 0.0)->action, 1);
  EXPECT_EQ(perturbed(pool, noise, 1.0)->action, 0);  // 3 against 5
}

TEST(Pool, ServesAnotherDrawWithAWiderMargin) {
  const GivenNoise other(8, {1, -1, 0, 0}, -1, 1);
  Pool pool;
  pool.refill(searched({{0, 1.0}, {1, 1.5}}, 4.0));
  // 0: 1 + 1 = 2, 1: 1.5 - 1 = 0.5; outsiders >= 4 - 1.
  EXPECT_EQ(perturbed(pool, other, 1.0)->action, 1);
  // 0: 1 + 3 = 4, 1: 1.5 - 3 = -1.5; outsiders >= 4 - 3 = 1.
  EXPECT_EQ(perturbed(pool, other, 3.0)->action, 1);
  // Anchored in a draw: losses 0: 1 - 2 = -1, 1: 1.5 + 2 = 3.5; outsiders >= 4 - 1 * 2 - 1 * 1 = 1.
  pool.refill(searched({{0, 1.0}, {1, 1.5}}, 4.0), GivenNoise(7, {2, -2}, -2, 2), 1);
  EXPECT_EQ(perturbed(pool, other, 1.0)->action, 0);
  EXPECT_EQ(perturbed(pool, other, 1.0)->value, 0.0);
}

Pool aged(int rounds) {
  Pool pool;
  pool.refill(searched({{0, 0.0}}, 1.0));
  for (int t = 0; t < rounds; ++t) observe(pool, {0, 0, 0, 0});
  return pool;
}

TEST(PoolSize, GrowsWhilePoolsDoNotLastAndShrinksWhenTheyLastLong) {
  PoolSize size(64);
  EXPECT_EQ(size.next(aged(1)), 32u);
  EXPECT_EQ(size.next(aged(1)), 64u);
  EXPECT_EQ(size.next(aged(100)), 64u);
  EXPECT_EQ(size.next(aged(1000)), 32u);
  // After eight of the largest in a row that did not last, eight searches without any.
  std::size_t asked = 0;
  for (int i = 0; i < 9; ++i) asked = size.next(aged(0));
  EXPECT_EQ(asked, 0u);
  const Pool none;
  for (int i = 0; i < 8; ++i) EXPECT_EQ(size.next(none), 0u);
  // Then one more try with the largest, and twice as long without.
  EXPECT_EQ(size.next(none), 64u);
  EXPECT_EQ(size.next(aged(0)), 0u);
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
