#include "hannan/noise/uniform.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/statistical/kolmogorov.hpp"

namespace hannan::detail {
namespace uniform_test {

TEST(UniformNoise, IsTheBoundTimesTheKeyedUniform) {
  const KeyedRandom random({.seed = 1}, Purpose::kNoise, 1);
  std::vector<double> alpha(5);
  Uniform{.bound = 4}.draw(random, alpha);
  for (std::size_t j = 0; j < alpha.size(); ++j) EXPECT_EQ(alpha[j], 4 * random.uniform(j));
}

TEST(UniformNoise, FollowsItsLaw) {
  // 100000 draws, false alarm 1e-6, limit 0.0085; a bound wrong by 2 % moves the CDF by 0.02.
  std::vector<double> alpha(100000);
  Uniform{.bound = 4}.draw(KeyedRandom({.seed = 11}, Purpose::kNoise, 1), alpha);
  const auto cdf = [](double a) { return std::clamp(a / 4, 0.0, 1.0); };
  EXPECT_LT(testing::kolmogorov_distance(alpha, cdf), testing::kolmogorov_limit(alpha.size()));
}

TEST(UniformNoise, GivesEachIntervalItsShareOfTheSupport) {
  const Uniform law{.bound = 4};
  EXPECT_EQ(law.mass(3.5, HUGE_VAL), 0.125);
  EXPECT_EQ(law.mass(-HUGE_VAL, HUGE_VAL), 1);
  EXPECT_EQ(law.mass(4.5, HUGE_VAL), 0);
  EXPECT_EQ(law.mass(-2, -1), 0);
  EXPECT_EQ(law.mass(1, 2), 0.25);
}

}  // namespace uniform_test
}  // namespace hannan::detail
