#include "hannan/certify/run_bounds.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "hannan/certify/bounds.hpp"

namespace hannan::bounds {
namespace run_bounds_test {

constexpr double kNever = std::numeric_limits<double>::infinity();

void expect_near(double found, double expected, double relative = 1e-9) {
  EXPECT_NEAR(found, expected, relative * std::max(1.0, std::abs(expected)));
}

// [M, gamma, c] and reference values at them, computed apart from this library (tests/vectors/next/closed_forms.json).
struct Reference {
  double M, gamma, c;
  std::array<double, 7> trajectory2, inexact;   // along kPath
  std::array<double, 4> tight2, simple2, ada2;  // at kBest
};
constexpr std::array<double, 7> kPath = {0, 0.5, 1.5, 2, 3, 3, 4};
constexpr std::array<double, 4> kBest = {0, 1, 10, 1000};

const Reference kReferences[] = {
    {0.5,
     1,
     1,
     {0.7909883534346632, 1.1473748469384502, 1.8054836458802834, 2.1847109800094846, 2.6188429135816804,
      2.7528175097972416, 3.0555219042887822},
     {0.8741773247525316, 1.3324490842342198, 2.1372225393773956, 2.567145418358782, 3.08999189788781,
      3.223966494103371, 3.5995137031672},
     {0.7909883534346632, 1.7006031639757904, 6.047014494396482, 54.11908211290293},
     {0.8, 2.3013708498984764, 6.353164694681324, 62.30951585526024},
     {4.0, 5.414213562373095, 8.47213595499958, 48.721359549995796}},
    {3,
     6,
     1,
     {28.475580723647877, 28.76656907708254, 29.348545783951867, 29.63953413738653, 30.221510844255857,
      30.221510844255857, 30.803487551125183},
     {28.954150741230144, 29.258432706264315, 29.866996636332658, 30.17127860136683, 30.779842531435172,
      30.779842531435172, 31.38840646150351},
     {28.475580723647877, 29.057557430517203, 34.29534779234114, 347.0520678424318},
     {28.800000000000004, 35.82000000000001, 50.999189174382025, 373.85709513156144},
     {74.0, 82.48528137423857, 100.83281572999748, 342.32815729997475}},
    {4,
     1,
     1.5,
     {6.327906827477306, 6.618895180911969, 7.3267943121323, 8.037914016231825, 9.288601935186836, 10.003133115003163,
      10.689877951987722},
     {6.993418598020253, 7.367595922772784, 8.27787222760826, 9.128031145685865, 10.610556936825823, 11.32508811664215,
      12.192232853623949},
     {6.327906827477306, 6.9098835343466325, 18.901013501646066, 150.39142527008698},
     {6.4, 8.155000000000001, 19.70072973244521, 190.48926483616947},
     {18.0, 22.0, 30.64911064067352, 144.49110640673518}},
    {2,
     0.5,
     0.3,
     {7.179161981676415, 7.332779823962804, 9.042032329555878, 11.490561084619385, 12.619033711221604,
      14.405361660762424, 14.503085004476352},
     {7.397800014005178, 7.616953485173261, 9.415151973031096, 11.893919447140984, 13.07321143265263, 14.85953938219345,
      14.997637427048819},
     {7.248643373535994, 10.425722779721264, 24.07885996031667, 219.42971204254252},
     {10.666666666666668, 15.260444665313015, 35.93231082648382, 343.02802704413153},
     {6.0, 8.0, 12.32455532033676, 69.24555320336759}},
};

TEST(RunBounds, MatchTheReferenceValues) {
  for (const Reference& k : kReferences) {
    SCOPED_TRACE(testing::Message() << "M=" << k.M << " gamma=" << k.gamma << " c=" << k.c);
    const TrajectoryBound::Constants constants{.M = k.M, .gamma = k.gamma, .c = k.c};
    const std::vector<double> exact = trajectory2(constants, kPath);
    const std::vector<double> inexact = inexact_gftpl(constants, {.sigma = 1, .tol = 0.1}, kPath);
    ASSERT_EQ(exact.size(), kPath.size());
    ASSERT_EQ(inexact.size(), kPath.size());
    for (std::size_t t = 0; t < kPath.size(); ++t) {
      expect_near(exact[t], k.trajectory2[t]);
      expect_near(inexact[t], k.inexact[t]);
    }
    for (std::size_t i = 0; i < kBest.size(); ++i) {
      const Terms terms{.M = k.M, .gamma = k.gamma, .c = k.c, .best = kBest[i]};
      expect_near(tight2(terms), k.tight2[i]);
      expect_near(simple2(terms), k.simple2[i]);
      expect_near(ada2({.M = k.M, .gamma = k.gamma, .best = kBest[i]}), k.ada2[i]);
    }
  }
}

TEST(HalfStability, MatchesTheReferenceValues) {
  const double u[] = {1e-5, 0.01, 0.5, 1, 5};
  const double wanted_h[] = {4.999983333375e-06, 0.004983374916805339, 0.21306131942526685, 0.36787944117144233,
                             0.8013475893998171};
  const double wanted_g[] = {5.000008333333334e-06, 0.005008333319444391, 0.2707470412683992, 0.5819767068693265,
                             4.033918274531521};
  for (int i = 0; i < 5; ++i) {
    EXPECT_NEAR(h(u[i]), wanted_h[i], 1e-12 * wanted_h[i]);
    EXPECT_NEAR(g(u[i]), wanted_g[i], 1e-12 * wanted_g[i]);
  }
  EXPECT_EQ(h(0), 0);
  EXPECT_EQ(g(0), 0);
}

TEST(HalfStability, KeepsItsRelationsForSmallAndLargeArguments) {
  for (double u = 1e-12; u < 1e6; u *= 1.7) {
    EXPECT_NEAR((1 + g(u)) * (1 - h(u)), 1, 4e-16 * (1 + u));  // 1 - h is about 1/u for large u
    EXPECT_LE(h(u), u / 2);
    EXPECT_GT(h(u), u < 1e-3 ? u / 2 * (1 - u) : 0);
    EXPECT_GT(h(1.7 * u), h(u));
    EXPECT_GT(g(1.7 * u), g(u));
    if (u <= 1) {
      EXPECT_LE(g(u), u / (std::exp(1.0) - 1) * (1 + 1e-15));
    }
  }
  // The series for small u, to the last digits: u/2 - u^2/6 + u^3/24 - u^4/120 and u/2 + u^2/12 - u^4/720.
  EXPECT_NEAR(h(9e-5), 4.5e-5 - 8.1e-9 / 6 + 7.29e-13 / 24 - 6.561e-17 / 120, 2e-20);
  EXPECT_NEAR(g(9e-5), 4.5e-5 + 8.1e-9 / 12 - 6.561e-17 / 720, 2e-20);
}

TEST(Trajectory2, IsBelowTheOldFormAndBelowItsClosedForms) {
  for (const double c : {0.2, 1.0, 3.0}) {
    const TrajectoryBound::Constants constants{.M = 5, .gamma = 4, .c = c};
    TrajectoryBound old(constants), half(constants, {.rule = Growth::Rule::kHalfStability});
    double best = 0, last = 0;
    for (int t = 0; t < 3000; ++t) {
      best += t % 3 == 0 ? 1 : (t % 3) * 0.25;
      const double value = half.observe(best);
      const Terms terms{.M = 5, .gamma = 4, .c = c, .best = best};
      EXPECT_LT(value, old.observe(best));
      EXPECT_LE(value, tight2(terms) * (1 + 1e-12));
      EXPECT_LE(tight2(terms), simple2(terms) * (1 + 1e-12));
      EXPECT_GE(value, last);
      last = value;
    }
  }
}

TEST(InexactGftpl, IsTheExactFormAtToleranceZeroAndGrowsWithIt) {
  const TrajectoryBound::Constants constants{.M = 2, .gamma = 0.5, .c = 3};
  EXPECT_EQ(inexact_gftpl(constants, {.sigma = 7, .tol = 0}, kPath), trajectory2(constants, kPath));
  // z_1 = 0.5 and L* = 1 at once: g_1 = e^(sigma tol/0.5) (1 + g(1)) - 1, also where the exponent is above 1.
  for (const double tol : {1e-9, 0.1, 2.0}) {
    const double growth = std::exp(3 * tol / 0.5) * (1 + g(1)) - 1;
    const double z_2 = std::max(0.5, std::sqrt(2.0) / 3);
    const double wanted = growth * 1 + 2 * (growth * 0.5 + growth * (z_2 - 0.5) + 0.5);
    expect_near(inexact_gftpl(constants, {.sigma = 3, .tol = tol}, std::vector<double>{1}).back(), wanted, 1e-12);
  }
}

TEST(OneSided2AndLpSimple2, AreTheirFormsAtOtherConstants) {
  EXPECT_EQ(one_sided2({.N = 7, .gamma = 2, .c = 3, .best = 50}), tight2({.M = 7, .gamma = 2, .c = 3, .best = 50}));
  // N = 4, p = 2: C = 2c = 1, phi = 4.
  expect_near(lp_simple2({.N = 4, .gamma_p = 3, .c = 0.5, .best = 8, .p = 2}),
              simple2({.M = 4, .gamma = 3, .c = 1, .best = 8}));
}

TEST(OwnSize, IsThePlainFormWhereTheLearnersMIsTheTrueOne) {
  const OwnAdaTerms terms{.M = 3, .own = 3, .gamma = 2, .best = 50};
  expect_near(ada2_own(terms), ada2({.M = 3, .gamma = 2, .best = 50}));
  expect_near(ada_own(terms), ada({.M = 3, .gamma = 2, .best = 50}));
  // (1 + 4)(sqrt(2 * 0.75 * 24) + 2 * 3.75 + 1) = 5 (6 + 8.5); loss: 5 (sqrt 72 + 15 + 1).
  expect_near(ada2_own({.M = 3, .own = 0.75, .gamma = 2, .best = 24}), 72.5);
  expect_near(ada_own({.M = 3, .own = 0.75, .gamma = 2, .best = 24}), 5 * (std::sqrt(72.0) + 16));
  // Without noise there is nothing to correct; with noise that the learner took for none nothing is proven.
  EXPECT_EQ(ada2_own({.M = 0, .own = 0, .gamma = 2, .best = 24}), 2);
  EXPECT_EQ(ada2_own({.M = 1, .own = 0, .gamma = 2, .best = 24}), kNever);
}

TEST(OwnSize, OfFlipFlopIsAtMostThePlainFormWhereTheLearnersMIsTheTrueOne) {
  for (const double leader : {0.0, 3.5, 1000.0, kNever}) {
    const OwnFlipFlopTerms terms{.M = 3, .own = 3, .gamma = 2, .best = 50, .leader_regret = leader};
    const FlipFlopTerms plain{.M = 3, .gamma = 2, .best = 50, .leader_regret = leader};
    EXPECT_LE(flipflop2_own(terms), flipflop2(plain));
    EXPECT_GE(flipflop2_own(terms), 0.98 * flipflop2(plain));
    EXPECT_LE(flipflop_own(terms), flipflop(plain));
    EXPECT_GE(flipflop_own(terms), 0.98 * flipflop(plain));
  }
  // phi = 2, a = 1, r = 2: b = 7, b' = 9; 8 U + 7, and with gamma own = 2, L* + 1 = 8: 9 (4 + 18 + 1) + 1.
  OwnFlipFlopTerms terms{.M = 2, .own = 1, .gamma = 2, .best = 7, .leader_regret = 3, .phi = 2, .a = 1};
  EXPECT_EQ(flipflop2_own(terms), 31);
  terms.leader_regret = kNever;
  EXPECT_EQ(flipflop2_own(terms), 208);
  terms.own = 0;
  terms.leader_regret = 0;
  EXPECT_EQ(flipflop2_own(terms), kNever);
}

TEST(FlipFlop2, IsTheSmallerOfItsTwoBranches) {
  expect_near(flipflop2({.M = 0.5, .gamma = 1, .best = 10, .leader_regret = 3.5}), 23.47);
  expect_near(flipflop2({.M = 1, .gamma = 2, .best = 7, .leader_regret = kNever}), 5.64 * 4 + 64 + 6.64);
}

TEST(InexactAda, IsTheExactFormAtToleranceZero) {
  const Tolerance none{.sigma = 3, .tol = 0};
  expect_near(inexact_ada({.M = 3, .gamma = 2, .best = 50, .tolerance = none, .rounds = 100}),
              ada2({.M = 3, .gamma = 2, .best = 50}));
  // ge = 2 + 2 * 0.5 = 3, q = 1, b' = 5.637: b' (sqrt(9 * 5) + 9 b' + 3) + 2.
  const double factor = 5.637;
  expect_near(inexact_flipflop({.M = 3, .gamma = 2, .best = 3, .tolerance = {.sigma = 5, .tol = 0.1}, .rounds = 10}),
              factor * (std::sqrt(45.0) + 9 * factor + 3) + 2);
}

TEST(UnknownRange, ScalesWithTheLosses) {
  const double ranges[] = {1, 0.5, 3};
  const double larger[] = {4, 2, 12};
  expect_near(ada2_range(0.5, 1, ranges), 2 * std::sqrt(0.5 * 10.25) + 6);
  expect_near(ada2_range(0.5, 1, ranges), 10.527692569068709);
  EXPECT_EQ(ada2_range(0.5, 1, larger), 4 * ada2_range(0.5, 1, ranges));
  const RangeTerms unit{.M = 3, .gamma = 2, .best = 50, .leader_regret = 100, .range = 1};
  expect_near(ada2_range_best(unit), ada2({.M = 3, .gamma = 2, .best = 50}));
  expect_near(flipflop2_range(unit), flipflop2({.M = 3, .gamma = 2, .best = 50, .leader_regret = 100}));
  const RangeTerms scaled{.M = 3, .gamma = 2, .best = 200, .leader_regret = 400, .range = 4};
  EXPECT_EQ(ada2_range_best(scaled), 4 * ada2_range_best(unit));
  EXPECT_EQ(flipflop2_range(scaled), 4 * flipflop2_range(unit));
}

TEST(Discounted, MatchesTheReferenceValuesAndTheUndiscountedLimit) {
  expect_near(discounted({.M = 0.5, .gamma = 1, .discount = 0.9, .rounds = 100}), 5.244428421470767);
  expect_near(discounted({.M = 0.5, .gamma = 1, .discount = 0.99, .rounds = 100}), 11.329373966523152);
  expect_near(tracking({.M = 0.5, .gamma = 1, .discount = 0.9, .rounds = 100}, 3), 84.16426980650624);
  expect_near(tracking({.M = 0.5, .gamma = 1, .discount = 0.99, .rounds = 100}, 3), 320.9299373432597);
  const double plain = discounted({.M = 0.5, .gamma = 1, .discount = 1, .rounds = 200});
  EXPECT_EQ(plain, 22);
  // Near 1 the fraction (1 - d^400)/(1 - d^2) is about 200 (1 - 199 (1-d)): no digit may be lost to cancellation.
  EXPECT_NEAR(discounted({.M = 0.5, .gamma = 1, .discount = 1 - 0x1p-40, .rounds = 200}),
              2 + 20 * std::sqrt(1 - 199 * 0x1p-40), 1e-13);
  EXPECT_EQ(discounted({.M = 0.5, .gamma = 1, .discount = 0.9, .rounds = 0}), 2);
}

// At its own M equal to that of the noise each is the plain form; at half of it the factor is 3 and the root smaller.
TEST(OwnSize, TheFormsForUnknownRangeAndDiscountsHaveTheFactorOfAda2) {
  const double ranges[] = {1, 0.5, 3};
  expect_near(ada2_range_own({.M = 0.5, .own = 0.5, .gamma = 1, .squares = 10.25, .range = 3}),
              ada2_range(0.5, 1, ranges));
  expect_near(ada2_range_own({.M = 0.5, .own = 0.25, .gamma = 1, .squares = 10.25, .range = 3}),
              3 * (std::sqrt(0.25 * 10.25) + 3));
  const DiscountTerms terms{.M = 0.5, .gamma = 1, .discount = 0.9, .rounds = 100};
  expect_near(discounted_own(terms, 0.5), discounted(terms));
  expect_near(discounted_own(terms, 0.25), 3 * (std::sqrt(0.25 * (1 - std::pow(0.9, 200)) / 0.19) + 1));
  EXPECT_EQ(discounted_own(terms, 0), std::numeric_limits<double>::infinity());
  const OwnFlipFlopTerms unit{.M = 3, .own = 2, .gamma = 2, .best = 50, .leader_regret = 100};
  EXPECT_EQ(flipflop2_range_own(unit, 1), flipflop2_own(unit));
  OwnFlipFlopTerms larger = unit;
  larger.best *= 4;
  larger.leader_regret *= 4;
  EXPECT_EQ(flipflop2_range_own(larger, 4), 4 * flipflop2_own(unit));
}

TEST(Delayed, MatchesTheReferenceValues) {
  // The vector gives the values without their parameters; these were found by trying small whole numbers, and other
  // choices give the same values. The tests by hand are in named_bounds_test.cpp.
  expect_near(delayed({.M = 0.5, .gamma = 1, .best = 40, .missing = 3, .open = 4}), 59.29822128134704);
  expect_near(delayed_total({.M = 0.5, .gamma = 1, .rounds = 5, .missing = 3, .open = 4}), 23.65685424949238);
  // Without delays the form of the rule loss.
  expect_near(delayed({.M = 3, .gamma = 2, .best = 50, .missing = 0, .open = 0}),
              ada({.M = 3, .gamma = 2, .best = 50}));
}

}  // namespace run_bounds_test
}  // namespace hannan::bounds
