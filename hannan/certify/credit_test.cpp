#include "hannan/certify/credit.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "hannan/game/game_of.hpp"
#include "hannan/problems/experts/experts.hpp"

namespace hannan::detail {
namespace credit_test {

// tests/vectors/next/final_credit.json: totals, multiplier, rows and draws; the mean over the draws.
TEST(Credit, IsTheMeanFallOfTheMinimum) {
  const auto game =
      erased(std::make_shared<const Experts>(4, std::vector<std::vector<double>>{{0, 0}, {1, 0}, {0, 1}, {1, 1}}));
  const auto oracle = game->oracles().front();
  std::shared_ptr<const GameMatrix> dense;
  for (const auto& matrix : game->perturbations()) {
    if (matrix->name() == "dense") dense = matrix;
  }
  ASSERT_TRUE(dense);
  SeenOutcomes seen(oracle);
  seen.add(AnyOutcome::of(std::vector<double>{3.0, 2.5, 7.0, 2.75}));
  Perturber perturber(oracle, dense, Draw{});
  const std::vector<std::vector<double>> draws{{-0.5269, -0.010206}, {-2.091262, -2.597024}, {0.988083, -1.457575},
                                               {0.79392, -1.512961}, {1.584522, 0.216054},   {1.369066, 0.059283},
                                               {0.826383, 3.069628}, {-2.664487, -0.721626}};
  GameAnswer found;
  double sum = 0;
  for (const auto& alpha : draws) {
    const double credit = credit_of(seen, perturber.with(alpha), 1.5, found);
    EXPECT_GE(credit, 0);
    sum += credit;
  }
  EXPECT_NEAR(sum / static_cast<double>(draws.size()), 1.5754669375, 1e-12);
}

}  // namespace credit_test
}  // namespace hannan::detail
