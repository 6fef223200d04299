#include "hannan/problems/classification/hypothesis_walk.hpp"

#include <gtest/gtest.h>

namespace hannan::detail {
namespace hypothesis_walk_test {

TEST(HypothesisWalk, ValuesDoNotDriftOverALongWalk) {
  // Four points flip in turn, 30000 times eight flips; plain summing would be off by 3.5e-6 in the end.
  HypothesisWalk walk(4, HypothesisWalk::Equals::kKept);
  for (std::size_t i = 0; i < 240'000; ++i) {
    walk.flip(i % 4);
    walk.stop();
  }
  walk.finish();
  std::vector<double> values(walk.size());
  const std::vector<double> gain{0.3, 0.1, 1e6, 0.7};
  walk.values({gain, 0.0}, values);
  EXPECT_NEAR(values[0], 0.3, 1e-12);             // {0}
  EXPECT_NEAR(values[239'992], 0.3, 1e-12);       // {0} again
  EXPECT_NEAR(values[239'995], 1000001.1, 1e-9);  // all four
  EXPECT_NEAR(values[239'999], 0.0, 1e-12);       // none
}

TEST(HypothesisWalk, KnowsWhichHypothesisThePresentClassifierIs) {
  HypothesisWalk walk(2);
  EXPECT_FALSE(walk.here());  // says 0 everywhere, not yet listed
  walk.flip(0);
  EXPECT_TRUE(walk.stop());
  walk.flip(1);
  EXPECT_TRUE(walk.stop());
  EXPECT_EQ(walk.here(), 1u);
  walk.flip(1);
  EXPECT_FALSE(walk.stop());
  EXPECT_EQ(walk.here(), 0u);
}

}  // namespace hypothesis_walk_test
}  // namespace hannan::detail
