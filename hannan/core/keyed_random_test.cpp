#include "hannan/core/keyed_random.hpp"

#include <gtest/gtest.h>

#include <Random123/philox.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <set>
#include <vector>

namespace hannan::detail {
namespace keyed_random_test {

TEST(Philox, GivesThePublishedAnswersThroughThePackage) {
  // The known-answer table of the Random123 distribution, philox4x32 with 10 rounds: all zeros, all ones.
  const r123::Philox4x32 philox;
  const auto zero = philox({{0, 0, 0, 0}}, {{0, 0}});
  EXPECT_EQ(zero[0], 0x6627e8d5u);
  EXPECT_EQ(zero[1], 0xe169c58du);
  EXPECT_EQ(zero[2], 0xbc57ac4cu);
  EXPECT_EQ(zero[3], 0x9b00dbd8u);
  const auto ones = philox({{~0u, ~0u, ~0u, ~0u}}, {{~0u, ~0u}});
  EXPECT_EQ(ones[0], 0x408f276du);
  EXPECT_EQ(ones[1], 0x41c83b0eu);
  EXPECT_EQ(ones[2], 0xa20bc7c6u);
  EXPECT_EQ(ones[3], 0x6d5451fdu);
}

TEST(KeyedRandom, StartsWithThePublishedZeroVector) {
  const KeyedRandom random({}, Purpose::kNoise, 0);
  EXPECT_EQ(random.bits(0), 0xe169c58d6627e8d5u);
  EXPECT_EQ(random.bits(1), 0x9b00dbd8bc57ac4cu);
}

TEST(KeyedRandom, KeepsItsGoldenDraws) {
  // Recorded once; every stored trace depends on them.
  EXPECT_EQ(KeyedRandom({.seed = 1}, Purpose::kNoise, 1).bits(0), 0x1b0bf25bc74a5520u);
  EXPECT_EQ(KeyedRandom({.seed = 1, .run = 2}, Purpose::kMonteCarlo, 3).bits(5, 7), 0xbe60809cf59cecd7u);
  EXPECT_EQ(
      KeyedRandom({.seed = ~0ull, .run = 9}, Purpose::kStream, KeyedRandom::kMaxRound).bits(KeyedRandom::kMaxColumn),
      0x65cb4aaf6ce16a57u);
}

TEST(KeyedRandom, GivesAnotherWordWhenAnyOneOfItsArgumentsChanges) {
  // 3^6 = 729 words of 64 bits: a chance collision has probability below 2^-45.
  std::set<std::uint64_t> seen;
  for (std::uint64_t seed : {0ull, 1ull, 1ull << 63})
    for (std::uint64_t run : {0ull, 1ull, 1ull << 63})
      for (Purpose purpose : {Purpose::kNoise, Purpose::kMonteCarlo, Purpose::kNoiseSize})
        for (std::uint64_t round : {std::uint64_t{0}, std::uint64_t{1}, KeyedRandom::kMaxRound})
          for (std::uint64_t column : {std::uint64_t{0}, std::uint64_t{1}, KeyedRandom::kMaxColumn})
            for (std::uint32_t attempt : {0u, 1u, KeyedRandom::kMaxAttempt})
              seen.insert(KeyedRandom({seed, run}, purpose, round).bits(column, attempt));
  EXPECT_EQ(seen.size(), 729u);
}

TEST(KeyedRandom, FillsExactlyWhatSingleDrawsGive) {
  const KeyedRandom random({.seed = 5}, Purpose::kNoise, 11);
  for (std::uint64_t first : {0ull, 1ull, 6ull, 7ull})
    for (std::size_t size : {0u, 1u, 2u, 3u, 8u, 9u}) {
      std::vector<double> filled(size);
      random.fill_uniform(filled, first);
      for (std::size_t j = 0; j < size; ++j) EXPECT_EQ(filled[j], random.uniform(first + j));
    }
}

TEST(UnitFromBits, StaysStrictlyInsideTheUnitInterval) {
  EXPECT_EQ(unit_from_bits(0), 0x1p-53);
  EXPECT_EQ(unit_from_bits(~0ull), 1.0 - 0x1p-53);
  // The complement is exact and on the same lattice.
  EXPECT_EQ(1.0 - unit_from_bits(~0ull), unit_from_bits(0));
}

TEST(KeyedRandom, IsUniformInKolmogorovDistance) {
  // n = 100000. By the DKW inequality the distance exceeds sqrt(ln(2/1e-6)/(2n)) = 0.00852 with
  // probability below 1e-6; any law whose CDF is off by 0.018 somewhere is caught.
  constexpr std::size_t kDraws = 100000;
  std::vector<double> u(kDraws);
  KeyedRandom({.seed = 2024}, Purpose::kTest, 0).fill_uniform(u);
  std::sort(u.begin(), u.end());
  double distance = 0;
  for (std::size_t i = 0; i < kDraws; ++i) {
    distance = std::max(distance, std::abs(u[i] - static_cast<double>(i) / kDraws));
    distance = std::max(distance, std::abs(u[i] - static_cast<double>(i + 1) / kDraws));
  }
  EXPECT_LT(distance, 0.00852);
}

TEST(KeyedRandom, HasFairAndIndependentBitsInNeighbouringDraws) {
  // Each bit of bits(j) ^ bits(j') is a fair coin when the draws are independent. n = 20000 words: by
  // Hoeffding |mean - 1/2| > sqrt(ln(2/(1e-6/192))/(2n)) = 0.0222 with probability below 1e-6/192 per
  // bit, 1e-6 for all 192. A bit biased by 0.045 would be caught.
  constexpr int kWords = 20000;
  std::array<int, 192> ones{};
  for (int i = 0; i < kWords; ++i) {
    const std::uint64_t round = static_cast<std::uint64_t>(i);
    const KeyedRandom here({.seed = 3}, Purpose::kTest, round);
    const KeyedRandom next({.seed = 3}, Purpose::kTest, round + 1);
    const KeyedRandom other({.seed = 3, .run = 1}, Purpose::kTest, round);
    const std::array<std::uint64_t, 3> pairs = {here.bits(0) ^ here.bits(1), here.bits(0) ^ next.bits(0),
                                                here.bits(0) ^ other.bits(0)};
    for (int pair = 0; pair < 3; ++pair)
      for (int bit = 0; bit < 64; ++bit) ones[pair * 64 + bit] += static_cast<int>(pairs[pair] >> bit & 1);
  }
  for (int count : ones) EXPECT_NEAR(static_cast<double>(count) / kWords, 0.5, 0.0222);
}

TEST(Below, IsFairWhenTheRangeDoesNotDivideThePowerOfTwo) {
  // n = 3 * 2^62: without rejection, a multiply-shift of 2^64 words gives every third value twice the
  // weight: residues 0, 1, 2 mod 3 would have frequencies 1/2, 1/4, 1/4 in some order. With rejection
  // each is 1/3. 20000 draws: Hoeffding deviation sqrt(ln(2/(1e-6/3))/(2n)) = 0.0198.
  constexpr int kDraws = 20000;
  constexpr std::uint64_t kRange = 3ull << 62;
  std::array<int, 3> count{};
  const KeyedRandom random({.seed = 4}, Purpose::kTest, 0);
  for (int j = 0; j < kDraws; ++j) {
    const std::uint64_t value = random.below(static_cast<std::uint64_t>(j), kRange);
    ASSERT_LT(value, kRange);
    ++count[value % 3];
  }
  for (int c : count) EXPECT_NEAR(static_cast<double>(c) / kDraws, 1.0 / 3, 0.0198);
}

TEST(Below, ReachesEveryValueOfASmallRange) {
  // 6 values, 1000 draws: one is missed with probability below 6*(5/6)^1000 < 1e-78.
  std::set<std::uint64_t> seen;
  const KeyedRandom random({.seed = 6}, Purpose::kTest, 0);
  for (std::uint64_t j = 0; j < 1000; ++j) seen.insert(random.below(j, 6));
  EXPECT_EQ(seen, (std::set<std::uint64_t>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(random.below(0, 1), 0u);
}

}  // namespace keyed_random_test
}  // namespace hannan::detail
