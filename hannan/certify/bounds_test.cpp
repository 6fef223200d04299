#include "hannan/certify/bounds.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace hannan::bounds {
namespace bounds_test {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
const double kE = std::exp(1.0);

void expect_close(double found, double expected, double relative = 1e-9) {
  EXPECT_NEAR(found, expected, relative * std::max(1.0, std::abs(expected)));
}

// Reference values of every formula, computed apart from this library.
struct Case {
  double K, N, gamma, c, best, M;
  double thm1_paper, simple, tight, lower_paper, lower_tight, ada, off, tau_paper, tau_exact;
};

// Two by hand. Row 1: m = 2 ln 2 and L* = 0, so the printed bound is 2 * 4 sqrt2 * 2 ln 2 + 4 + 8 ln 2 + 2,
// simple 3 * 0.5, tight 0.5 + (e-1)/2 = e/2. Row 5: z = z_1 = 6, tight 18 + 18 (e-1) = 18 e.
const Case kCases[] = {
    {2, 1, 1, 1, 0, 0.5, 27.22930773997632, 1.5, 1.3591409142295225, -7.842065147748378, 0, 6, 27.22930773997632,
     19.84206514774838, 6.410955242379913},
    {2, 1, 1, 1, 100, 0.5, 148.07270035497618, 55.074813431681335, 42.61915849053794, -43.326922247673295,
     -4.524937810560445, 26, 148.07270035497618, 19.84206514774838, 6.410955242379913},
    {65, 64, 1, 1, 100, 8.079805889931952, 1083.107895418018, 283.6031327098483, 167.73934663490706, -510.8445197791942,
     -73.12123834668415, 147.0364863489391, 1083.107895418018, 104.46158731465876, 41.46150896544498},
    {65, 64, 1, 4, 100, 8.079805889931952, 422.24294661137003, 220.90078317746207, 186.93272998679177,
     -162.38422518779558, -12.220455169222074, 147.0364863489391, 1083.107895418018, 104.46158731465876,
     41.46150896544498},
    {64, 6, 6, 1, 0, 3, 518.7704233600869, 54, 48.92907291226281, -164.68336810271592, 0, 146, 518.7704233600869,
     119.05239088649026, 32.190324450236176},
    {64, 6, 6, 1, 10000, 3, 7683.756027599621, 3300.044998875056, 2496.883049185538, -2493.894345020573,
     -282.01499962501873, 1346, 7683.756027599621, 119.05239088649026, 32.190324450236176},
    {1024, 10, 10, 2, 5000, 5, 7598.128391245514, 6187.237365739495, 5252.426777603288, -1778.536241012643,
     -126.79437208237144, 1816.213562373095, 9709.925081558928, 198.42065147748377, 52.00856868340884},
    {1000, 10, 1, 0.5, 2500, 3.4, 8183.920723779167, 1120.203979604079, 459.14078739265346, -3947.4740904001005,
     -333.2679932013596, 289.9680962081059, 4220.046424583941, 90.15232960872706, 35.53442035615632},
    {1048576, 20, 20, 1, 1e6, 10, 241886.65677812466, 110000.01499999626, 80681.70814230021, -79989.1037173494,
     -9800.00499999875, 41602, 241886.65677812466, 396.84130295496755, 101.22807165224822},
};

TEST(Bounds, MatchTheReferenceValuesOfEveryFormula) {
  for (const Case& k : kCases) {
    SCOPED_TRACE(testing::Message() << "K=" << k.K << " c=" << k.c << " best=" << k.best);
    const double ln_K = std::log(k.K);
    const PaperTerms paper{.ln_K = ln_K, .N = k.N, .gamma = k.gamma, .c = k.c, .best = k.best};
    const Terms terms{.M = k.M, .gamma = k.gamma, .c = k.c, .best = k.best};
    expect_close(thm1_paper(paper), k.thm1_paper);
    expect_close(lower_paper(paper), k.lower_paper);
    expect_close(thm1_simple(terms), k.simple);
    expect_close(thm1_tight(terms), k.tight);
    expect_close(lower_tight(terms), k.lower_tight);
    expect_close(ada({.M = k.M, .gamma = k.gamma, .best = k.best}), k.ada);
    expect_close(off_estimate({.ln_K = ln_K, .N = k.N, .gamma = k.gamma, .best = k.best}), k.off);
    expect_close(off_tau_paper(ln_K, k.N, k.gamma), k.tau_paper);
    expect_close(off_tau_exact(ln_K, k.N, k.gamma), k.tau_exact);
  }
}

TEST(Bounds, AreOrderedTightBelowSimpleAndBelowThePrintedOneWhenCIsAtMostOne) {
  for (double c = 0.1; c < 8; c *= 1.3) {
    for (double best = 0; best < 1e5; best = 2 * best + 0.5) {
      for (double gamma = 0; gamma < 40; gamma = 2 * gamma + 0.25) {
        const double M = emax_centred(std::log(1000), 30);
        const Terms terms{.M = M, .gamma = gamma, .c = c, .best = best};
        EXPECT_LE(thm1_tight(terms), thm1_simple(terms) * (1 + 1e-12));
        const PaperTerms paper{.ln_K = std::log(1000), .N = 30, .gamma = gamma, .c = c, .best = best};
        if (c <= 1) {
          EXPECT_LE(thm1_tight(terms), thm1_paper(paper));
        }
        EXPECT_GE(lower_tight(terms), lower_paper(paper));
      }
    }
  }
}

TEST(Bounds, KeepOnlyTheNoiseTermWithoutACap) {
  // gamma = 0: z = sqrt(9)/2 = 1.5 and z_1 = 1/2; no term of gamma is left.
  const Terms terms{.M = 2, .gamma = 0, .c = 2, .best = 8};
  expect_close(thm1_simple(terms), 9);
  expect_close(thm1_tight(terms), 3);
  expect_close(lower_tight(terms), -2);
  // 4 sqrt2 m / c * 3 with m = 2 ln K = 2 and c = 2.
  expect_close(thm1_paper({.ln_K = 1, .N = 1, .gamma = 0, .c = 2, .best = 8}), 12 * std::sqrt(2.0));
  EXPECT_EQ(ada({.M = 2, .gamma = 0, .best = 8}), 2);
  // After one round z_1 = 1/2, after two z_2 = 1 (L*_1 = 3): M z_T.
  EXPECT_EQ(trajectory({.M = 2, .gamma = 0, .c = 2}, std::vector<double>{3, 8}), (std::vector<double>{1, 2}));
}

TEST(TrajectoryBound, MatchesAReferencePath) {
  // M = 1, gamma = 2, c = 1: z stays at the cap 2 and g at e-1 while L* <= 3, so the bound is then
  // (e-1)(L* + 2) + 2 = e - 1 times L* on top of 2e. The rest are reference values.
  const std::vector<double> path = {0.5, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7};
  const std::vector<double> expected = {6.2957045711476125, 7.154845485377135,  7.154845485377135,  8.87312731383618,
                                        8.87312731383618,   10.591409142295225, 10.591409142295225, 12.715322286773237,
                                        12.951390264273027, 14.705918457431979, 14.919340222715366, 16.42969132259774,
                                        16.625952890879155, 17.961890336168544, 18.144566149850146};
  expect_close(expected[3], (kE - 1) * 2 + 2 * kE);
  const std::vector<double> found = trajectory({.M = 1, .gamma = 2, .c = 1}, path);
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t t = 0; t < found.size(); ++t) expect_close(found[t], expected[t]);
}

TEST(TrajectoryBound, MatchesItsDefinitionSummedAnew) {
  const double M = 3.4, gamma = 1.5, c = 0.7;
  std::vector<double> path;
  for (int t = 1; t <= 40; ++t) path.push_back(0.37 * t);
  const auto z = [&](std::size_t t) {  // z_{t+1}, from L*_t
    return std::max(gamma, std::sqrt((t == 0 ? 0 : path[t - 1]) + 1) / c);
  };
  const auto g = [&](std::size_t t) { return std::exp(gamma / z(t)) - 1; };
  double sum = M * g(0) * z(0);
  for (std::size_t t = 0; t < path.size(); ++t) {
    sum += g(t) * (path[t] - (t == 0 ? 0 : path[t - 1])) + M * g(t) * (z(t + 1) - z(t));
  }
  expect_close(trajectory({.M = M, .gamma = gamma, .c = c}, path).back(), sum + M * z(path.size() - 1));
}

TEST(TrajectoryBound, NeverFallsAndNeverExceedsTheClosedForm) {
  for (const double c : {0.2, 1.0, 3.0}) {
    TrajectoryBound bound({.M = 5, .gamma = 4, .c = c});
    EXPECT_EQ(bound.value(), 0);
    double best = 0, last = 0;
    for (int t = 0; t < 3000; ++t) {
      best += t % 3 == 0 ? 1 : (t % 3) * 0.25;
      const double value = bound.observe(best);
      EXPECT_GE(value, last);
      // Equal while the cap holds, but for rounding.
      EXPECT_LE(value, thm1_tight({.M = 5, .gamma = 4, .c = c, .best = best}) * (1 + 1e-12));
      EXPECT_EQ(value, bound.value());
      last = value;
    }
  }
}

TEST(TrajectoryBound, ForgivesRoundingInAPathThatCannotFall) {
  TrajectoryBound rounded({.M = 1, .gamma = 1, .c = 1});
  TrajectoryBound exact({.M = 1, .gamma = 1, .c = 1});
  for (const double best : {2.0, 2.0 - 1e-15, 3.0}) rounded.observe(best);
  for (const double best : {2.0, 2.0, 3.0}) exact.observe(best);
  EXPECT_EQ(rounded.value(), exact.value());
}

TEST(FlipFlopBound, IsTheSmallerOfItsTwoBranches) {
  // gamma M = 2, L* = 3: 5.64 sqrt(4 * 4) + 64 * 2 + 7 = 157.56.
  const FlipFlopTerms friendly{.M = 1, .gamma = 2, .best = 3, .leader_regret = 2};
  expect_close(flipflop(friendly), 5.64 * 2 + 3.73);
  const FlipFlopTerms hostile{.M = 1, .gamma = 2, .best = 3, .leader_regret = 1000};
  expect_close(flipflop(hostile), 157.56);
}

TEST(OffBound, IsTheSmallerOfItsTwoBranches) {
  EXPECT_EQ(off({.leader = 3, .gftpl = 10, .tau = 4}), 10);
  EXPECT_EQ(off({.leader = 30, .gftpl = 10, .tau = 4}), 21);
}

TEST(OffBound, RisesMostInTheFirstStepOfItsEstimate) {
  const double tau = off_tau_exact(std::log(65), 64, 3);
  OffTerms terms{.ln_K = std::log(65), .N = 64, .gamma = 3, .best = 0};
  for (double best = 0; best < 50; best += 0.5) {
    terms.best = best;
    const double before = off_estimate(terms);
    terms.best = best + 1;
    EXPECT_LE(off_estimate(terms) - before, tau * (1 + 1e-12));
  }
  EXPECT_LE(tau, off_tau_paper(std::log(65), 64, 3));
}

TEST(OffBound, RisesMostWhereTheMultiplierOfTheTightEstimateBeginsToGrow) {
  // gamma = 6, c = 1, M = 3: the step at L* = 0 is e - 1 = 1.718, that at L* = 35 is 2.473.
  const Terms first{.M = 3, .gamma = 6, .c = 1, .best = 0}, second{.M = 3, .gamma = 6, .c = 1, .best = 1};
  expect_close(thm1_tight(second) - thm1_tight(first), kE - 1);
  expect_close(off_tau_tight(3, 6, 1), 2.4729768379373525);
  const double sizes[] = {0, 0.5, 3, 40}, gammas[] = {0, 0.3, 1, 6, 20}, tunings[] = {0.1, 0.9, 1, 2.5};
  for (const double M : sizes) {
    for (const double gamma : gammas) {
      for (const double c : tunings) {
        const auto at = [&](double best) { return thm1_tight({.M = M, .gamma = gamma, .c = c, .best = best}); };
        double largest = 0;
        for (double best = 0; best < 3000; best += best < 50 ? 0.25 : 7.75) {
          largest = std::max(largest, at(best + 1) - at(best));
        }
        const double kink = std::max(0.0, c * c * gamma * gamma - 1);
        EXPECT_LE(largest, off_tau_tight(M, gamma, c) + 1e-9);
        EXPECT_NEAR(off_tau_tight(M, gamma, c), at(kink + 1) - at(kink), 1e-9);
      }
    }
  }
  // c gamma = 10^24: adding 1 to L0 is lost, the step is not. z grows by 10^-36/2 and its logarithm by 10^-48/2.
  expect_close(off_tau_tight(1e12, 1e12, 1e12), kE - 1);
}

TEST(LpBound, MatchesTheReferenceValuesOfThePrintedForm) {
  expect_close(lp_paper(std::log(64), {.N = 8, .gamma_p = std::sqrt(8.0), .c = 1, .best = 100, .p = 2}),
               1640.0925080394484);
  expect_close(lp_paper(std::log(64), {.N = 8, .gamma_p = 1, .c = 1, .best = 100, .p = kInfinity}), 1573.0767412400592);
}

TEST(LpBound, IsTheSimpleFormAtTheScaledConstant) {
  // N = 4, p = 2: C = 2c = 1, phi = 4; 4 * 3 * 1 * sqrt(8) + 3 * 4 * max{3, 3} = 24 sqrt2 + 36.
  expect_close(lp_simple({.N = 4, .gamma_p = 3, .c = 0.5, .best = 8, .p = 2}), 24 * std::sqrt(2.0) + 36);
  // p = 1 is Laplace noise: C = c and phi = N/2.
  expect_close(lp_simple({.N = 6, .gamma_p = 2, .c = 0.5, .best = 8, .p = 1}),
               thm1_simple({.M = 3, .gamma = 2, .c = 0.5, .best = 8}));
}

TEST(OneSidedBound, IsTheTightFormWithTheMeanOfTheNoiseSum) {
  expect_close(one_sided({.N = 6, .gamma = 6, .c = 1, .best = 0}), 36 * kE);  // z = z_1 = 6
  EXPECT_EQ(one_sided({.N = 7, .gamma = 2, .c = 3, .best = 50}), thm1_tight({.M = 7, .gamma = 2, .c = 3, .best = 50}));
}

}  // namespace bounds_test
}  // namespace hannan::bounds
