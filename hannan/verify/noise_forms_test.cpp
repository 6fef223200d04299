#include "hannan/verify/noise_forms.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "hannan/runtime/registry.hpp"

namespace hannan::detail {
namespace noise_forms_test {

// tests/vectors/core/emax_formulas.json, where identity is a numerical integral good to 1e-6; by hand H_2 - 1/2 - 1/8 -
// 1/8 = 3/4 and H_3 - 1/2 - 1/8 - 1/24 - 1/24 = 9/8.
TEST(SizeOfNoiseAgain, HasTheClosedFormsOfLaplaceNoise) {
  EXPECT_EQ(forms::emax_bits(1), 0.5);
  EXPECT_EQ(forms::emax_bits(10), 5);
  for (const auto& [columns, expected] : std::vector<std::pair<double, double>>{
           {0, 0}, {1, 0.5}, {2, 0.875}, {8, 2.338470458984375}, {64, 8.079805889931952}, {1000, 34.695861302854496}})
    EXPECT_NEAR(forms::emax_prefix(columns), expected, 1e-12 * expected);
  EXPECT_EQ(forms::emax_identity(1), 0);
  EXPECT_EQ(forms::emax_identity(2), 0.75);
  EXPECT_NEAR(forms::emax_identity(3), 1.125, 1e-15);
  EXPECT_NEAR(forms::emax_identity(65), 4.066128338530455, 1e-6);
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
    s.perturbation = matrix->name();
    s.matrix = matrix;
    s.noise_name = noise;
    s.law = DrawnLaw::named(noise);
    const auto again = noise_size_again(s);
    const auto stated = problem->noise_size(matrix->name(), noise);
    ASSERT_TRUE(again);
    EXPECT_NEAR(again->mean, stated.value, 1e-9 * std::abs(stated.value)) << problem->kind() << matrix->name() << noise;
    EXPECT_NEAR(again->high, stated.high, 1e-9 * std::abs(stated.high)) << problem->kind() << matrix->name() << noise;
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

}  // namespace noise_forms_test
}  // namespace hannan::detail
