#include "hannan/learners/mixture.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace hannan::detail {
namespace mixture_test {

Mixture::Charge play(Mixture& mixture, double eta, std::initializer_list<double> losses) {
  mixture.set_rate(eta);
  std::copy(losses.begin(), losses.end(), mixture.losses().begin());
  return mixture.charge();
}

TEST(Mixture, MixLossIsMinusLogMeanExponentialOverEta) {
  Mixture mixture(2);
  // Equal weights, losses 0 and 1, eta = 1: -ln((1 + 1/e) / 2).
  const auto charge = play(mixture, 1.0, {0, 1});
  EXPECT_DOUBLE_EQ(charge.expected, 0.5);
  EXPECT_NEAR(charge.mix, -std::log((1 + std::exp(-1.0)) / 2), 1e-15);
}

TEST(Mixture, AnInfiniteRateIsUniformOnTheLeadersAndPaysTheirIncrease) {
  Mixture mixture(3);
  play(mixture, 1.0, {0, 0, 1});
  const auto charge = play(mixture, std::numeric_limits<double>::infinity(), {1, 0, 0});
  EXPECT_DOUBLE_EQ(charge.expected, 0.5);
  EXPECT_DOUBLE_EQ(charge.mix, 0.0);
}

// At eta = 1e16 the trailing action has weight exp(-1e16) = 0; when it overtakes, the mix loss is what
// L* rose by, not infinite.
TEST(Mixture, AHugeRateDoesNotLoseTheActionThatOvertakes) {
  Mixture mixture(2);
  play(mixture, 1.0, {0, 0.5});
  const auto charge = play(mixture, 1e16, {1, 0.25});
  EXPECT_DOUBLE_EQ(charge.expected, 1.0);
  EXPECT_NEAR(charge.mix, 0.75, 1e-12);
}

}  // namespace mixture_test
}  // namespace hannan::detail
