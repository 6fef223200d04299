#include "hannan/noise/noise.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "hannan/noise/laplace.hpp"

namespace hannan::detail {
namespace seeded_test {

std::vector<double> filled(const Draw& draw, std::uint64_t round) {
  std::vector<double> alpha(5);
  draw.fill(round, alpha);
  return alpha;
}

TEST(SeededDraw, IsTheLawOnTheStreamOfTheRound) {
  const Key key{.seed = 3, .run = 4};
  std::vector<double> expected(5);
  Laplace{}.draw(KeyedRandom(key, Purpose::kNoise, 9), expected);
  EXPECT_EQ(filled(seeded(Laplace{}, key), 9), expected);
  EXPECT_EQ(filled(seeded(Noise{}, key), 9), expected);  // the default of the named noises is Laplace
}

TEST(SeededDraw, DiffersBetweenRoundsKeysAndPurposes) {
  const auto base = filled(seeded(Laplace{}, Key{.seed = 1}), 1);
  EXPECT_NE(filled(seeded(Laplace{}, Key{.seed = 1}), 2), base);
  EXPECT_NE(filled(seeded(Laplace{}, Key{.seed = 2}), 1), base);
  EXPECT_NE(filled(seeded(Laplace{}, Key{.seed = 1}, Purpose::kNoiseSize), 1), base);
}

TEST(SeededDraw, DoesNotDependOnWhatWasDrawnBefore) {
  const Draw draw = seeded(Laplace{}, Key{.seed = 1});
  const auto late_first = filled(draw, 7);
  filled(draw, 1);
  EXPECT_EQ(filled(draw, 7), late_first);
}

}  // namespace seeded_test
}  // namespace hannan::detail
