#include "hannan/play/best_sequence.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "hannan/core/keyed_random.hpp"

namespace hannan::detail {
namespace best_sequence_test {

using Losses = std::vector<std::vector<double>>;

// By trying every sequence.
double by_enumeration(const Losses& rounds, std::size_t switches) {
  const std::size_t actions = rounds[0].size();
  std::size_t count = 1;
  for (std::size_t t = 0; t < rounds.size(); ++t) count *= actions;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t code = 0; code < count; ++code) {
    std::size_t rest = code, made = 0, last = code % actions;
    double total = 0;
    for (const auto& losses : rounds) {
      const std::size_t k = rest % actions;
      rest /= actions;
      if (k != last) ++made;
      last = k;
      total += losses[k];
    }
    if (made <= switches) least = std::min(least, total);
  }
  return least;
}

double found(const Losses& rounds, std::size_t switches) {
  BestSequence best(rounds[0].size(), switches);
  for (const auto& losses : rounds) best.observe(losses);
  return best.best(switches);
}

TEST(BestSequence, AgreesWithEnumerationOfAllSequences) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Losses rounds;
    for (std::uint64_t t = 0; t < 7; ++t) {
      rounds.emplace_back();
      for (std::uint64_t k = 0; k < 3; ++k) {
        const KeyedRandom random({.seed = seed, .run = 0}, Purpose::kTest, t);
        rounds.back().push_back(random.uniform(k));
      }
    }
    for (std::size_t n = 0; n < 7; ++n) EXPECT_NEAR(found(rounds, n), by_enumeration(rounds, n), 1e-12) << seed << n;
  }
}

// 0 is free for three rounds, then 1, then 0 again: L* = 3 by action 0 against the middle block, and each switch
// that is allowed saves one block.
TEST(BestSequence, EverySwitchSavesABlock) {
  Losses rounds;
  for (const int good : {0, 0, 0, 1, 1, 1, 0, 0}) rounds.push_back({good == 0 ? 0.0 : 1.0, good == 1 ? 0.0 : 1.0});
  EXPECT_EQ(found(rounds, 0), 3);
  EXPECT_EQ(found(rounds, 1), 2);
  EXPECT_EQ(found(rounds, 2), 0);
  EXPECT_EQ(found(rounds, 5), 0);
}

TEST(BestSequence, MoreSwitchesThanRoundsTakeTheLeastOfEveryRound) {
  BestSequence best(2, 4);
  best.observe(std::vector{0.5, 0.25});
  best.observe(std::vector{0.125, 1.0});
  EXPECT_EQ(best.best(0), 0.625);
  for (std::size_t n = 1; n <= 4; ++n) EXPECT_EQ(best.best(n), 0.375);
}

}  // namespace best_sequence_test
}  // namespace hannan::detail
