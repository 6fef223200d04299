// What cutting planes keep: action by action they find the gamma of the programme with all rivals, through
// every oracle that serves, for every sign of s, infinite where that one is.
#pragma once

#include <algorithm>

#include "hannan/certify/cutting_planes.hpp"
#include "tests/conformance/setting.hpp"

namespace hannan::detail::conformance {

template <class P>
class CuttingConformance : public ::testing::Test {
 public:
  static ConditionTables tables(const Setting<P>& s, const Perturbation<P>& matrix,
                                const std::vector<typename P::Outcome>& ys) {
    ConditionTables all;
    for (const auto& x : s.actions) {
      std::vector<double> row(matrix.columns()), losses;
      matrix.row(x, row);
      for (const auto& y : ys) losses.push_back(s.problem->loss(x, y));
      all.gamma_rows.push_back(std::move(row));
      all.losses.push_back(std::move(losses));
    }
    return all;
  }

  // A feasible s and a proof of the same value: the witness stands on its own.
  static void hold_witness(const Setting<P>& s, const Perturbation<P>& matrix, const CutResult<P>& found,
                           const typename P::Outcome& y) {
    const auto& witness = *found.witness;
    std::vector<double> own(matrix.columns()), other(matrix.columns());
    matrix.row(witness.action, own);
    const double loss = s.problem->loss(witness.action, y);
    for (const auto& x : s.actions) {
      matrix.row(x, other);
      double gained = 0;
      for (std::size_t i = 0; i < own.size() && !witness.s.empty(); ++i) gained += (own[i] - other[i]) * witness.s[i];
      if (!witness.s.empty()) {
        ASSERT_GE(gained, loss - s.problem->loss(x, y) - 1e-5 * (1 + found.low));
      }
    }
    double won = 0;
    for (const auto& [action, weight] : witness.rivals) won += weight * (loss - s.problem->loss(action, y));
    if (witness.s.empty()) {
      ASSERT_GT(won, 0.0);
    } else {
      ASSERT_NEAR(won, found.low, 1e-5 * (1 + found.low));
    }
  }
};
TYPED_TEST_SUITE_P(CuttingConformance);

TYPED_TEST_P(CuttingConformance, CutsFindTheGammaOfTheFullProgramme) {
  using Suite = CuttingConformance<TypeParam>;
  on_every_instance<TypeParam>([](const auto& s) {
    const std::size_t stride = 1 + s.actions.size() / 12;  // some actions; all are rivals
    const auto ys = s.outcomes(8);
    for (const auto& matrix : TypeParam::perturbations(s.problem)) {
      const ConditionTables tables = Suite::tables(s, *matrix, ys);
      for (const HedgeSign sign : {HedgeSign::kMixed, HedgeSign::kNonNegative, HedgeSign::kNonPositive}) {
        const auto full = exact_gamma(tables, {.sign = sign, .answer = GammaQuery::Answer::kTable});
        for (const auto& oracle : TypeParam::oracles(s.problem)) {
          if (!CuttingPlanes<TypeParam>::serves(*oracle, *matrix)) continue;
          SCOPED_TRACE(matrix->name() + " by " + oracle->name() + ", sign " + std::to_string(static_cast<int>(sign)));
          CuttingPlanes<TypeParam> planes({.problem = s.problem, .oracle = oracle, .matrix = matrix, .sign = sign});
          for (std::size_t k = 0; k < s.actions.size(); k += stride) {
            std::vector<CutPair<TypeParam>> pairs;
            for (std::size_t y = 0; y < ys.size(); ++y) pairs.push_back({s.actions[k], y});
            const auto found = planes.gamma(pairs, ys);
            const double wanted = *std::max_element(full.table[k].begin(), full.table[k].end());
            ASSERT_EQ(found.low, found.high) << "action " << k;  // every oracle here proves its answers
            if (wanted == kNoBound) {
              ASSERT_EQ(found.low, kNoBound) << "action " << k;
            } else {
              ASSERT_NEAR(found.low, wanted, 1e-6 * (1 + wanted)) << "action " << k;
            }
            if (found.witness) Suite::hold_witness(s, *matrix, found, ys[found.witness->outcome]);
            if (::testing::Test::HasFatalFailure()) return;
          }
        }
      }
    }
  });
}

REGISTER_TYPED_TEST_SUITE_P(CuttingConformance, CutsFindTheGammaOfTheFullProgramme);

}  // namespace hannan::detail::conformance
