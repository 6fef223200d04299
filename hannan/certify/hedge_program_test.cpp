#include "hannan/certify/hedge_program.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace hannan::detail {
namespace hedge_program_test {

// 2 s_0 >= 1 and s_0 - s_1 >= 1: s = (1, 0), (1/2, -1/2) and all between cost 1; in the sup-norm (1/2, -1/2)
// alone is cheapest, at 1/2; with s >= 0 only (1, 0) is left, and with s <= 0 the first need cannot be met.
std::vector<std::vector<double>> two_rivals() { return {{2, 0}, {1, -1}}; }
const std::vector<double> kNeeds = {1, 1};

TEST(HedgeProgram, FindsTheCheapestHedgeInBothNormsAndAllSigns) {
  EXPECT_NEAR(HedgeProgram(two_rivals(), {}).cheapest(kNeeds).norm, 1, 1e-12);
  const GammaQuery sup{.norm = GammaQuery::Norm::kSup};
  const HedgeVector flat = HedgeProgram(two_rivals(), sup).cheapest(kNeeds);
  EXPECT_NEAR(flat.s[0], 0.5, 1e-12);
  EXPECT_NEAR(flat.s[1], -0.5, 1e-12);
  for (const auto norm : {GammaQuery::Norm::kOne, GammaQuery::Norm::kSup}) {
    const HedgeVector up = HedgeProgram(two_rivals(), {.sign = HedgeSign::kNonNegative, .norm = norm}).cheapest(kNeeds);
    EXPECT_NEAR(up.s[0], 1, 1e-12);
    EXPECT_NEAR(up.s[1], 0, 1e-12);
    const HedgeVector down =
        HedgeProgram(two_rivals(), {.sign = HedgeSign::kNonPositive, .norm = norm}).cheapest(kNeeds);
    EXPECT_TRUE(std::isinf(down.norm));
    EXPECT_TRUE(down.s.empty());
  }
}

TEST(HedgeProgram, ReusesMultiplesOfWhatItFoundAndClaimsNoMore) {
  HedgeProgram program(two_rivals(), {.sign = HedgeSign::kNonNegative});
  EXPECT_FALSE(program.known_within(kNeeds, 100));  // nothing is known yet
  EXPECT_NEAR(program.cheapest(kNeeds).norm, 1, 1e-12);
  // s = (1, 0) gains (2, 1): t = 0.75 serves needs (1.5, 0.75) at price 0.75, and nothing less does.
  EXPECT_TRUE(program.known_within(std::vector<double>{1.5, 0.75}, 0.75));
  EXPECT_FALSE(program.known_within(std::vector<double>{1.5, 0.75}, 0.74));
}

// Rivals on both sides by differences that are equal only up to rounding: 0.1 + 0.2 against 0.3.
TEST(HedgeProgram, TakesRoundingDustForZeroWhenItProvesInfeasibility) {
  HedgeProgram program({{0.1 + 0.2}, {-0.3}}, {});
  EXPECT_TRUE(std::isinf(program.cheapest(std::vector<double>{0.5, 0.5}).norm));
  EXPECT_NEAR(program.cheapest(std::vector<double>{0.6, -0.6}).norm, 2, 1e-9);
}

// Rivals (1,0) and (0,1) with needs 1 and 2: s = (1,2), norm 3, each unit of need costing one: lambda = (1,1).
TEST(HedgeProgram, ARivalThatJoinsLaterCountsLikeOneFromTheStart) {
  HedgeProgram program({{1, 0}}, {});
  const std::vector<double> alone{1};
  EXPECT_NEAR(program.cheapest(alone).norm, 1, 1e-9);
  const std::vector<double> joined{0, 1};
  program.add_rival(joined);
  const std::vector<double> needs{1, 2};
  const HedgeVector found = program.cheapest(needs);
  EXPECT_NEAR(found.norm, 3, 1e-9);
  EXPECT_NEAR(found.s[0], 1, 1e-9);
  EXPECT_NEAR(found.s[1], 2, 1e-9);
  ASSERT_EQ(found.proof.size(), 2u);
  EXPECT_NEAR(found.proof[0] * needs[0] + found.proof[1] * needs[1], found.norm, 1e-9);
}

// Opposite rivals: 0.5 s >= 1 and -0.5 s >= 1 added up read 0 >= 2, with equal weights.
TEST(HedgeProgram, AnImpossibleNeedComesWithTheWeightsThatRefuteIt) {
  HedgeProgram program({{0.5}, {-0.5}}, {});
  const std::vector<double> needs{1, 1};
  const HedgeVector found = program.cheapest(needs);
  EXPECT_EQ(found.norm, kNoBound);
  ASSERT_EQ(found.proof.size(), 2u);
  EXPECT_GT(found.proof[0], 0);
  EXPECT_NEAR(found.proof[0], found.proof[1], 1e-9 * found.proof[0]);
}

}  // namespace hedge_program_test
}  // namespace hannan::detail
