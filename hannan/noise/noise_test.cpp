#include "hannan/noise/noise.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "hannan/core/error.hpp"
#include "hannan/noise/exponential.hpp"
#include "hannan/noise/lp_ball.hpp"
#include "hannan/noise/noise_kinds.hpp"
#include "tests/statistical/kolmogorov.hpp"

namespace hannan::detail {
namespace noise_test {

Code refusal(std::string_view name) {
  try {
    Noise::parse(name, "params.noise");
  } catch (const Error& error) {
    EXPECT_EQ(error.at(), "params.noise");
    return error.code();
  }
  return Code::kInternal;
}

TEST(Noise, ReadsBackEveryNameItWrites) {
  for (const char* name : {"laplace", "exponential", "exponential-centred", "lp:1", "lp:1.5", "lp:2", "lp:inf",
                           "uniform:4", "uniform:0.1"}) {
    const Noise noise = Noise::parse(name, "params.noise");
    EXPECT_EQ(noise.name(), name);
    EXPECT_EQ(Noise::parse(noise.name(), ""), noise);
  }
}

TEST(Noise, ReadsTheExamplesOfEveryListedLaw) {
  ASSERT_FALSE(noise_kinds().empty());
  for (const NoiseKind& kind : noise_kinds()) {
    ASSERT_FALSE(kind.examples.empty()) << kind.form;
    for (const std::string_view name : kind.examples) {
      EXPECT_EQ(Noise::parse(name, "").name(), name);
      EXPECT_TRUE(kind.read(name, "").has_value()) << name;
    }
  }
}

TEST(Noise, DrawsEveryListedLawAsItsMassSays) {
  // One column, sign +1: 100000 draws a law, 1e-6 false alarm each, limit 0.0085; a scale wrong by 5 % moves the CDF by
  // more.
  for (const NoiseKind& kind : noise_kinds()) {
    for (const std::string_view name : kind.examples) {
      const Noise law = Noise::parse(name, "");
      std::vector<double> drawn(100000);
      for (std::size_t t = 0; t < drawn.size(); ++t) {
        law.draw(KeyedRandom({.seed = 16}, Purpose::kNoise, t), std::span(drawn).subspan(t, 1));
      }
      const auto cdf = [&](double a) { return law.mass(-std::numeric_limits<double>::infinity(), a); };
      EXPECT_LT(testing::kolmogorov_distance(drawn, cdf), testing::kolmogorov_limit(drawn.size())) << name;
    }
  }
}

TEST(Noise, IsLaplaceByDefault) { EXPECT_EQ(Noise(), Noise::parse("laplace", "")); }

TEST(Noise, RefusesNamesAndNumbersThatMeanNothing) {
  EXPECT_EQ(refusal("gauss"), Code::kUnknownName);
  EXPECT_EQ(refusal(""), Code::kUnknownName);
  EXPECT_EQ(refusal("Laplace"), Code::kUnknownName);
  EXPECT_EQ(refusal("lp"), Code::kUnknownName);
  EXPECT_EQ(refusal("lp:"), Code::kNotANumber);
  EXPECT_EQ(refusal("lp:two"), Code::kNotANumber);
  EXPECT_EQ(refusal("lp:2x"), Code::kNotANumber);
  EXPECT_EQ(refusal("lp:nan"), Code::kNotANumber);
  EXPECT_EQ(refusal("lp:0.99"), Code::kOutOfRange);
  EXPECT_EQ(refusal("uniform:inf"), Code::kNotANumber);
  EXPECT_EQ(refusal("uniform:0"), Code::kOutOfRange);
  EXPECT_EQ(refusal("uniform:-1"), Code::kOutOfRange);
}

TEST(Noise, KnowsTheFactsOfEachLaw) {
  const auto facts = [](std::string_view name) { return Noise::parse(name, "").facts(); };
  EXPECT_EQ(facts("laplace"), (NoiseFacts{.p = 1, .centred = true, .symmetric = true}));
  EXPECT_EQ(facts("exponential"), (NoiseFacts{.p = 1, .one_sided = true}));
  EXPECT_EQ(facts("exponential-centred"), (NoiseFacts{.p = 1, .centred = true, .one_sided = true}));
  EXPECT_EQ(facts("lp:3"), (NoiseFacts{.p = 3, .centred = true, .symmetric = true}));
  EXPECT_EQ(facts("lp:inf").p, std::numeric_limits<double>::infinity());
  EXPECT_EQ(facts("uniform:2"), NoiseFacts{});
}

TEST(Noise, DrawsWhatItsLawDraws) {
  const KeyedRandom random({.seed = 15}, Purpose::kNoise, 2);
  const std::vector<int> signs = {-1, 1, -1};
  std::vector<double> whole(3), part(3);
  Noise::parse("exponential", "").draw(random, whole, signs);
  Exponential{}.draw(random, part, signs);
  EXPECT_EQ(whole, part);
  Noise::parse("lp:2", "").draw(random, whole);
  LpBall{2}.draw(random, part);
  EXPECT_EQ(whole, part);
}

}  // namespace noise_test
}  // namespace hannan::detail
