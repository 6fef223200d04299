#include "hannan/certify/linear_program.hpp"

#include <gtest/gtest.h>

namespace hannan::detail {
namespace linear_program_test {

// minimise -3x - 2y, x + y <= 4, x + 3y <= second_limit, 0 <= x <= 3, 0 <= y. With a second limit of 7 the
// optimum is (3,1): x at its bound, the first row tight, the second slack (6 < 7); value -11. One more unit
// on the first row moves y by 1: its dual is -2.
Programme two_products(double second_limit) {
  return {.costs = {-3, -2},
          .column_low = {0, 0},
          .column_high = {3, kNoBound},
          .row_low = {-kNoBound, -kNoBound},
          .row_high = {4, second_limit},
          .entries = {{0, 0, 1}, {0, 1, 1}, {1, 0, 1}, {1, 1, 3}}};
}

TEST(LinearProgram, SolvesATwoProductPlanWithItsDuals) {
  LinearProgram program(two_products(7));
  const Solution solution = program.solve();
  ASSERT_EQ(solution.status, Solution::Status::kOptimal);
  EXPECT_NEAR(solution.value, -11, 1e-12);
  EXPECT_NEAR(solution.x[0], 3, 1e-12);
  EXPECT_NEAR(solution.x[1], 1, 1e-12);
  EXPECT_NEAR(solution.row_duals[0], -2, 1e-12);
  EXPECT_NEAR(solution.row_duals[1], 0, 1e-12);
}

TEST(LinearProgram, ResolvesAfterNewCostsAndNewRowBounds) {
  LinearProgram program(two_products(7));
  program.solve();
  // Costs (-1,-4): the vertices are (0,7/3): -28/3, (2.5,1.5): -8.5, (3,1): -7, so the first one.
  program.set_costs(std::vector<double>{-1, -4});
  EXPECT_NEAR(program.solve().value, -28.0 / 3, 1e-12);
  // Second limit 3: (0,1): -4, (3,0): -3.
  program.set_row_bounds(std::vector<double>{-kNoBound, -kNoBound}, std::vector<double>{4, 3});
  EXPECT_NEAR(program.solve().value, -4, 1e-12);
  EXPECT_NEAR(program.solve_afresh().value, -4, 1e-12);
}

TEST(LinearProgram, TellsInfeasibleFromUnbounded) {
  LinearProgram program(two_products(7));
  // x + y >= 4 and x + 3y <= 3 contradict each other for y >= 0.
  program.set_row_bounds(std::vector<double>{4, -kNoBound}, std::vector<double>{kNoBound, 3});
  EXPECT_EQ(program.solve().status, Solution::Status::kInfeasible);
  // Without upper limits y grows for ever; the ray must be a positive multiple of (0,1).
  program.set_row_bounds(std::vector<double>{4, 0}, std::vector<double>{kNoBound, kNoBound});
  const Solution solution = program.solve();
  ASSERT_EQ(solution.status, Solution::Status::kUnbounded);
  ASSERT_EQ(solution.ray.size(), 2U);
  EXPECT_NEAR(solution.ray[0], 0, 1e-12);
  EXPECT_GT(solution.ray[1], 0);
  // And back to the first programme.
  program.set_row_bounds(std::vector<double>{-kNoBound, -kNoBound}, std::vector<double>{4, 7});
  EXPECT_NEAR(program.solve().value, -11, 1e-12);
}

TEST(LinearProgram, AcceptsFreeColumnsEqualitiesAndMoves) {
  // minimise u + v with x = -2.5 and x - u + v = 0, x free: u = 0, v = 2.5.
  LinearProgram first({.costs = {0, 1, 1},
                       .column_low = {-kNoBound, 0, 0},
                       .column_high = {kNoBound, kNoBound, kNoBound},
                       .row_low = {-2.5, 0},
                       .row_high = {-2.5, 0},
                       .entries = {{0, 0, 1}, {1, 0, 1}, {1, 1, -1}, {1, 2, 1}}});
  LinearProgram program = std::move(first);
  const Solution solution = program.solve();
  ASSERT_EQ(solution.status, Solution::Status::kOptimal);
  EXPECT_NEAR(solution.value, 2.5, 1e-12);
  EXPECT_NEAR(solution.x[0], -2.5, 1e-12);
  EXPECT_NEAR(solution.x[1], 0, 1e-12);
}

TEST(LinearProgram, HandlesAProgrammeWithoutRows) {
  LinearProgram program(
      {.costs = {1}, .column_low = {-2}, .column_high = {5}, .row_low = {}, .row_high = {}, .entries = {}});
  const Solution solution = program.solve();
  ASSERT_EQ(solution.status, Solution::Status::kOptimal);
  EXPECT_NEAR(solution.value, -2, 1e-12);
}

}  // namespace linear_program_test
}  // namespace hannan::detail
