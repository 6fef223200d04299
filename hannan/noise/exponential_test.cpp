#include "hannan/noise/exponential.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/statistical/kolmogorov.hpp"

namespace hannan::detail {
namespace exponential_test {

TEST(ExponentialNoise, MatchesItsInverseCdfAtKnownPoints) {
  // -ln(1-u).
  EXPECT_NEAR(exponential_from_uniform(0.001), 0.0010005003335835335, 1e-16);
  EXPECT_NEAR(exponential_from_uniform(0.1), 0.10536051565782631, 1e-15);
  EXPECT_NEAR(exponential_from_uniform(0.25), 0.2876820724517809, 1e-15);
  EXPECT_NEAR(exponential_from_uniform(0.5), 0.6931471805599453, 1e-15);
  EXPECT_NEAR(exponential_from_uniform(0.75), 1.3862943611198906, 1e-15);
  EXPECT_NEAR(exponential_from_uniform(0.9), 2.302585092994046, 1e-14);
  EXPECT_NEAR(exponential_from_uniform(0.999), 6.907755278982136, 1e-12);
}

TEST(ExponentialNoise, KeepsItsGoldenDraws) {
  std::vector<double> alpha(3);
  Exponential{}.draw(KeyedRandom({.seed = 1}, Purpose::kNoise, 1), alpha);
  EXPECT_EQ(alpha, (std::vector<double>{-0x1.c95b34e62807p-4, -0x1.0883ddb7fe7f8p+1, -0x1.b992963f4333ep-1}));
}

TEST(ExponentialNoise, IsMinusTheSignTimesAnExponential) {
  // The centred law is the same draw plus the sign: sigma (1 - E) = -sigma E + sigma.
  const KeyedRandom random({.seed = 3}, Purpose::kNoise, 4);
  const std::vector<int> signs = {1, -1, 1, -1};
  std::vector<double> plain(4), centred(4);
  Exponential{}.draw(random, plain, signs);
  CentredExponential{}.draw(random, centred, signs);
  for (std::size_t j = 0; j < 4; ++j) {
    EXPECT_LT(signs[j] * plain[j], 0);
    EXPECT_EQ(plain[j], -signs[j] * exponential_from_uniform(random.uniform(j)));
    EXPECT_DOUBLE_EQ(centred[j], plain[j] + signs[j]);
  }
}

TEST(ExponentialNoise, TreatsNoSignsAsAllPositive) {
  const KeyedRandom random({.seed = 3}, Purpose::kNoise, 5);
  std::vector<double> given(5), omitted(5);
  Exponential{}.draw(random, given, std::vector<int>(5, 1));
  Exponential{}.draw(random, omitted);
  EXPECT_EQ(given, omitted);
}

TEST(ExponentialNoise, FollowsItsLaw) {
  // 100000 draws, false alarm 1e-6, limit 0.0085; a rate wrong by 5 % moves the CDF by 0.05/e = 0.018.
  std::vector<double> alpha(100000);
  Exponential{}.draw(KeyedRandom({.seed = 9}, Purpose::kNoise, 1), alpha);
  const auto cdf = [](double a) { return a < 0 ? std::exp(a) : 1; };
  EXPECT_LT(testing::kolmogorov_distance(alpha, cdf), testing::kolmogorov_limit(alpha.size()));
}

TEST(CentredExponentialNoise, HasMeanZeroAndVarianceOne) {
  // Var E = 1, Var (1-E)^2 = 9 - 1 = 8. Limits of 5 standard errors: false alarm 2 * 5.8e-7;
  // a law left uncentred would show a mean of -1.
  std::vector<double> alpha(100000);
  const double n = static_cast<double>(alpha.size());
  CentredExponential{}.draw(KeyedRandom({.seed = 10}, Purpose::kNoise, 1), alpha);
  double mean = 0, square = 0;
  for (double a : alpha) {
    mean += a / n;
    square += a * a / n;
  }
  EXPECT_NEAR(mean, 0, 5 * std::sqrt(1 / n));
  EXPECT_NEAR(square, 1, 5 * std::sqrt(8 / n));
}

TEST(ExponentialMass, IsTheIntegralOfTheDensity) {
  constexpr double kInf = HUGE_VAL;
  EXPECT_EQ(exponential_mass(-kInf, kInf), 1);
  EXPECT_EQ(exponential_mass(-3, 0), 0);
  EXPECT_EQ(exponential_mass(2, 1), 0);
  EXPECT_NEAR(exponential_mass(-1, 2), 1 - std::exp(-2.0), 1e-15);
  // alpha = -E: the mass of [-2, -1] is e^-1 - e^-2; alpha = 1 - E: that of [-1, 0] is the same.
  EXPECT_NEAR(Exponential{}.mass(-2, -1), std::exp(-1.0) - std::exp(-2.0), 1e-15);
  EXPECT_NEAR(CentredExponential{}.mass(-1, 0), std::exp(-1.0) - std::exp(-2.0), 1e-15);
}

}  // namespace exponential_test
}  // namespace hannan::detail
