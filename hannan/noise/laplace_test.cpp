#include "hannan/noise/laplace.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/statistical/kolmogorov.hpp"

namespace hannan::detail {
namespace laplace_test {

TEST(LaplaceNoise, MatchesItsInverseCdfAtKnownPoints) {
  // ln(2u) below 1/2, -ln(2(1-u)) above: u = 0.1 gives ln 0.2, u = 0.9 its mirror image.
  EXPECT_NEAR(laplace_from_uniform(0.001), -6.214608098422191, 1e-14);
  EXPECT_NEAR(laplace_from_uniform(0.1), -1.6094379124341003, 1e-15);
  EXPECT_NEAR(laplace_from_uniform(0.25), -0.6931471805599453, 1e-15);
  EXPECT_EQ(laplace_from_uniform(0.5), 0);
  EXPECT_NEAR(laplace_from_uniform(0.75), 0.6931471805599453, 1e-15);
  EXPECT_NEAR(laplace_from_uniform(0.9), 1.6094379124341005, 1e-14);
  EXPECT_NEAR(laplace_from_uniform(0.999), 6.2146080984221905, 1e-12);
}

TEST(LaplaceNoise, KeepsItsGoldenDraws) {
  std::vector<double> alpha(3);
  Laplace{}.draw(KeyedRandom({.seed = 1}, Purpose::kNoise, 1), alpha);
  EXPECT_EQ(alpha, (std::vector<double>{-0x1.8df184093cdeap+0, 0x1.5f95a3782b2f8p+0, 0x1.5ab9993e7e53cp-3}));
}

TEST(LaplaceNoise, FollowsItsLaw) {
  // 100000 draws, false alarm 1e-6; a scale wrong by 10 % moves the CDF by 0.1 / (2e) = 0.018 at |a| = 1,
  // twice the limit 0.0085.
  std::vector<double> alpha(100000);
  Laplace{}.draw(KeyedRandom({.seed = 7}, Purpose::kNoise, 1), alpha);
  const auto cdf = [](double a) { return a < 0 ? std::exp(a) / 2 : 1 - std::exp(-a) / 2; };
  EXPECT_LT(testing::kolmogorov_distance(alpha, cdf), testing::kolmogorov_limit(alpha.size()));
}

TEST(LaplaceNoise, HasItsMomentsAndTails) {
  // n = 100000: E a = 0, E a^2 = 2, Var a^2 = 24 - 4 = 20, P[|a| > 5] = e^-5. Limits of 5 standard
  // errors: false alarm 3 * 5.8e-7. Caught (power 1/2 or more): a mean off by 0.022, a second moment
  // off by 0.071, a tail probability off by 0.0013 of 0.0067.
  std::vector<double> alpha(100000);
  const double n = static_cast<double>(alpha.size());
  Laplace{}.draw(KeyedRandom({.seed = 8}, Purpose::kNoise, 1), alpha);
  double mean = 0, square = 0, tail = 0;
  for (double a : alpha) {
    mean += a / n;
    square += a * a / n;
    tail += (std::abs(a) > 5) / n;
  }
  EXPECT_NEAR(mean, 0, 5 * std::sqrt(2 / n));
  EXPECT_NEAR(square, 2, 5 * std::sqrt(20 / n));
  EXPECT_NEAR(tail, std::exp(-5.0), 5 * std::sqrt(std::exp(-5.0) / n));
}

TEST(LaplaceMass, IsTheIntegralOfTheDensity) {
  constexpr double kInf = HUGE_VAL;
  EXPECT_EQ(laplace_mass(-kInf, kInf), 1);
  EXPECT_EQ(laplace_mass(-kInf, 0), 0.5);
  EXPECT_EQ(laplace_mass(1, 1), 0);
  EXPECT_EQ(laplace_mass(2, 1), 0);
  EXPECT_NEAR(laplace_mass(-1, 2), 1 - (std::exp(-1.0) + std::exp(-2.0)) / 2, 1e-15);
  // Far tails keep their relative precision: (e^-40 - e^-41)/2.
  const double tail = std::exp(-40.0) * (1 - std::exp(-1.0)) / 2;
  EXPECT_NEAR(laplace_mass(40, 41) / tail, 1, 1e-14);
  EXPECT_NEAR(laplace_mass(-41, -40) / tail, 1, 1e-14);
}

}  // namespace laplace_test
}  // namespace hannan::detail
