// What every perturbation keeps: poured noise equals its rows, data sets make its columns, and its
// claims about gamma, entries and noise size are true.
#pragma once

#include "hannan/certify/conditions.hpp"
#include "hannan/certify/noise_size.hpp"
#include "tests/conformance/setting.hpp"

namespace hannan::detail::conformance {

template <class P>
class PerturbationConformance : public ::testing::Test {
 public:
  // What an oracle sees of a history, action by action: the pool of everything.
  static std::vector<double> seen(const Setting<P>& s, const AnyOracle<P>& oracle, const AnyHistory<P>& history) {
    const auto nothing = oracle.empty();
    const auto answer = oracle.best({history, *nothing, 0.0}, s.actions.size());
    std::vector<double> values(s.actions.size(), std::numeric_limits<double>::quiet_NaN());
    for (const auto& ranked : answer.pool) {
      const auto at = std::lower_bound(s.actions.begin(), s.actions.end(), ranked.action);
      values[static_cast<std::size_t>(at - s.actions.begin())] = ranked.value;
    }
    return values;
  }
};
TYPED_TEST_SUITE_P(PerturbationConformance);

TYPED_TEST_P(PerturbationConformance, PouredNoiseEqualsTheRowsUpToOneConstant) {
  using Suite = PerturbationConformance<TypeParam>;
  on_every_instance<TypeParam>([](const auto& s) {
    for (const auto& matrix : TypeParam::perturbations(s.problem)) {
      for (const auto& oracle : TypeParam::oracles(s.problem)) {
        SCOPED_TRACE(matrix->name() + " into " + oracle->name());
        for (std::uint64_t i = 0; i < 20; ++i) {
          const auto alpha = random_alpha(matrix->columns(), i);
          const auto wanted = s.tilts(*matrix, alpha);
          if (oracle->takes_tables()) {
            const auto noise = oracle->empty();
            matrix->pour(alpha, *noise);
            ASSERT_LT(disagreement(Suite::seen(s, *oracle, *noise), wanted), kRounding);
          }
          for (const Weights weights : {Weights::kAnySign, Weights::kNonNegative}) {
            if (weights == Weights::kAnySign && !oracle->takes_negative_weights()) continue;
            const auto noise = oracle->empty();
            if (!matrix->pour_data(alpha, *noise, weights)) continue;
            // Data sets of level m carry weights of order m^2; their sum is exact to about 1e-12.
            ASSERT_LT(disagreement(Suite::seen(s, *oracle, *noise), wanted), kRounding) << "as data";
          }
        }
      }
    }
  });
}

TYPED_TEST_P(PerturbationConformance, NoiseOfSingleActionsEqualsTheRowsAndStaysInItsRange) {
  on_every_instance<TypeParam>([](const auto& s) {
    for (const auto& matrix : TypeParam::perturbations(s.problem)) {
      SCOPED_TRACE(matrix->name());
      for (std::uint64_t i = 0; i < 20; ++i) {
        const auto alpha = random_alpha(matrix->columns(), i);
        NoiseTable table;
        matrix->project(alpha, table);
        std::vector<double> found;
        for (const auto& x : s.actions) {
          found.push_back(matrix->noise(x, table));
          ASSERT_GE(found.back(), table.least - kRounding);
          ASSERT_LE(found.back(), table.most + kRounding);
        }
        ASSERT_LT(disagreement(found, s.tilts(*matrix, alpha)), kRounding);
      }
    }
  });
}

TYPED_TEST_P(PerturbationConformance, DataSetsMakeTheirColumnsWithEitherSign) {
  on_every_instance<TypeParam>([](const auto& s) {
    const bool reward = s.problem->form() == Form::kReward;
    for (const auto& matrix : TypeParam::perturbations(s.problem)) {
      for (std::size_t j = 0; j < matrix->columns(); ++j) {
        SCOPED_TRACE(matrix->name() + " column " + std::to_string(j));
        std::vector<double> unit(matrix->columns(), 0.0);
        unit[j] = 1;
        const auto column = s.tilts(*matrix, unit);
        for (const int sign : {1, -1}) {
          for (const Weights weights : {Weights::kAnySign, Weights::kNonNegative}) {
            const auto set = matrix->data({.column = j, .sign = sign, .weights = weights});
            if (!set) continue;
            // Rewards are 1 - losses: up to a constant, minus them.
            auto made = s.sums(*set);
            std::vector<double> wanted = column;
            for (double& value : made) value *= reward ? -sign : sign;
            ASSERT_LT(disagreement(made, wanted), kRounding) << "sign " << sign;
            for (const auto& [weight, outcome] : *set) {
              if (weights == Weights::kNonNegative) {
                ASSERT_GE(weight, 0.0);
              }
              const Json json =
                  Codec<TypeParam>::outcome_json(*s.problem, outcome);  // a black-box oracle gets it as JSON
              ASSERT_TRUE(Codec<TypeParam>::parse_outcome(*s.problem, json, "outcome") == outcome) << dump(json);
            }
          }
        }
      }
    }
  });
}

TYPED_TEST_P(PerturbationConformance, ClaimedGammaCoversTheExactOneOnRandomOutcomes) {
  on_every_instance<TypeParam>([](const auto& s) {
    if (s.actions.size() > 40) return;  // a linear programme per action and outcome
    for (const auto& matrix : TypeParam::perturbations(s.problem)) {
      if (!matrix->gamma()) continue;
      SCOPED_TRACE(matrix->name());
      ConditionTables tables;
      const auto ys = s.outcomes(25);
      for (const auto& x : s.actions) {
        std::vector<double> row(matrix->columns()), losses;
        matrix->row(x, row);
        for (const auto& y : ys) {
          // Of losses of unknown range gamma is the norm over the range of the outcome.
          const double range = has_unknown_range(*s.problem) ? loss_spread(*s.problem, y).range() : 1.0;
          losses.push_back(range > 0 ? s.problem->loss(x, y) / range : 0.0);
        }
        tables.gamma_rows.push_back(std::move(row));
        tables.losses.push_back(std::move(losses));
      }
      const auto exact = exact_gamma(tables, {.sign = matrix->hedge_sign()});
      EXPECT_LE(exact.gamma, *matrix->gamma() + 1e-7);
    }
  });
}

// What is claimed of single outcomes, in the unit of the losses.
TYPED_TEST_P(PerturbationConformance, GammaClaimedOfAnOutcomeCoversTheExactOne) {
  on_every_instance<TypeParam>([](const auto& s) {
    if (s.actions.size() > 40) return;
    if constexpr (requires { s.problem->gamma_at("bits", s.outcome(0)); }) {
      for (const auto& matrix : TypeParam::perturbations(s.problem)) {
        for (const auto& y : s.outcomes(40)) {
          const auto claimed = s.problem->gamma_at(matrix->name(), y);
          if (!claimed) continue;
          SCOPED_TRACE(matrix->name() + " on " + dump(Codec<TypeParam>::outcome_json(*s.problem, y)));
          ConditionTables tables;
          for (const auto& x : s.actions) {
            std::vector<double> row(matrix->columns());
            matrix->row(x, row);
            tables.gamma_rows.push_back(std::move(row));
            tables.losses.push_back({s.problem->loss(x, y)});
          }
          // No hedge vector of one sign is claimed of a single outcome.
          EXPECT_LE(exact_gamma(tables, {.sign = HedgeSign::kMixed}).gamma,
                    *claimed * loss_spread(*s.problem, y).range() + 1e-7);
          EXPECT_LE(*claimed, matrix->gamma().value_or(*claimed));
        }
      }
    }
  });
}

TYPED_TEST_P(PerturbationConformance, ClaimedEntriesAndNoiseSizeAreTrue) {
  on_every_instance<TypeParam>([](const auto& s) {
    for (const auto& matrix : TypeParam::perturbations(s.problem)) {
      SCOPED_TRACE(matrix->name());
      std::vector<double> row(matrix->columns());
      for (const auto& x : s.actions) {
        matrix->row(x, row);
        for (const double entry : row) ASSERT_TRUE(!matrix->unit_entries() || (entry >= 0 && entry <= 1)) << entry;
      }
      // E max <row, alpha> by 4000 draws; five standard errors fail by chance once in 10^6.
      const auto exact = exact_laplace_size(matrix->shape());
      if (!exact || matrix->columns() == 0 || s.actions.size() > 40) continue;
      double sum = 0, squares = 0;
      constexpr int kDraws = 4000;
      for (int i = 0; i < kDraws; ++i) {
        const auto tilts = s.tilts(*matrix, random_alpha(matrix->columns(), static_cast<std::uint64_t>(1000 + i)));
        const double most = *std::max_element(tilts.begin(), tilts.end());
        sum += most;
        squares += most * most;
      }
      const double mean = sum / kDraws, error = std::sqrt((squares / kDraws - mean * mean) / kDraws);
      EXPECT_NEAR(*exact, mean, 5 * error);
    }
  });
}

REGISTER_TYPED_TEST_SUITE_P(PerturbationConformance, PouredNoiseEqualsTheRowsUpToOneConstant,
                            NoiseOfSingleActionsEqualsTheRowsAndStaysInItsRange, DataSetsMakeTheirColumnsWithEitherSign,
                            ClaimedGammaCoversTheExactOneOnRandomOutcomes, GammaClaimedOfAnOutcomeCoversTheExactOne,
                            ClaimedEntriesAndNoiseSizeAreTrue);

}  // namespace hannan::detail::conformance
