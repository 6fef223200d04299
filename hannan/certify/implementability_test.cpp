#include "hannan/certify/implementability.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace hannan::detail {
namespace implementability_test {

using Rows = std::vector<std::vector<double>>;

std::vector<double> column(const Rows& rows, std::size_t j, int sign) {
  std::vector<double> result;
  for (const auto& row : rows) result.push_back(sign * row[j]);
  return result;
}

// Five thresholds against four points: outcome 2i is "point i labelled 0", 2i+1 "labelled 1"; threshold k
// errs on (i, 0) iff i >= k. Each label's loss is one minus the other's.
Rows threshold_losses() {
  Rows rows;
  for (int k = 0; k < 5; ++k) {
    auto& row = rows.emplace_back();
    for (int i = 0; i < 4; ++i) {
      row.push_back(i >= k ? 1 : 0);
      row.push_back(i >= k ? 0 : 1);
    }
  }
  return rows;
}

Rows prefix_code() { return {{0, 0, 0, 0}, {1, 0, 0, 0}, {1, 1, 0, 0}, {1, 1, 1, 0}, {1, 1, 1, 1}}; }

// 1[k > i] is the loss on (i, 1), and minus it is the loss on (i, 0) less one: weight 1 in each case.
// Nothing lighter exists: column i must move by 1 between two actions, and no loss moves by more than 1.
TEST(Implement, FindsTheUnitDataSetsOfThePrefixCode) {
  const ConditionTables tables{.gamma_rows = prefix_code(), .losses = threshold_losses()};
  for (const int sign : {1, -1}) {
    const Implementation found = implement(tables, {.sign = sign, .weights = Weights::kNonNegative});
    EXPECT_TRUE(found.every_column);
    for (std::size_t j = 0; j < 4; ++j) {
      ASSERT_EQ(found.weights[j].size(), 8U);
      EXPECT_NEAR(std::accumulate(found.weights[j].begin(), found.weights[j].end(), 0.0), 1, 1e-9);
      EXPECT_NEAR(found.weights[j][2 * j + (sign > 0 ? 1 : 0)], 1, 1e-9);
      EXPECT_LE(implementation_gap(tables.losses, column(tables.gamma_rows, j, sign), found.weights[j]), 1e-9);
    }
  }
}

// One outcome, losses 0 and 1, Gamma = f: implemented by weight 1; -f would need weight -1.
TEST(Implement, RefusesMinusTheOnlyOutcome) {
  const ConditionTables tables{.gamma_rows = {{0}, {1}}, .losses = {{0}, {1}}};
  EXPECT_TRUE(implement(tables, {}).every_column);
  const Implementation minus = implement(tables, {.sign = -1, .weights = Weights::kNonNegative});
  EXPECT_FALSE(minus.every_column);
  EXPECT_TRUE(minus.weights[0].empty());
  const Implementation any = implement(tables, {.sign = -1});
  ASSERT_TRUE(any.every_column);
  EXPECT_NEAR(any.weights[0][0], -1, 1e-9);
}

// Losses (0, 1/2, 1) and the constant span the straight lines; (0, 0, 1) is bent, (1, 2, 3) is not.
TEST(Implement, AcceptsAColumnInTheSpanAndRefusesOneOutsideIt) {
  const ConditionTables tables{.gamma_rows = {{0, 1}, {0, 2}, {1, 3}}, .losses = {{0}, {0.5}, {1}}};
  const Implementation found = implement(tables, {});
  EXPECT_FALSE(found.every_column);
  EXPECT_TRUE(found.weights[0].empty());
  ASSERT_EQ(found.weights[1].size(), 1U);
  EXPECT_NEAR(found.weights[1][0], 2, 1e-9);
}

// One reserve on {1/4..1}, bids 1/4..1, rewards a 1[a <= b]; the high bit of a - 1. Signed weights
// (0, -4/3, 1/3, 1) realise it; of all signed data sets the least has total weight 8/3, and here the system
// of four equations in four weights and a constant leaves one degree of freedom, which the programme uses.
TEST(Implement, RealisesTheHighBitOfAReserveInRewards) {
  ConditionTables tables{.gamma_rows = {{0}, {0}, {1}, {1}}, .losses = {}};
  for (int a = 1; a <= 4; ++a) {
    auto& row = tables.losses.emplace_back();
    for (int b = 1; b <= 4; ++b) row.push_back(a <= b ? a / 4.0 : 0);
  }
  const std::vector<double> known = {0, -4.0 / 3, 1.0 / 3, 1};
  EXPECT_LE(implementation_gap(tables.losses, column(tables.gamma_rows, 0, 1), known), 1e-12);
  const Implementation found = implement(tables, {});
  ASSERT_TRUE(found.every_column);
  double total = 0;
  for (double weight : found.weights[0]) total += std::abs(weight);
  EXPECT_LE(total, 8.0 / 3 + 1e-9);
  // Non-negative: (4, 0, 1, 3) for the bit and (2, 2, 0, 0) for minus the bit are known, of weight 8 and 4.
  EXPECT_LE(implementation_gap(tables.losses, column(tables.gamma_rows, 0, 1), std::vector<double>{4, 0, 1, 3}), 1e-12);
  EXPECT_LE(implementation_gap(tables.losses, column(tables.gamma_rows, 0, -1), std::vector<double>{2, 2, 0, 0}),
            1e-12);
  EXPECT_TRUE(implement(tables, {.sign = 1, .weights = Weights::kNonNegative}).every_column);
  EXPECT_TRUE(implement(tables, {.sign = -1, .weights = Weights::kNonNegative}).every_column);
}

// Labels swapped: the data sets of +Gamma realise -Gamma's opposite, and the gap is twice a step.
TEST(ImplementationGap, IsTwoWhenADataSetIsUsedWithTheWrongSign) {
  const Rows losses = threshold_losses();
  std::vector<double> weights(8, 0.0);
  weights[1] = 1;
  EXPECT_EQ(implementation_gap(losses, column(prefix_code(), 0, 1), weights), 0);
  EXPECT_EQ(implementation_gap(losses, column(prefix_code(), 0, -1), weights), 2);
}

}  // namespace implementability_test
}  // namespace hannan::detail
