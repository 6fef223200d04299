#include "hannan/oracles/incumbents.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "hannan/core/keyed_random.hpp"

namespace hannan::detail {
namespace incumbents_test {

// 100,000 assignments and half of them kept: a pool that is searched from end to end for each offer would compare five
// thousand million times.
TEST(Incumbents, KeepsTheBestOfVeryManyAsSortingWould) {
  constexpr std::size_t kOffers = 100'000, kKeep = 50'000;
  const KeyedRandom random(Key{.seed = 11}, Purpose::kTest, 1);
  std::vector<Found> all;
  for (std::size_t i = 0; i < kOffers; ++i) {
    const double value = 1000 * random.uniform(i);  // far more apart than the tie window
    all.push_back({{static_cast<int>(i / 1000), static_cast<int>(i % 1000)}, value});
  }
  Incumbents incumbents(kKeep);
  for (const Found& found : all) incumbents.offer(found.positions, found.value);
  for (std::size_t i = 0; i < kOffers; i += 3) incumbents.offer(all[i].positions, all[i].value);  // met before
  std::sort(all.begin(), all.end(), [](const Found& a, const Found& b) { return a.value < b.value; });
  const double rest = all[kKeep].value;
  const auto pool = incumbents.settle([&](const std::vector<int>& positions) {
    return 1000 * random.uniform(static_cast<std::size_t>(positions[0] * 1000 + positions[1]));
  });
  ASSERT_EQ(pool.size(), kKeep);
  for (std::size_t i = 0; i < kKeep; ++i) {
    ASSERT_EQ(pool[i].value, all[i].value) << i;
    ASSERT_EQ(pool[i].positions, all[i].positions) << i;
  }
  EXPECT_EQ(incumbents.rest(), rest);
}

TEST(Incumbents, AnAssignmentMetAgainWithOtherRoundingIsNotTurnedAway) {
  Incumbents incumbents(1);
  incumbents.offer({1}, 0.5);
  incumbents.offer({1}, 0.5 + 1e-12);
  EXPECT_EQ(incumbents.rest(), kInfinity);
  incumbents.offer({0}, 0.75);
  EXPECT_EQ(incumbents.rest(), 0.75);
}

}  // namespace incumbents_test
}  // namespace hannan::detail
