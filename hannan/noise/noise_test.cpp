#include "hannan/noise/noise.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "hannan/core/error.hpp"

namespace hannan {
namespace {

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

}  // namespace
}  // namespace hannan
