#include "hannan/noise/choice_probability.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "hannan/core/keyed_random.hpp"

namespace hannan::detail {
namespace choice_probability_test {

struct Case {
  std::string_view noise;
  std::vector<double> losses;
  std::vector<double> column;
  std::size_t action;
};

double probability(const Case& c) {
  return choice_probability({c.losses, c.column, c.action}, Noise::parse(c.noise, ""));
}

TEST(ChoiceProbability, FallsToZeroInBothCasesOfLemmaOne) {
  // U[0,4]: action 0 wins iff alpha >= L_0 - L_1, so 0.5/4 at 3.5 and nothing at 4.5.
  EXPECT_EQ(probability({"uniform:4", {3.5, 0}, {0, 1}, 0}), 0.125);
  EXPECT_EQ(probability({"uniform:4", {4.5, 0}, {0, 1}, 0}), 0);
  // Laplace, column (0, 1/2, 1): action 1 wins on alpha in [-1/2, 1]: 1 - (e^-1/2 + e^-1)/2; one more
  // outcome makes the interval empty. So Laplace noise alone does not save a matrix without gamma.
  EXPECT_NEAR(probability({"laplace", {0.5, 0, 0.25}, {0, 0.5, 1}, 1}), 0.5127949495579621, 1e-15);
  EXPECT_EQ(probability({"laplace", {0.5, 0.5, 0.25}, {0, 0.5, 1}, 1}), 0);
}

TEST(ChoiceProbability, FallsToZeroUnderNoiseOfTheWrongSide) {
  // alpha = -Exp: action 0 wins iff alpha >= -1, probability 1 - 1/e; after losing 1, iff alpha >= 0.
  EXPECT_NEAR(probability({"exponential", {0, 1}, {0, 1}, 0}), 0.6321205588285577, 1e-15);
  EXPECT_EQ(probability({"exponential", {1, 1}, {0, 1}, 0}), 0);
}

TEST(ChoiceProbability, GivesTiedEqualRowsToTheLowestIndex) {
  EXPECT_EQ(probability({"laplace", {1, 1}, {2, 2}, 0}), 1);
  EXPECT_EQ(probability({"laplace", {1, 1}, {2, 2}, 1}), 0);
  EXPECT_EQ(probability({"laplace", {1, 0.5}, {2, 2}, 0}), 0);
}

TEST(ChoiceProbability, SumsToOneAndMatchesTheDrawsOnRandomInstances) {
  // 30 instances of 5 actions: exact sum, and the frequency over 2000 draws. Hoeffding per action at
  // 1e-6/150: sqrt(ln(2*150/1e-6)/(2*2000)) = 0.0699. An interval end on the wrong side shows as 0.14.
  for (const char* name : {"laplace", "uniform:3", "exponential", "exponential-centred", "lp:2"}) {
    const Noise noise = Noise::parse(name, "");
    for (std::uint64_t instance = 0; instance < 6; ++instance) {
      const KeyedRandom random({.seed = 16}, Purpose::kTest, instance);
      std::vector<double> losses(5), column(5), frequency(5), alpha(1);
      random.fill_uniform(losses, 0);
      random.fill_uniform(column, 5);
      constexpr int kDraws = 2000;
      for (int t = 0; t < kDraws; ++t) {
        noise.draw(KeyedRandom({.seed = 16, .run = instance}, Purpose::kNoise, static_cast<std::uint64_t>(t)), alpha);
        std::size_t best = 0;
        for (std::size_t j = 1; j < 5; ++j)
          if (losses[j] + column[j] * alpha[0] < losses[best] + column[best] * alpha[0]) best = j;
        frequency[best] += 1.0 / kDraws;
      }
      double sum = 0;
      for (std::size_t k = 0; k < 5; ++k) {
        const double exact = choice_probability({losses, column, k}, noise);
        sum += exact;
        EXPECT_NEAR(frequency[k], exact, 0.0699) << name;
      }
      EXPECT_NEAR(sum, 1, 1e-14) << name;
    }
  }
}

TEST(ChoiceProbability, ObeysTheStabilityLemmaOnRandomThresholdInstances) {
  // Two actions, column (0,1): the hedge s = f_1 - f_0 has |s| <= 1, so with noise of scale z no
  // probability grows by more than e^(1/z) after one outcome, in either direction.
  const Noise laplace;
  for (std::uint64_t instance = 0; instance < 200; ++instance) {
    const KeyedRandom random({.seed = 17}, Purpose::kTest, instance);
    const double z = 0.5 + 3 * random.uniform(0);
    const std::vector<double> column = {0, z};
    const std::vector<double> before = {5 * random.uniform(1), 5 * random.uniform(2)};
    const std::vector<double> after = {before[0] + random.uniform(3), before[1] + random.uniform(4)};
    for (std::size_t k = 0; k < 2; ++k) {
      const double p = choice_probability({before, column, k}, laplace);
      const double q = choice_probability({after, column, k}, laplace);
      EXPECT_LE(p, std::exp(1 / z) * q * (1 + 1e-12));
      EXPECT_LE(q, std::exp(1 / z) * p * (1 + 1e-12));
    }
  }
}

}  // namespace choice_probability_test
}  // namespace hannan::detail
