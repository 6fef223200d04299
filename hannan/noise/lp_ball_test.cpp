#include "hannan/noise/lp_ball.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "tests/statistical/kolmogorov.hpp"

namespace hannan::detail {
namespace lp_ball_test {

constexpr double kInf = HUGE_VAL;
constexpr int kRounds = 40000;  // Kolmogorov limit at false alarm 1e-6: 0.0135

double norm(const std::vector<double>& v, double p) {
  double sum = 0, largest = 0;
  for (double x : v) {
    sum += std::pow(std::abs(x), p);
    largest = std::max(largest, std::abs(x));
  }
  return p == kInf ? largest : std::pow(sum, 1 / p);
}

double smaller_over_larger(const std::vector<double>& pair) {
  const double a = std::abs(pair[0]), b = std::abs(pair[1]);
  return std::min(a, b) / std::max(a, b);
}

// One number per round, from a fresh draw of N columns.
template <class Statistic>
std::vector<double> sample(double p, std::size_t columns, Statistic statistic) {
  std::vector<double> alpha(columns), values;
  for (int t = 0; t < kRounds; ++t) {
    LpBall{p}.draw(KeyedRandom({.seed = 12}, Purpose::kNoise, static_cast<std::uint64_t>(t)), alpha);
    values.push_back(statistic(alpha));
  }
  return values;
}

TEST(LpNoise, IsAssembledFromRadiusGammasAndSigns) {
  const std::vector<double> gammas = {1.3606, 0.1707, 0.1594, 1.5273}, signs = {1, -1, -1, 1};
  const std::vector<double> bounded = {0.34015, 0.042675, 0.03985, 0.381825};
  const auto expect = [&](const LpParts& parts, const std::vector<double>& expected) {
    std::vector<double> alpha(4);
    lp_from_parts(parts, alpha);
    for (std::size_t j = 0; j < 4; ++j) EXPECT_NEAR(alpha[j], expected[j], 1e-14);
  };
  // p = 2: 3.5 sqrt(1.3606 / 3.218); p = inf: 3.5 * 0.34015 / 0.381825; p = 1: 2 * 1.3606 / 3.218.
  expect({3.5, gammas, signs, 2}, {2.275832304604716, -0.8061053156924162, -0.7789672211553933, 2.411222015844966});
  expect({3.5, bounded, signs, kInf}, {3.117985988345446, -0.39118051463366715, -0.3652851437176717, 3.5});
  expect({2, gammas, signs, 1}, {0.8456183965195774, -0.10609073958980733, -0.0990677439403356, 0.9492231199502797});
}

TEST(LpNoise, KeepsItsGoldenDraws) {
  std::vector<double> alpha(3);
  LpBall{2}.draw(KeyedRandom({.seed = 1}, Purpose::kNoise, 1), alpha);
  EXPECT_EQ(alpha, (std::vector<double>{0x1.26c948b90b61dp-2, 0x1.5c739ef8df031p+1, 0x1.0c6e4fbcf99eep+0}));
}

TEST(LpNoise, HasAGammaNormForEveryP) {
  // N = 3: P[R <= r] = 1 - e^-r (1 + r + r^2/2). A radius of shape 2 would be off by r^2 e^-r / 2 = 0.27.
  for (double p : {1.0, 1.5, 2.0, 7.0, kInf}) {
    const auto radius = sample(p, 3, [p](const auto& alpha) { return norm(alpha, p); });
    const auto cdf = [](double r) { return 1 - std::exp(-r) * (1 + r + r * r / 2); };
    EXPECT_LT(testing::kolmogorov_distance(radius, cdf), testing::kolmogorov_limit(radius.size())) << p;
  }
}

TEST(LpNoise, HasLaplaceCoordinatesForPOne) {
  // First coordinate of three, and the product of the first two: independent signs and magnitudes give
  // E = 0 with variance 2*2 = 4. 5 standard errors: 5.8e-7. A correlation of 0.05 would be caught.
  const auto first = sample(1, 3, [](const auto& alpha) { return alpha[0]; });
  const auto cdf = [](double a) { return a < 0 ? std::exp(a) / 2 : 1 - std::exp(-a) / 2; };
  EXPECT_LT(testing::kolmogorov_distance(first, cdf), testing::kolmogorov_limit(first.size()));
  double product = 0, magnitudes = 0;
  for (double x : sample(1, 3, [](const auto& alpha) { return alpha[0] * alpha[1]; })) {
    product += x / kRounds;
    magnitudes += std::abs(x) / kRounds;
  }
  EXPECT_NEAR(product, 0, 5 * std::sqrt(4.0 / kRounds));
  // E|ab| = 1, Var|ab| = 4 - 1: dependent magnitudes (one radius too few) would show here.
  EXPECT_NEAR(magnitudes, 1, 5 * std::sqrt(3.0 / kRounds));
}

TEST(LpNoise, HasAUniformAngleForPTwo) {
  // exp(-||a||_2) is rotation invariant: the angle in the plane is uniform on (-pi, pi), which catches a
  // quadrant off by 0.027; folded into one eighth, uniform on (0, pi/4), it catches the direction of
  // another p: 2r/(1+r) for p = 1 and r for p = inf are 0.077 and 0.09 from 4 atan(r)/pi at r = 1/2.
  const auto angle = sample(2, 2, [](const auto& alpha) { return std::atan2(alpha[1], alpha[0]); });
  const auto circle = [](double a) { return (a + std::numbers::pi) / (2 * std::numbers::pi); };
  EXPECT_LT(testing::kolmogorov_distance(angle, circle), testing::kolmogorov_limit(angle.size()));
  const auto ratio = sample(2, 2, smaller_over_larger);
  const auto eighth = [](double r) { return std::atan(r) * 4 / std::numbers::pi; };
  EXPECT_LT(testing::kolmogorov_distance(ratio, eighth), testing::kolmogorov_limit(ratio.size()));
}

TEST(LpNoise, IsUniformOnTheFacesOfTheCubeForPInfinity) {
  // N = 2: the smaller magnitude over the larger is uniform on (0,1).
  const auto ratio = sample(kInf, 2, smaller_over_larger);
  const auto cdf = [](double r) { return r; };
  EXPECT_LT(testing::kolmogorov_distance(ratio, cdf), testing::kolmogorov_limit(ratio.size()));
}

TEST(LpMagnitude, HasDensityProportionalToTheExponentialOfMinusItsPower) {
  // CDF by the trapezium rule on [0, x] at steps of 1/2000, then linear: error below 1e-6 against a
  // limit of 0.0135. A proposal taken without rejection is off by 1 - Gamma(1 + 1/p) or so: 0.1.
  for (double p : {1.0, 1.5, 2.0, 7.0}) {
    std::vector<double> integral = {0};
    for (int i = 0; i < 40000; ++i)
      integral.push_back(integral.back() +
                         (std::exp(-std::pow(i / 2000.0, p)) + std::exp(-std::pow((i + 1) / 2000.0, p))) / 4000);
    const auto cdf = [&](double v) {
      const double x = std::min(v * 2000, 39999.0);
      const auto i = static_cast<std::size_t>(x);
      const double low = integral[i], high = integral[i + 1];
      return (low + (x - static_cast<double>(i)) * (high - low)) / std::tgamma(1 + 1 / p);
    };
    std::vector<double> v;
    const KeyedRandom random({.seed = 13}, Purpose::kNoise, 1);
    for (std::uint64_t j = 0; j < kRounds; ++j) v.push_back(draw_magnitude(random, j, p));
    EXPECT_LT(testing::kolmogorov_distance(v, cdf), testing::kolmogorov_limit(v.size())) << p;
  }
}

TEST(LpNoise, IsFiniteAtExtremeSizes) {
  for (double p : {1.0, 1 + 1e-12, 300.0, 1e300, kInf})
    for (std::size_t columns : {0u, 1u, 2u, 1000u}) {
      std::vector<double> alpha(columns);
      LpBall{p}.draw(KeyedRandom({.seed = 14}, Purpose::kNoise, 1), alpha);
      for (double a : alpha) EXPECT_TRUE(std::isfinite(a)) << p;
    }
}

}  // namespace lp_ball_test
}  // namespace hannan::detail
