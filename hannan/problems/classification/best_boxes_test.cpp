#include "hannan/problems/classification/box_search.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "hannan/problems/classification/hypotheses.hpp"

namespace hannan::detail {
namespace best_boxes_test {

TEST(Rectangles, ShowAsManyAsAreAskedFor) {
  const auto all = box_hypotheses(Points{{1, 2}, {2, 3}, {3, 1}}, Listing::kNever);
  ASSERT_EQ(all->first(1000).size(), 37u);  // six intervals either way, and the empty box
  const std::vector<double> gain{1.0, -1.0, 0.5};
  for (const std::size_t keep : {1u, 5u, 37u, 50u}) {
    const auto found = all->search({.gain = gain, .constant = 2.0}, keep);
    EXPECT_EQ(found.pool.size(), std::min<std::size_t>(keep, 37));
    EXPECT_EQ(std::isinf(found.rest), keep >= 37);
  }
}

// Gains 3, -2, -1 at ranks (0,1), (1,2), (2,0): the least boxes hold the second and third point, then the second alone,
// and both have neighbours of the same gain.
TEST(BestBoxes, ComeByValueThenOrder) {
  const FeatureRanks ranks(Points{{1, 2}, {2, 3}, {3, 1}});
  const std::vector<double> gain{3.0, -2.0, -1.0};
  const auto found = best_boxes(ranks, gain, 10.0, 3);
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].value, 7.0);  // x in 1..2, y in 0..2
  EXPECT_EQ(found[0].box.left, 1);
  EXPECT_EQ(found[0].box.right, 2);
  EXPECT_EQ(found[0].box.bottom, 0);
  EXPECT_EQ(found[0].box.top, 2);
  EXPECT_EQ(found[1].value, 8.0);
  EXPECT_EQ(found[1].box.left, 0);  // the first box in order with the second point and not the first: x 0..1, y 2
  EXPECT_EQ(found[1].box.right, 1);
  EXPECT_EQ(found[1].box.bottom, 2);
  EXPECT_EQ(found[2].value, 8.0);
}

}  // namespace best_boxes_test
}  // namespace hannan::detail
