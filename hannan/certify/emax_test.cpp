#include "hannan/certify/bounds.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace hannan::bounds {
namespace emax_test {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

void expect_close(double found, double expected, double relative = 1e-12) {
  EXPECT_NEAR(found, expected, relative * std::max(1.0, std::abs(expected)));
}

TEST(EmaxPaper, IsSqrt2TimesTheLargerOfTheTwoTerms) {
  expect_close(emax_paper(std::log(2), 1), 1.9605162869370945);   // 2 sqrt2 ln 2: ln K > N/4
  expect_close(emax_paper(std::log(8), 3), 5.881548860811283);    // three times that
  expect_close(emax_paper(std::log(65), 64), 23.11539682866469);  // sqrt2 * 8 sqrt(ln 65): the other term
  expect_close(emax_paper(std::log(1000), 10), 19.538082402181765);
  expect_close(emax_paper(std::log(1000), 200), 52.565217697569324);
  expect_close(emax_paper(std::log(1e6), 20), 39.07616480436353);
}

TEST(EmaxCentred, TakesHalfTheColumnsWhenThatIsSmaller) {
  EXPECT_EQ(emax_centred(std::log(2), 1), 0.5);
  EXPECT_EQ(emax_centred(std::log(8), 3), 1.5);
  EXPECT_EQ(emax_centred(std::log(1000), 10), 5);
  EXPECT_EQ(emax_centred(std::log(1e6), 20), 10);
  expect_close(emax_centred(std::log(65), 64), 23.11539682866469);  // 32 is larger
  expect_close(emax_centred(std::log(1000), 200), 52.565217697569324);
  EXPECT_EQ(emax_centred(0, 5), 0);  // a single action
}

TEST(EmaxCentred, IsNeverAboveThePrintedBound) {
  for (double ln_K = 0; ln_K < 80; ln_K += 0.37) {
    for (double N = 1; N < 2000; N *= 1.7) EXPECT_LE(emax_centred(ln_K, N), emax_paper(ln_K, N));
  }
}

TEST(EmaxBits, IsHalfTheNumberOfColumns) {
  EXPECT_EQ(emax_bits(1), 0.5);
  EXPECT_EQ(emax_bits(10), 5);
}

TEST(EmaxPrefix, StartsWithOneHalfAndSevenEighths) {
  EXPECT_EQ(emax_prefix(0), 0);
  EXPECT_EQ(emax_prefix(1), 0.5);    // C(2,1)/4
  EXPECT_EQ(emax_prefix(2), 0.875);  // 1/2 + C(4,2)/16 = 1/2 + 6/16
}

TEST(EmaxPrefix, MatchesValuesSummedInFortyDigits) {
  expect_close(emax_prefix(8), 2.338470458984375);
  expect_close(emax_prefix(31), 5.358192239869881378);  // the last one by the product
  expect_close(emax_prefix(32), 5.457538993617848274);  // the first one by the series
  expect_close(emax_prefix(64), 8.079805889931951998);
  expect_close(emax_prefix(1000), 34.69586130285449578);
  expect_close(emax_prefix(1e6), 1127.379590237638526);
}

TEST(EmaxPrefix, MatchesItsSumFormAtEveryLengthUpToAThousand) {
  double term = 1;
  double sum = 0;
  for (int m = 1; m <= 1000; ++m) {
    term *= (2.0 * m - 1) / (2.0 * m);
    sum += term;
    expect_close(emax_prefix(m), sum);
  }
}

TEST(EmaxIdentity, IsZeroForOneVariableAndKnownForAFew) {
  EXPECT_NEAR(emax_identity(1), 0, 1e-15);  // 1 - 1/2 - 1/2
  expect_close(emax_identity(2), 0.75);     // 3/2 - (1/2 + 1/8) - 1/8
  expect_close(emax_identity(3), 1.125);    // 11/6 - (1/2 + 1/8 + 1/24) - 1/24
}

TEST(EmaxIdentity, MatchesValuesSummedInFortyDigits) {
  expect_close(emax_identity(65), 4.066128338530439101);
  expect_close(emax_identity(99), 4.484230337079674951);   // the last one by the sum
  expect_close(emax_identity(100), 4.494230337079674951);  // the first one by the series
  expect_close(emax_identity(1000), 6.792323679990399603);
  expect_close(emax_identity(1e9), 20.60733432178799871);
  expect_close(emax_identity(1e30), 68.96162127416295807);
}

TEST(EmaxIdentity, MatchesAMidpointIntegralOfTheDistribution) {
  // E max = int_0^inf (1 - F^K) - int_-inf^0 F^K, here for K = 10 on [-40, 40] in steps of 1/1000.
  double integral = 0;
  for (int i = 0; i < 40000; ++i) {
    const double x = (i + 0.5) / 1000;
    integral += 1 - std::pow(1 - std::exp(-x) / 2, 10) - std::pow(std::exp(-x) / 2, 10);
  }
  expect_close(emax_identity(10), integral / 1000, 1e-6);
}

TEST(EmaxLp, MatchesThePrintedFormulaAtPOneTwoAndInfinity) {
  const double ln_K = std::log(64);
  // 2 * 8^(1-1/p) * (ln 64 + 8 ln 2) = 8^(1-1/p) * 28 ln 2
  expect_close(emax_lp_paper(ln_K, 8, 1), 19.408121055678468);
  expect_close(emax_lp_paper(ln_K, 8, 2), 54.894456034238644);
  expect_close(emax_lp_paper(ln_K, 8, kInfinity), 155.26496844542774);
}

TEST(EmaxLp, HalvesTheMeanOneNormInTheSimpleForm) {
  expect_close(emax_lp_simple(8, 1), 4);
  expect_close(emax_lp_simple(8, 2), 11.313708498984761);  // 8^1.5 / 2
  expect_close(emax_lp_simple(8, kInfinity), 32);          // 8^2 / 2
}

TEST(EmaxLp, IsFiniteWithoutColumns) {
  EXPECT_EQ(emax_lp_paper(0, 0, 2), 0);
  EXPECT_EQ(emax_lp_simple(0, 2), 0);
}

}  // namespace emax_test
}  // namespace hannan::bounds
