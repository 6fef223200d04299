#include "hannan/certify/run_bounds.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace hannan::bounds {
namespace anytime_test {

// F(S, x) by its integral over (1-a)^S e^(ax), with Simpson's rule: not the series of the library.
double integral(double S, double x) {
  constexpr int kSteps = 20000;
  const auto at = [&](double a) { return std::exp(S * std::log1p(-a) + a * x); };
  double sum = 1 + (S == 0 ? std::exp(x) : 0);
  for (int i = 1; i < kSteps; ++i) sum += (i % 2 == 0 ? 2 : 4) * at(static_cast<double>(i) / kSteps);
  return sum / (3.0 * kSteps);
}

TEST(SumUpper, SolvesItsEquation) {
  for (const double S : {0.0, 2.5, 3.0, 16.0, 50.0, 2000.0}) {
    for (const double delta : {0.5, 0.04, 1e-6}) {
      EXPECT_NEAR(integral(S, sum_upper(S, delta)) * delta, 1, 1e-7) << S << " " << delta;
    }
  }
}

TEST(SumUpper, MatchesThePrintedValues) {
  EXPECT_NEAR(sum_upper(0, 0.04), 4.79, 0.005);
  EXPECT_NEAR(sum_upper(3, 0.04), 11.04, 0.005);
  EXPECT_NEAR(sum_upper(16, 0.04), 30.84, 0.005);
  EXPECT_NEAR(sum_upper(50, 0.04), 74.79, 0.005);
  // F(0, x) = (e^x - 1)/x.
  const double x = sum_upper(0, 0.2);
  EXPECT_NEAR((std::exp(x) - 1) / x, 5, 1e-12);
}

TEST(SumUpper, ServesTinyProbabilitiesAndLargeSums) {
  const double x = sum_upper(0, 1e-300);  // x - ln x = 300 ln 10
  EXPECT_NEAR(x - std::log(x), 300 * std::log(10.0), 1e-9);
  const double large = sum_upper(1e8, 0.04);
  EXPECT_GT(large, 1e8 + std::sqrt(1e8 * 2 * std::log(25.0)));
  EXPECT_LT(large, 1e8 + std::sqrt(1e8 * (2 * std::log(25.0) + std::log(1e8))) + 100);
}

TEST(SumUpper, GrowsWithTheSumAndWithCertainty) {
  for (double S = 0; S < 100; S = 1.5 * S + 0.1) {
    EXPECT_GT(sum_upper(S, 0.05), S);
    EXPECT_GT(sum_upper(S + 0.1, 0.05), sum_upper(S, 0.05));
    EXPECT_GT(sum_upper(S, 0.01), sum_upper(S, 0.05));
  }
}

TEST(SumUpperRange, IsTheLeastOverTheRates) {
  for (const double S : {0.0, 0.16, 5.0, 3000.0}) {
    for (const double b : {1e-9, 0.02, 1.0, 1e6}) {
      double least = INFINITY, weights = 0;
      for (int j = -300; j <= 300; ++j) {
        const double rate = std::ldexp(1, j), weight = 2.0 / 3 / (std::abs(j) + 1) / (std::abs(j) + 2);
        weights += weight;
        least = std::min(least, (rate * S - std::log(weight * 0.04)) * b / -std::expm1(-rate * b));
      }
      EXPECT_LE(weights, 1);
      EXPECT_NEAR(sum_upper_range(S, b, 0.04), least, 1e-12 * least) << S << " " << b;
    }
  }
  EXPECT_EQ(sum_upper_range(0, 0, 0.04), 0);
}

TEST(SumUpperRange, IsFarBelowTheOtherWhereRangesAreSmall) {
  EXPECT_LT(4 * sum_upper_range(0.16, 0.1, 0.04), sum_upper(0.16, 0.04));
}

TEST(MovesUpper, IsItsFormula) {
  const double wanted = 5 + std::sqrt(7 * (2 + 1.0 / 9) * (2 * std::log(25.0) + std::log(19.0)));
  EXPECT_NEAR(moves_upper({.W = 5, .Q = 2, .delta = 0.04, .rho2 = 7, .M = 3}), wanted, 1e-12);
  // Small Q M^2: ln(1+v) = v - v^2/2 keeps its digits.
  const double small = moves_upper({.W = 0, .Q = 1e-14, .delta = 0.5, .rho2 = 1, .M = 1});
  EXPECT_NEAR(small, std::sqrt((1 + 1e-14) * (2 * std::log(2.0) + 1e-14)), 1e-15);
}

TEST(AnytimeLimit, AddsItsTermsAsFarAsThereIsSomethingToSum) {
  LimitSums sums{.M = 2, .z_1 = 1.5, .G0 = 0.75, .G1 = 0, .count = 0, .W = 0, .Q = 0, .P = 0, .rho2 = 6};
  EXPECT_EQ(anytime_limit(sums), 3.75);  // M z_1 + G0
  sums.count = 4;
  EXPECT_EQ(anytime_limit(sums), 3.75 + 4);  // 4 rounds cannot have more than 4
  sums.count = 100;
  sums.G1 = 3;
  EXPECT_DOUBLE_EQ(anytime_limit(sums), 3.75 + sum_upper(3, 0.04));
  sums.P = 0.25;
  sums.Q = 0.0625;
  EXPECT_DOUBLE_EQ(anytime_limit(sums), 3.75 + sum_upper(3, 0.04) + 0.5);  // M P
  sums.P = 1000;
  sums.W = 20;
  const double moves = moves_upper({.W = 20, .Q = 0.0625, .delta = 0.01, .rho2 = 6, .M = 2});
  EXPECT_DOUBLE_EQ(anytime_limit(sums), 3.75 + sum_upper(3, 0.04) + moves);
  sums.delta = 0.1;
  EXPECT_LT(anytime_limit(sums), 3.75 + sum_upper(3, 0.04) + moves);
  sums.M = 0;
  EXPECT_DOUBLE_EQ(anytime_limit(sums), 0.75 + sum_upper(3, 0.08));
}

TEST(LeaderlessLimit, AddsItsTermsAsFarAsThereIsSomethingToSum) {
  LeaderlessSums sums{.M = 2, .G0 = 0.75, .G1 = 0, .count = 0, .P = 3, .squares = 0};
  EXPECT_EQ(leaderless_limit(sums), 6.75);
  sums.count = 2;
  EXPECT_DOUBLE_EQ(leaderless_limit(sums), 6.75 + 2 + sum_upper(0, 0.025));
  sums.count = 100;
  sums.G1 = 3;
  sums.squares = 7;
  EXPECT_DOUBLE_EQ(leaderless_limit(sums), 6.75 + sum_upper(3, 0.025) + sum_upper(7, 0.025) - 7);
}

}  // namespace anytime_test
}  // namespace hannan::bounds
