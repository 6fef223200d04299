// The verifier's own draws against the library's: the same bits for every law and every purpose.
#include "hannan/verify/noise_draws.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "hannan/core/elementary.hpp"
#include "hannan/core/keyed_random.hpp"
#include "hannan/noise/noise.hpp"
#include "hannan/noise/noise_kinds.hpp"

namespace hannan::detail {
namespace noise_draws_test {

struct Place {
  std::uint64_t seed, run, round;
};
const std::vector<Place> kPlaces{{0, 0, 1},
                                 {1, 0, 1},
                                 {0, 1, 2},
                                 {20'240'607, 3, 12'345},
                                 {(std::uint64_t{1} << 53) - 1, (std::uint64_t{1} << 53) - 1, std::uint64_t{1} << 40}};

TEST(NoiseDraws, AreThePublishedZeroVectorOfPhiloxWhereEverythingIsZero) {
  // Philox4x32-10, counter and key zero: 6627e8d5 e169c58d bc57ac4c 9b00dbd8.
  const RoundWords words({}, DrawPurpose::kNoise, 0);
  EXPECT_EQ(words.word(0), 0xe169c58d6627e8d5U);
  EXPECT_EQ(words.word(1), 0x9b00dbd8bc57ac4cU);
}

TEST(NoiseDraws, HaveTheWordsOfTheLibraryForEveryPurposeColumnAndAttempt) {
  for (const Place& at : kPlaces) {
    for (const int purpose : {0, 1, 2}) {
      const KeyedRandom theirs({at.seed, at.run}, static_cast<Purpose>(purpose), at.round);
      const RoundWords ours({at.seed, at.run}, static_cast<DrawPurpose>(purpose), at.round);
      for (std::uint64_t j = 0; j < 200; ++j) {
        for (const std::uint32_t attempt : {0U, 1U, 2U, 77U, (1U << 24) - 1}) {
          ASSERT_EQ(ours.word(j, attempt), theirs.bits(j, attempt));
          ASSERT_EQ(ours.uniform(j, attempt), theirs.uniform(j, attempt));
        }
      }
      EXPECT_EQ(ours.word((std::uint64_t{1} << 41) - 1), theirs.bits((std::uint64_t{1} << 41) - 1));
    }
  }
}

std::vector<std::string> laws() {
  std::vector<std::string> names{"lp:1",   "lp:1.0000001", "lp:1.5",        "lp:7",
                                 "lp:300", "lp:1e300",     "uniform:0.037", "uniform:12"};
  for (const NoiseKind& kind : noise_kinds()) names.insert(names.end(), kind.examples.begin(), kind.examples.end());
  return names;
}

TEST(NoiseDraws, HaveEveryLawOfTheLibraryBitForBit) {
  for (const std::string& name : laws()) {
    const Noise theirs = Noise::parse(name, "");
    const auto ours = DrawnLaw::named(name);
    ASSERT_TRUE(ours) << name << ": add it to hannan/verify/noise_draws.cpp and docs/record.md";
    EXPECT_EQ(ours->p(), theirs.facts().p) << name;
    EXPECT_EQ(ours->centred(), theirs.facts().centred) << name;
    EXPECT_EQ(ours->symmetric(), theirs.facts().symmetric) << name;
    for (const Place& at : kPlaces) {
      for (const int purpose : {0, 1}) {
        for (const std::size_t columns : {0U, 1U, 2U, 3U, 64U, 255U, 256U, 1001U}) {
          for (const int sign : {1, -1}) {
            std::vector<double> expected(columns), found(columns);
            theirs.draw(KeyedRandom({at.seed, at.run}, static_cast<Purpose>(purpose), at.round), expected,
                        std::vector<int>(columns, sign));
            ours->draw(RoundWords({at.seed, at.run}, static_cast<DrawPurpose>(purpose), at.round), found, sign);
            ASSERT_EQ(found, expected) << name << " " << columns;
          }
        }
      }
    }
  }
}

TEST(NoiseDraws, HaveNoLawOfAnotherName) {
  for (const char* name : {"", "gauss", "Laplace", "laplace ", "lp", "lp:", "lp:two", "lp:2x", "lp:nan", "lp:0.99",
                           "lp:-inf", "uniform", "uniform:0", "uniform:-1", "uniform:inf", "uniform:1 "}) {
    EXPECT_FALSE(DrawnLaw::named(name)) << name;
  }
}

// What learners without a named law draw, by the definitions of those learners.
TEST(NoiseDraws, HaveTheWeightsOfFakeDataAndTheExponentialsOfFpl) {
  for (const Place& at : kPlaces) {
    const KeyedRandom theirs({at.seed, at.run}, Purpose::kNoise, at.round);
    const RoundWords ours({at.seed, at.run}, DrawPurpose::kNoise, at.round);
    std::vector<double> found(1001);
    for (const double chance : {0.001, 0.3, 0.999, 1.0}) {
      DrawnLaw::geometric(chance).draw(ours, found);
      for (std::size_t j = 0; j < found.size(); ++j) {
        const double expected =
            chance < 1 ? std::floor(portable_log(theirs.uniform(j)) / portable_log(1 - chance)) : 0.0;
        ASSERT_EQ(found[j], expected) << chance;
      }
    }
    DrawnLaw::exponential().draw(ours, found, -1);
    for (std::size_t j = 0; j < found.size(); ++j) ASSERT_EQ(found[j], -portable_log(1 - theirs.uniform(j)));
  }
}

}  // namespace noise_draws_test
}  // namespace hannan::detail
