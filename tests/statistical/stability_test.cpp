// The stability lemma: one more outcome changes the chance of any choice by at most exp(gamma * eta),
//
//     P[x_t = i] <= exp(gamma * eta) P[x'_t = i],
//
// x_t chosen before and x'_t after the outcome, gamma exact for it. And Lemma 1: what goes wrong without it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "hannan/certify/conditions.hpp"
#include "hannan/core/keyed_random.hpp"
#include "hannan/noise/choice_probability.hpp"
#include "hannan/noise/noise.hpp"

namespace hannan::detail {
namespace stability_test {

struct ScalarInstance {
  std::vector<double> column, history, losses;
  double scale = 1;  // 1/eta
};

// One column is approximable exactly when the losses are convex in its entries (s is a slope), so: the
// maximum of three random lines, brought to [0,1]. Every fifth instance has two equal rows. The history
// is arbitrary: the lemma asks nothing of it.
ScalarInstance scalar_instance(std::uint64_t i) {
  const KeyedRandom coins(Key{.seed = 30}, Purpose::kTest, i);
  ScalarInstance made{.scale = 0.3 + 4 * coins.uniform(0)};
  const std::size_t size = 2 + coins.below(1, 5);
  for (std::size_t k = 0; k < size; ++k) {
    made.column.push_back(k == 1 && i % 5 == 0 ? made.column[0] : coins.uniform(10 + k));
    double most = -10;
    for (std::size_t line = 0; line < 3; ++line) {
      most = std::max(most, 4 * coins.uniform(30 + line) - 2 + (8 * coins.uniform(40 + line) - 4) * made.column[k]);
    }
    made.losses.push_back(most);
    made.history.push_back(6 * coins.uniform(50 + k));
  }
  const auto [low, high] = std::minmax_element(made.losses.begin(), made.losses.end());
  const double floor = *low, span = std::max(*high - *low, 1.0);
  for (double& loss : made.losses) loss = (loss - floor) / span;
  return made;
}

double gamma_of(const std::vector<std::vector<double>>& rows, const std::vector<double>& losses) {
  ConditionTables tables{.gamma_rows = rows, .losses = {}};
  for (const double loss : losses) tables.losses.push_back({loss});
  return exact_gamma(tables, {}).gamma;
}

TEST(StabilityLemma, HoldsExactlyOnTwoHundredScalarInstances) {
  const Noise laplace;
  double tightest = 0;
  for (std::uint64_t i = 0; i < 200; ++i) {
    const ScalarInstance at = scalar_instance(i);
    std::vector<std::vector<double>> rows;
    std::vector<double> scaled, after;
    for (std::size_t k = 0; k < at.column.size(); ++k) {
      rows.push_back({at.column[k]});
      scaled.push_back(at.column[k] * at.scale);
      after.push_back(at.history[k] + at.losses[k]);
    }
    const double gamma = gamma_of(rows, at.losses);
    ASSERT_TRUE(std::isfinite(gamma)) << "instance " << i;
    for (std::size_t k = 0; k < scaled.size(); ++k) {
      const double before = choice_probability({at.history, scaled, k}, laplace);
      const double later = choice_probability({after, scaled, k}, laplace);
      const double allowed = std::exp(gamma / at.scale) * later;
      // Probabilities are differences of exponentials: exact to about 1e-16 absolutely.
      ASSERT_LE(before, allowed * (1 + 1e-6) + 1e-14) << "instance " << i << " action " << k;
      if (gamma > 0 && later > 1e-9) tightest = std::max(tightest, std::log(before / later) / (gamma / at.scale));
    }
  }
  // A gamma ten percent smaller would fail: some instance uses nearly all of the exponent.
  EXPECT_GT(tightest, 0.9);
}

std::size_t argmin_under(const std::vector<std::vector<double>>& rows, const std::vector<double>& losses,
                         const std::vector<double>& alpha, double scale) {
  std::size_t best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < rows.size(); ++k) {
    double value = losses[k];
    for (std::size_t j = 0; j < alpha.size(); ++j) value += scale * alpha[j] * rows[k][j];
    if (value < least) {
      least = value;
      best = k;
    }
  }
  return best;
}

TEST(StabilityLemma, HoldsForVectorsWithinTheErrorOfSampling) {
  // Eight actions, the three bits of their index; independent draws before and after the outcome.
  // Each pair of draws gives [x = k] - e [x' = k] in [-e, 1], so by Hoeffding the mean over n pairs is above
  // its expectation by (1 + e) sqrt(ln(1/p) / 2n) with chance p. 5 instances of 8 actions at p = 1e-6/40 each:
  // a false alarm once in 10^6. It would catch a violation of twice that, 0.019 (1 + e).
  constexpr std::uint64_t kDraws = 100'000;
  constexpr std::size_t kInstances = 5, kActions = 8;
  const double slack = std::sqrt(std::log(40 / 1e-6) / (2 * static_cast<double>(kDraws)));
  const Noise laplace;
  std::vector<std::vector<double>> rows;
  for (std::size_t k = 0; k < kActions; ++k) {
    rows.push_back({static_cast<double>(k >> 2 & 1), static_cast<double>(k >> 1 & 1), static_cast<double>(k & 1)});
  }
  for (std::uint64_t i = 0; i < kInstances; ++i) {
    const KeyedRandom coins(Key{.seed = 31}, Purpose::kTest, i);
    std::vector<double> history(kActions), after(kActions), losses(kActions);
    for (std::size_t k = 0; k < kActions; ++k) {
      history[k] = 4 * coins.uniform(k);
      losses[k] = static_cast<double>(coins.below(20 + k, 3)) / 2;
      after[k] = history[k] + losses[k];
    }
    const double scale = 1 + 2 * coins.uniform(40);
    const double allowed = std::exp(gamma_of(rows, losses) / scale);
    std::vector<double> before_rate(kActions, 0.0), after_rate(kActions, 0.0), alpha(3);
    for (std::uint64_t t = 0; t < kDraws; ++t) {
      laplace.draw(KeyedRandom(Key{.seed = 31, .run = i}, Purpose::kNoise, 2 * t), alpha, {});
      before_rate[argmin_under(rows, history, alpha, scale)] += 1.0 / kDraws;
      laplace.draw(KeyedRandom(Key{.seed = 31, .run = i}, Purpose::kNoise, 2 * t + 1), alpha, {});
      after_rate[argmin_under(rows, after, alpha, scale)] += 1.0 / kDraws;
    }
    for (std::size_t k = 0; k < kActions; ++k) {
      EXPECT_LE(before_rate[k], allowed * after_rate[k] + (1 + allowed) * slack) << "instance " << i << " action " << k;
    }
  }
}

TEST(LemmaOne, UniformNoiseForgetsAnActionAfterOneOutcome) {
  // U[0,4], column (0,1): action 0 is chosen iff alpha >= L_0 - L_1. At 3.5 that is 1/8, one outcome later, at
  // 4.5, never: no factor bounds the change.
  const Noise uniform = Noise::parse("uniform:4", "");
  const std::vector<double> column{0, 1}, before{3.5, 0}, after{4.5, 0};
  EXPECT_EQ(choice_probability({before, column, 0}, uniform), 0.125);
  EXPECT_EQ(choice_probability({after, column, 0}, uniform), 0);
  // The matrix is not to blame: its gamma is 1 for this outcome.
  EXPECT_NEAR(gamma_of({{0}, {1}}, {1, 0}), 1, 1e-9);
  // And the sampled frequencies agree: 10^5 draws, Hoeffding at 1e-6 is 0.0083.
  std::vector<double> alpha(1);
  double chosen = 0;
  for (std::uint64_t t = 0; t < 100'000; ++t) {
    uniform.draw(KeyedRandom(Key{.seed = 32}, Purpose::kNoise, t), alpha, {});
    chosen += argmin_under({{0}, {1}}, before, alpha, 1) == 0 ? 1e-5 : 0;
    ASSERT_EQ(argmin_under({{0}, {1}}, after, alpha, 1), 1u);
  }
  EXPECT_NEAR(chosen, 0.125, 0.0083);
}

TEST(LemmaOne, LaplaceNoiseForgetsAnActionWhereTheMatrixHasNoGamma) {
  // Rows 0, 1/2, 1 and losses (0, 1/2, 0) are concave: no slope supports the middle row, gamma is infinite,
  // though the entries differ by delta = 1/2. The middle action, at histories (1/2, 0, 1/4), is chosen for
  // alpha in [-1/2, 1]: 1 - (e^(-1/2) + e^-1)/2 = 0.512795. After the outcome: never.
  const std::vector<std::vector<double>> rows{{0}, {0.5}, {1}};
  EXPECT_EQ(gamma_of(rows, {0, 0.5, 0}), std::numeric_limits<double>::infinity());
  EXPECT_EQ(admissibility(rows), 0.5);
  const Noise laplace;
  const std::vector<double> column{0, 0.5, 1}, before{0.5, 0, 0.25}, after{0.5, 0.5, 0.25};
  EXPECT_NEAR(choice_probability({before, column, 1}, laplace), 1 - (std::exp(-0.5) + std::exp(-1.0)) / 2, 1e-12);
  EXPECT_EQ(choice_probability({after, column, 1}, laplace), 0);
}

}  // namespace stability_test
}  // namespace hannan::detail
