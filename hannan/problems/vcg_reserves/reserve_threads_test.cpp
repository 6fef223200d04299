#include <gtest/gtest.h>

#include <string>

#include "hannan/problems/vcg_reserves/reserve_boxes.hpp"
#include "tests/dice.hpp"
#include "tests/search_threads_check.hpp"

namespace hannan::detail {
namespace reserve_threads_test {

// One unit and two, weights of both signs, noise, and bids on the grid, which tie.
ReserveModel reserves_for_threads(Dice& dice) {
  const int n = 6 + dice.below(2), m = 16 + dice.below(9), s = 1 + dice.below(2);
  ReserveModel model({.bidders = n, .auction = {.levels = m, .units = s}, .normaliser = double(s)});
  const bool negative = dice.below(3) == 0, grid = dice.below(3) == 0, noisy = dice.below(2) == 0;
  std::vector<double> bids(static_cast<std::size_t>(n)), table(static_cast<std::size_t>(m));
  for (int t = 0; t < 200; ++t) {
    for (double& b : bids) b = grid ? dice.below(m + 1) / double(m) : dice.unit();
    model.add(bids, negative ? 2 * dice.unit() - 0.7 : 1.0);
  }
  for (std::size_t i = 0; noisy && i < bids.size(); ++i) {
    for (double& v : table) v = dice.real();
    model.add_table(i, table, 0.02);
  }
  return model;
}

TEST(ReserveBoxes, SearchTheSameOnAnyNumberOfThreads) {
  std::uint64_t nodes = 0;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Dice dice(700'000 + seed);
    ReserveModel model = reserves_for_threads(dice);
    ReserveBoxes boxes(model);
    boxes.leaf_points = 8;
    const std::uint64_t most = dice.below(3) ? 400 : 30;
    const std::size_t keep = 1 + static_cast<std::size_t>(dice.below(3));
    nodes += expect_same_on_threads(boxes, {.request = {.keep = keep, .limits = {.nodes = most}, .hints = {}},
                                            .bytes = dice.below(4) ? std::size_t{1} << 20 : 0});
    if (HasFailure()) return;
  }
  EXPECT_GT(nodes, 500U);
}

}  // namespace reserve_threads_test
}  // namespace hannan::detail
