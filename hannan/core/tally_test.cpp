#include "hannan/core/tally.hpp"

#include <gtest/gtest.h>

namespace hannan {
namespace tally_test {

TEST(Tally, ScalesEveryWeight) {
  Tally<int> tally;
  tally.add(3, 1.0);
  tally.add(5, -2.0);
  tally.scale(0.25);
  tally.add(3, 1.0);
  EXPECT_EQ(tally.size(), 2U);
  EXPECT_EQ(tally.begin()->second, 1.25);
  EXPECT_EQ(std::next(tally.begin())->second, -0.5);
}

// 2^-133 < 10^-40 < 2^-132: one outcome a round, each seen once, and at most 133 are kept.
TEST(Tally, ForgetsWhatScalingHasMadeNegligible) {
  Tally<int> tally;
  for (int t = 0; t < 1000; ++t) {
    tally.scale(0.5);
    tally.add(t, 1.0);
  }
  EXPECT_EQ(tally.size(), 133U);
  EXPECT_EQ(tally.begin()->first, 1000 - 133);
}

}  // namespace tally_test
}  // namespace hannan
