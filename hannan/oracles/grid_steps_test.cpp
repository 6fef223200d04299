#include "hannan/oracles/grid_steps.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "tests/dice.hpp"

namespace hannan::detail {
namespace grid_steps_test {

// Steps at random points of a 3 x 4 x 5 grid: F(x) is the sum of those that are nowhere beyond x.
TEST(GridSteps, ReadsTheSumOfAllStepsBehindAPoint) {
  Dice dice(1);
  const std::vector<std::size_t> domains{3, 4, 5};
  for (int trial = 0; trial < 50; ++trial) {
    GridSteps steps(domains);
    std::vector<double> expected(60, 0.0), found(60);
    for (int i = 0; i < 20; ++i) {
      const auto a = static_cast<std::size_t>(dice.below(3)), b = static_cast<std::size_t>(dice.below(4)),
                 c = static_cast<std::size_t>(dice.below(5));
      const double step = dice.unit() - 0.5;
      steps.add(a * steps.stride(0) + b * steps.stride(1) + c * steps.stride(2), step);
      for (std::size_t x = 0; x < 60; ++x) {
        if (x / 20 >= a && x / 5 % 4 >= b && x % 5 >= c) expected[x] += step;
      }
    }
    steps.read(found);
    for (std::size_t x = 0; x < 60; ++x) EXPECT_NEAR(found[x], expected[x], 1e-14);
  }
}

// Grids are summed in an order that depends on their size; every number must be the same sum all the same: along the
// last coordinate first, then along the one before it, bit by bit.
TEST(GridSteps, AddsUpTheSameWhateverTheSize) {
  for (const std::vector<std::size_t>& domains :
       {std::vector<std::size_t>{1}, {7}, {3000}, {9, 3}, {3, 1, 19}, {10, 10, 10}, {5, 9, 17, 7}, {2, 3, 2500}}) {
    Dice dice(2);
    GridSteps steps(domains);
    std::vector<double> expected(steps.size()), found(steps.size());
    for (std::size_t x = 0; x < expected.size(); ++x) steps.add(x, expected[x] = dice.unit() - 0.5);
    for (std::size_t c = domains.size(); c-- > 0;) {
      const std::size_t stride = steps.stride(c);
      for (std::size_t x = 0; x < expected.size(); ++x) {
        if (x / stride % domains[c] > 0) expected[x] += expected[x - stride];
      }
    }
    steps.read(found);
    EXPECT_EQ(found, expected) << domains.size() << " coordinates, " << domains[0] << " values of the first";
  }
}

TEST(GridSteps, ATableOfOneCoordinateIsRepeatedAlongTheOthers) {
  GridSteps steps({2, 3, 2});
  steps.add_table(1, std::vector<double>{0.5, -1.0, 4.0});
  steps.add_table(2, std::vector<double>{8.0, 16.0});
  std::vector<double> found(12);
  steps.read(found);
  EXPECT_EQ(found, (std::vector<double>{8.5, 16.5, 7, 15, 12, 20, 8.5, 16.5, 7, 15, 12, 20}));
  steps.clear();
  steps.read(found);
  EXPECT_EQ(found, std::vector<double>(12, 0.0));
}

// A tenth is no binary fraction: a plain sum of ten million of them is off by 1.6e-4.
TEST(GridSteps, ManySmallStepsAreNotLost) {
  GridSteps steps({2});
  for (int i = 0; i < 10'000'000; ++i) steps.add(1, 0.1);
  std::vector<double> found(2);
  steps.read(found);
  EXPECT_DOUBLE_EQ(found[1], 1e6);
}

}  // namespace grid_steps_test
}  // namespace hannan::detail
