#include "hannan/verify/noise_forms.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "hannan/runtime/registry.hpp"

namespace hannan::detail {
namespace noise_forms_test {

// tests/vectors/core/emax_formulas.json and the sums in decimals of 40 digits, rounded: by hand H_2 - 1/2 - 1/8 - 1/8 =
// 3/4 and H_3 - 1/2 - 1/8 - 1/24 - 1/24 = 9/8. A unit in the last place is at most 2.3e-16 of the number.
TEST(SizeOfNoiseAgain, HasTheClosedFormsOfLaplaceNoise) {
  EXPECT_EQ(forms::emax_bits(1), 0.5);
  EXPECT_EQ(forms::emax_bits(10), 5);
  for (const auto& [columns, expected] : std::vector<std::pair<double, double>>{{0, 0},
                                                                                {1, 0.5},
                                                                                {2, 0.875},
                                                                                {8, 2.338470458984375},
                                                                                {64, 8.079805889931952},
                                                                                {1000, 34.695861302854496},
                                                                                {100'000, 355.82616132168994}})
    EXPECT_NEAR(forms::emax_prefix(columns), expected, 3e-16 * expected);
  EXPECT_EQ(forms::emax_identity(1), 0);
  EXPECT_EQ(forms::emax_identity(2), 0.75);
  EXPECT_NEAR(forms::emax_identity(3), 1.125, 1e-15);
  for (const auto& [actions, expected] : std::vector<std::pair<double, double>>{
           {65, 4.066128338530439}, {100, 4.494230337079675}, {130, 4.755444157706031}, {100'000, 11.396998949303482}})
    EXPECT_NEAR(forms::emax_identity(actions), expected, 3e-16 * expected);
  using Kind = CoordinateShape::Kind;
  EXPECT_NEAR(*forms::emax_of(std::vector<CoordinateShape>{{Kind::kBits, 8}, {Kind::kPrefix, 3}, {Kind::kIdentity, 2}}),
              1.5 + 0.875 + 0.75, 1e-15);
  EXPECT_FALSE(forms::emax_of(std::vector<CoordinateShape>{{Kind::kBits, 6}}));
  EXPECT_FALSE(forms::emax_of(std::vector<CoordinateShape>{{Kind::kBits, 8}, {Kind::kOther, 3}}));
  EXPECT_FALSE(forms::emax_of({}));
}

// What the program states, of an instance of every problem with every matrix: the verifier shares no code with it.
TEST(SizeOfNoiseAgain, IsWhatTheProgramStates) {
  int compared = 0;
  const auto compare = [&](const std::shared_ptr<const AnyProblem>& problem,
                           const std::shared_ptr<const GameMatrix>& matrix, const char* noise) {
    RecordedSetting s;
    s.problem = {problem, &problem->game()};
    s.ln_size = problem->game().ln_size();
    s.noise.perturbation = matrix->name();
    s.noise.matrix = matrix;
    s.noise.name = noise;
    s.noise.law = DrawnLaw::named(noise);
    const auto again = noise_size_again(s);
    const auto stated = problem->noise_size(matrix->name(), noise);
    ASSERT_TRUE(again);
    EXPECT_NEAR(again->mean, stated.value, 1e-9 * std::abs(stated.value)) << problem->kind() << matrix->name() << noise;
    EXPECT_NEAR(again->high, stated.high, 1e-9 * std::abs(stated.high)) << problem->kind() << matrix->name() << noise;
    EXPECT_TRUE(agree(stated.high, again->high, again->precision)) << problem->kind() << matrix->name() << noise;
    // A fifth of the tolerance: honest records are far from it, on every machine, because both sides are portable.
    EXPECT_EQ(again->precision.unit == 0, stated.method == "exact") << problem->kind() << matrix->name() << noise;
    if (stated.method == "exact") {
      EXPECT_NEAR(again->mean, stated.value, again->precision.relative / 5 * stated.value) << matrix->name();
    }
    ++compared;
  };
  for (const ProblemKind& kind : problem_kinds()) {
    for (const std::string_view params : kind.instances.tested) {
      const std::shared_ptr<const AnyProblem> problem = kind.make(parse_json(params), "params");
      if (problem->game().ln_size() <= 0) continue;
      const auto matrices = problem->game().perturbations();
      for (const auto& matrix : matrices) compare(problem, matrix, "laplace");
      compare(problem, matrices.front(), "lp:2");
      if (matrices.front()->hedge_sign() != HedgeSign::kMixed) compare(problem, matrices.front(), "exponential");
      break;  // 2000 searches each
    }
  }
  EXPECT_GT(compared, 20);
}

// Experts, where the program changes from a sum to a series, at 32 columns of a thermometer and 100 actions, and
// beyond.
TEST(SizeOfNoiseAgain, AgreesWithTheProgramInTheLastDigitsAtEverySize) {
  for (int experts = 2; experts <= 260; ++experts) {
    const std::shared_ptr<const AnyProblem> problem =
        make_problem("experts", parse_json("{\"experts\":" + std::to_string(experts) + "}"), "params");
    for (const auto& matrix : problem->game().perturbations()) {
      const auto stated = problem->noise_size(matrix->name(), "laplace");
      const auto again = forms::emax_of(matrix->shape());
      if (!again) continue;
      EXPECT_NEAR(*again, stated.value, 1e-15 * stated.value) << experts << matrix->name();
    }
  }
}

}  // namespace noise_forms_test
}  // namespace hannan::detail
