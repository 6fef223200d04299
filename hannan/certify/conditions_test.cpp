#include "hannan/certify/conditions.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace hannan::detail {
namespace conditions_test {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
using Rows = std::vector<std::vector<double>>;

// K actions, outcome y costs 1 to action y and nothing to the others: the worst case for a code.
Rows identity(std::size_t K) {
  Rows rows(K, std::vector<double>(K, 0.0));
  for (std::size_t k = 0; k < K; ++k) rows[k][k] = 1;
  return rows;
}

// Row k holds the bits of k, low bit first, as the two given values.
Rows binary_code(std::size_t bits, double zero, double one) {
  Rows rows(std::size_t{1} << bits);
  for (std::size_t k = 0; k < rows.size(); ++k)
    for (std::size_t i = 0; i < bits; ++i) rows[k].push_back((k >> i) % 2 == 1 ? one : zero);
  return rows;
}

// Action k must beat the N actions that differ in one bit: (2b_i - 1) s_i >= 1 for each bit, so |s_i| >= 1
// and ||s||_1 >= N; s = 2b - 1 attains it. With entries +-1 every difference doubles, so N/2.
TEST(ExactGamma, IsTheNumberOfBitsForTheBinaryCodeAndHalfForPlusMinusOne) {
  for (std::size_t bits = 1; bits <= 4; ++bits) {
    const auto n = static_cast<double>(bits);
    const Rows losses = identity(std::size_t{1} << bits);
    EXPECT_NEAR(exact_gamma({binary_code(bits, 0, 1), losses}, {}).gamma, n, 1e-9);
    EXPECT_NEAR(exact_gamma({binary_code(bits, -1, 1), losses}, {}).gamma, n / 2, 1e-9);
  }
}

// The same argument in the sup-norm: |s_i| >= 1 is also enough.
TEST(ExactGamma, IsOneInTheSupNormForTheBinaryCode) {
  const GammaQuery query{.norm = GammaQuery::Norm::kSup};
  EXPECT_NEAR(exact_gamma({binary_code(3, 0, 1), identity(8)}, query).gamma, 1, 1e-9);
}

// Action 1 pays 1, its neighbours nothing: 0.5 s >= 1 and -0.5 s >= 1 contradict each other.
TEST(ExactGamma, IsInfiniteForTheThreeRowsOfTheCounterexample) {
  const ConditionTables tables{.gamma_rows = {{0}, {0.5}, {1}}, .losses = {{0}, {1}, {0}}};
  const GammaResult result = exact_gamma(tables, {.answer = GammaQuery::Answer::kTable});
  EXPECT_EQ(result.gamma, kInfinite);
  ASSERT_TRUE(result.witness);
  EXPECT_EQ(result.witness->action, 1U);
  EXPECT_EQ(result.witness->outcome, 0U);
  EXPECT_TRUE(result.witness->s.empty());
  EXPECT_EQ(result.table, (Rows{{0}, {kInfinite}, {0}}));
  EXPECT_DOUBLE_EQ(admissibility(tables.gamma_rows), 0.5);
}

// Losses proportional to the column: 0.5 s >= 0.25 for action 1 against 0, and the rest follows.
TEST(ExactGamma, IsHalfWhenTheLossesAreHalfTheColumn) {
  const GammaResult result = exact_gamma({.gamma_rows = {{0}, {0.5}, {1}}, .losses = {{0}, {0.25}, {0.5}}}, {});
  EXPECT_NEAR(result.gamma, 0.5, 1e-12);
  ASSERT_TRUE(result.witness);
  EXPECT_NEAR(result.witness->s[0], 0.5, 1e-12);
}

// Small outcome sets, Gamma = f: s = e_y always serves, so gamma <= 1, with s >= 0. With s <= 0 action 0
// would have to lose ground to action 1 in all columns at once, where its losses are not above:
// f_0 - f_1 = (0.875, -0.125, 0) needs s_0 * 0.875 - s_1 * 0.125 >= 0.875; with s_1 <= -7 that row is met,
// but f_0 - f_2 = (0.625, 0.125, 0.5) >= 0 needs something positive from s <= 0: infeasible.
TEST(ExactGamma, IsOneWithNonNegativeHedgesWhenColumnsAreOutcomes) {
  const Rows f = {{1, 0.125, 0.75},      {0.125, 0.25, 0.75}, {0.375, 0, 0.25},
                  {0.375, 0.625, 0.375}, {0.625, 0.5, 0.875}, {0.875, 0.25, 0.625}};
  EXPECT_NEAR(exact_gamma({f, f}, {}).gamma, 1, 1e-9);
  EXPECT_NEAR(exact_gamma({f, f}, {.sign = HedgeSign::kNonNegative}).gamma, 1, 1e-9);
  EXPECT_EQ(exact_gamma({f, f}, {.sign = HedgeSign::kNonPositive}).gamma, kInfinite);
  Rows rewards = f;
  for (auto& row : rewards)
    for (double& entry : row) entry = 1 - entry;
  EXPECT_EQ(exact_gamma({rewards, f}, {.sign = HedgeSign::kNonNegative}).gamma, kInfinite);
  EXPECT_NEAR(exact_gamma({rewards, f}, {.sign = HedgeSign::kNonPositive}).gamma, 1, 1e-9);
}

// One reserve on {1/4..1} against bids 1/4..1: reward a if a <= b, else 0. The dearest pair is reserve 1/4 at
// bid 1, whose rival 1 earns 3/4 more (the same price as reserve 1 at bid 3/4, found later). One-hot code:
// 3/4 on the own column pays for it. The closed form is n(m-1)/m, here n = 1, m = 4.
TEST(ExactGamma, IsThreeQuartersForOneReserveOnFourLevelsCodedOneHot) {
  ConditionTables tables{.gamma_rows = identity(4), .losses = {}};
  for (int a = 1; a <= 4; ++a) {
    auto& row = tables.losses.emplace_back();
    for (int b = 1; b <= 4; ++b) row.push_back(a <= b ? 1 - a / 4.0 : 1);
  }
  const GammaResult result = exact_gamma(tables, {.sign = HedgeSign::kNonNegative});
  EXPECT_NEAR(result.gamma, 0.75, 1e-9);
  ASSERT_TRUE(result.witness);
  EXPECT_EQ(result.witness->action, 0U);
  EXPECT_EQ(result.witness->outcome, 3U);
  EXPECT_NEAR(result.witness->s[0], 0.75, 1e-9);
}

// Rows 0 and 1 coincide, so no s can pay for their difference of 1/2 at outcome 1.
TEST(ExactGamma, IsInfiniteExactlyWhereEqualRowsHaveDifferentLosses) {
  const ConditionTables tables{.gamma_rows = {{0, 1}, {0, 1}, {1, 0}}, .losses = {{0.5, 1}, {0.5, 0.5}, {0, 0}}};
  const GammaResult result = exact_gamma(tables, {.answer = GammaQuery::Answer::kTable});
  EXPECT_EQ(result.gamma, kInfinite);
  EXPECT_EQ(result.table[0][1], kInfinite);
  // <(-1,1), s> >= 0.5 costs 0.5: one coordinate alone does it.
  EXPECT_NEAR(result.table[0][0], 0.5, 1e-12);
  EXPECT_NEAR(result.table[1][1], 0.5, 1e-12);
  EXPECT_EQ(result.table[2], (std::vector<double>{0, 0}));
  EXPECT_EQ(admissibility(tables.gamma_rows), 0);
}

TEST(ExactGamma, HasNoWitnessWhenNothingNeedsToBeHedged) {
  const GammaResult result = exact_gamma({.gamma_rows = {{0}, {1}}, .losses = {{0.5}, {0.5}}}, {});
  EXPECT_EQ(result.gamma, 0);
  EXPECT_FALSE(result.witness);
  EXPECT_EQ(exact_gamma({.gamma_rows = {{}}, .losses = {{0.3}}}, {}).gamma, 0);
}

// Table and maximum take different roads (every programme solved; most of them skipped): they must agree,
// and the witness must be feasible. The losses are a fixed scramble of {0..10}/10, never dyadic.
TEST(ExactGamma, AgreesWithTheTableAndPublishesAFeasibleWitness) {
  for (const auto norm : {GammaQuery::Norm::kOne, GammaQuery::Norm::kSup}) {
    for (std::size_t salt = 1; salt <= 10; ++salt) {
      ConditionTables tables{.gamma_rows = binary_code(4, 0, 1), .losses = {}};
      for (std::size_t k = 0; k < 16; ++k) {
        auto& row = tables.losses.emplace_back();
        for (std::size_t y = 0; y < 9; ++y)
          row.push_back(static_cast<double>((k * k * (7 + salt) + y * y * 31 + k * y * salt + 13 * salt) % 11) / 10);
      }
      const GammaResult most = exact_gamma(tables, {.norm = norm});
      const GammaResult all = exact_gamma(tables, {.norm = norm, .answer = GammaQuery::Answer::kTable});
      ASSERT_TRUE(most.witness);
      ASSERT_NEAR(most.gamma, all.gamma, 1e-9);
      const GammaWitness& witness = *most.witness;
      ASSERT_NEAR(all.table[witness.action][witness.outcome], most.gamma, 1e-9);
      for (std::size_t j = 0; j < 16; ++j) {
        double gain = 0;
        for (std::size_t i = 0; i < 4; ++i)
          gain += (tables.gamma_rows[witness.action][i] - tables.gamma_rows[j][i]) * witness.s[i];
        EXPECT_GE(gain, tables.losses[witness.action][witness.outcome] - tables.losses[j][witness.outcome] - 1e-9);
      }
    }
  }
}

TEST(Admissibility, IsTheLeastGapWithinAColumn) {
  // Column 0 has gaps 0.25 and 0.5, column 1 has the single gap 0.3.
  EXPECT_NEAR(admissibility({{0, 0.3}, {0.25, 0}, {0.75, 0}}), 0.25, 1e-15);
  // 0.1 + 0.2 and 0.3 differ by rounding only: the same entry, not a gap of 5e-17.
  EXPECT_NEAR(admissibility({{0.1 + 0.2, 0}, {0.3, 1}}), 1, 1e-15);
  EXPECT_EQ(admissibility({{0.1 + 0.2}, {0.3}}), 0);
  EXPECT_EQ(admissibility({{0.4, 0.1}}), kInfinite);
}

}  // namespace conditions_test
}  // namespace hannan::detail
