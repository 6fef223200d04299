// The closed forms of the verifier against numbers that other programs computed (tests/vectors/core/bounds.json,
// bound_lp.json and tests/vectors/next/closed_forms.json), and against values derived by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "hannan/verify/adaptive_forms.hpp"
#include "hannan/verify/gftpl_forms.hpp"
#include "hannan/verify/limit_forms.hpp"
#include "hannan/verify/small_arguments.hpp"

namespace hannan::detail {
namespace forms_test {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The tolerance of the vectors.
void expect_near(double found, double expected) {
  EXPECT_NEAR(found, expected, 1e-12 * std::max(1.0, std::abs(expected)));
}

TEST(VerifiersForms, AreThoseOfTheFirstPart) {
  struct Case {
    double K, N, gamma, c, best, M;
    double thm1_paper, thm1_tight, lower_paper, lower_tight, ada, off_estimate, off_tau_exact;
  };
  const std::vector<Case> cases{
      {2, 1, 1, 1, 0, 0.5, 27.22930773997632, 1.3591409142295225, -7.842065147748378, 0, 6, 27.22930773997632,
       6.410955242379913},
      {2, 1, 1, 1, 100, 0.5, 148.07270035497618, 42.61915849053794, -43.326922247673295, -4.524937810560445, 26,
       148.07270035497618, 6.410955242379913},
      {65, 64, 1, 1, 100, 8.079805889931952, 1083.107895418018, 167.73934663490706, -510.8445197791942,
       -73.12123834668415, 147.0364863489391, 1083.107895418018, 41.46150896544498},
      {65, 64, 1, 4, 100, 8.079805889931952, 422.24294661137003, 186.93272998679177, -162.38422518779558,
       -12.220455169222074, 147.0364863489391, 1083.107895418018, 41.46150896544498},
      {64, 6, 6, 1, 0, 3, 518.7704233600869, 48.92907291226281, -164.68336810271592, 0, 146, 518.7704233600869,
       32.190324450236176},
      {64, 6, 6, 1, 10000, 3, 7683.756027599621, 2496.883049185538, -2493.894345020573, -282.01499962501873, 1346,
       7683.756027599621, 32.190324450236176},
      {1024, 10, 10, 2, 5000, 5, 7598.128391245514, 5252.426777603288, -1778.536241012643, -126.79437208237144,
       1816.213562373095, 9709.925081558928, 52.00856868340884},
      {1000, 10, 1, 0.5, 2500, 3.4, 8183.920723779167, 459.14078739265346, -3947.4740904001005, -333.2679932013596,
       289.9680962081059, 4220.046424583941, 35.53442035615632},
      {1048576, 20, 20, 1, 1000000, 10, 241886.65677812466, 80681.70814230021, -79989.1037173494, -9800.00499999875,
       41602, 241886.65677812466, 101.22807165224822},
  };
  for (const Case& x : cases) {
    const forms::GftplTerms terms{.M = x.M, .gamma = x.gamma, .c = x.c, .best = x.best};
    const forms::PaperTerms paper{.ln_K = std::log(x.K), .N = x.N, .gamma = x.gamma, .c = x.c, .best = x.best};
    expect_near(forms::thm1_paper(paper), x.thm1_paper);
    expect_near(forms::thm1_tight(terms), x.thm1_tight);
    expect_near(forms::lower_paper(paper), x.lower_paper);
    expect_near(forms::lower_tight(terms), x.lower_tight);
    expect_near(forms::off_estimate(paper), x.off_estimate);
    expect_near(forms::off_tau_exact(paper), x.off_tau_exact);
    expect_near(forms::ada({.M = x.M, .own = x.M, .gamma = x.gamma, .best = x.best}, forms::GapOf::kLoss), x.ada);
  }
}

TEST(VerifiersForms, AreThoseOfTheSecondPart) {
  struct Case {
    double M, gamma, c, best, tight2, simple2, ada2;
  };
  const std::vector<Case> cases{
      {0.5, 1, 1, 0, 0.7909883534346632, 0.8, 4},
      {0.5, 1, 1, 1, 1.7006031639757904, 2.3013708498984764, 5.414213562373095},
      {0.5, 1, 1, 10, 6.047014494396482, 6.353164694681324, 8.47213595499958},
      {0.5, 1, 1, 1000, 54.11908211290293, 62.30951585526024, 48.721359549995796},
      {3, 6, 1, 0, 28.475580723647877, 28.800000000000004, 74},
      {3, 6, 1, 1, 29.057557430517203, 35.82000000000001, 82.48528137423857},
      {3, 6, 1, 10, 34.29534779234114, 50.999189174382025, 100.83281572999748},
      {3, 6, 1, 1000, 347.0520678424318, 373.85709513156144, 342.32815729997475},
      {4, 1, 1.5, 0, 6.327906827477306, 6.4, 18},
      {4, 1, 1.5, 1, 6.9098835343466325, 8.155000000000001, 22},
      {4, 1, 1.5, 10, 18.901013501646066, 19.70072973244521, 30.64911064067352},
      {4, 1, 1.5, 1000, 150.39142527008698, 190.48926483616947, 144.49110640673518},
      {2, 0.5, 0.3, 0, 7.248643373535994, 10.666666666666668, 6},
      {2, 0.5, 0.3, 1, 10.425722779721264, 15.260444665313015, 8},
      {2, 0.5, 0.3, 10, 24.07885996031667, 35.93231082648382, 12.32455532033676},
      {2, 0.5, 0.3, 1000, 219.42971204254252, 343.02802704413153, 69.24555320336759},
  };
  for (const Case& x : cases) {
    const forms::GftplTerms terms{.M = x.M, .gamma = x.gamma, .c = x.c, .best = x.best};
    expect_near(forms::tight2(terms), x.tight2);
    expect_near(forms::simple2(terms), x.simple2);
    expect_near(forms::ada({.M = x.M, .own = x.M, .gamma = x.gamma, .best = x.best}, forms::GapOf::kMix), x.ada2);
  }
  expect_near(forms::ada2_range({.M = 0.5, .own = 0.5, .gamma = 1, .squares = 1 + 0.25 + 9, .range = 3}),
              10.527692569068709);
  expect_near(forms::discounted({.M = 0.5, .own = 0.5, .gamma = 1, .discount = 0.9, .rounds = 100}), 5.244428421470767);
  expect_near(forms::discounted({.M = 0.5, .own = 0.5, .gamma = 1, .discount = 0.99, .rounds = 100}),
              11.329373966523152);
  expect_near(forms::delayed({.M = 0.5, .gamma = 1, .missing = 3, .open = 4}, 40), 59.29822128134704);
  expect_near(forms::delayed_total({.M = 0.5, .gamma = 1, .missing = 3, .open = 4}, 5), 23.65685424949238);
}

TEST(VerifiersForms, FollowThePathOfTheBest) {
  struct Case {
    double M, gamma, c;
    std::vector<double> after;
  };
  const std::vector<Case> cases{
      {0.5,
       1,
       1,
       {0.7909883534346632, 1.1473748469384502, 1.8054836458802834, 2.1847109800094846, 2.6188429135816804,
        2.7528175097972416, 3.0555219042887822}},
      {3,
       6,
       1,
       {28.475580723647877, 28.76656907708254, 29.348545783951867, 29.63953413738653, 30.221510844255857,
        30.221510844255857, 30.803487551125183}},
      {4,
       1,
       1.5,
       {6.327906827477306, 6.618895180911969, 7.3267943121323, 8.037914016231825, 9.288601935186836, 10.003133115003163,
        10.689877951987722}},
      {2,
       0.5,
       0.3,
       {7.179161981676415, 7.332779823962804, 9.042032329555878, 11.490561084619385, 12.619033711221604,
        14.405361660762424, 14.503085004476352}},
  };
  const std::vector<double> path{0, 0.5, 1.5, 2, 3, 3, 4};
  for (const Case& x : cases) {
    forms::PathSums sums({.gamma = x.gamma, .c = x.c, .growth = forms::PathSums::Growth::kHalf});
    for (std::size_t t = 0; t < path.size(); ++t) {
      sums.observe(path[t]);
      expect_near(sums.base() + x.M * sums.slope(), x.after[t]);
    }
  }
}

TEST(VerifiersForms, OfOtherNorms) {
  const double ln_K = std::log(64);
  expect_near(forms::lp_paper({.ln_K = ln_K, .N = 8, .gamma = std::sqrt(8), .c = 1, .best = 100, .p = 2}),
              1640.0925080394484);
  expect_near(forms::lp_paper({.ln_K = ln_K, .N = 8, .gamma = 1, .c = 1, .best = 100, .p = kInfinity}),
              1573.0767412400592);
  // p = 2, N = 4: C = 2, phi = 4; 1.17 * 1 * 2 * 3 + 1.6 * 4 * max{1, sqrt(10)/2}.
  const forms::LpTerms terms{.ln_K = 1, .N = 4, .gamma = 1, .c = 1, .best = 9, .p = 2};
  expect_near(forms::lp_rate(terms), 2);
  expect_near(forms::lp_simple2(terms), 1.17 * 6 + 1.6 * 2 * std::sqrt(10.0));
  // p infinite: C = 4, phi = 8, and the cap decides: 1.17 * 4 * 3 + 1.6 * 8.
  expect_near(forms::lp_simple2({.ln_K = 1, .N = 4, .gamma = 1, .c = 1, .best = 9, .p = kInfinity}), 26.84);
}

// off_tau_tight is the largest growth of thm1_tight over a step of 1: looked for over a grid, and attained at L_0.
TEST(VerifiersForms, TauIsTheLargestStepOfWhatItIsTheStepOf) {
  for (const forms::GftplTerms& at : {forms::GftplTerms{.M = 3, .gamma = 6, .c = 1, .best = 0},
                                      {.M = 0.5, .gamma = 0.3, .c = 2, .best = 0},
                                      {.M = 2, .gamma = 1, .c = 1, .best = 0},
                                      {.M = 4, .gamma = 0, .c = 0.7, .best = 0}}) {
    const auto step = [&](double from) {
      forms::GftplTerms low = at, high = at;
      low.best = from;
      high.best = from + 1;
      return forms::thm1_tight(high) - forms::thm1_tight(low);
    };
    double most = 0;
    for (double from = 0; from < 100; from += 0.25) most = std::max(most, step(from));
    EXPECT_LE(most, forms::off_tau_tight(at) + 1e-9);
    const double cap = at.c * at.gamma;
    EXPECT_NEAR(step(std::max(0.0, cap * cap - 1)), forms::off_tau_tight(at), 1e-9);
  }
  // The number of docs/theory.md.
  EXPECT_NEAR(forms::off_tau_tight({.M = 3, .gamma = 6, .c = 1, .best = 0}), 2.473, 5e-4);
  // No step of `trajectory` is larger than its tau.
  const forms::GftplTerms at{.M = 2, .gamma = 1.5, .c = 0.8, .best = 0};
  forms::PathSums sums({.gamma = at.gamma, .c = at.c});
  double before = 0;
  for (int t = 1; t < 60; ++t) {
    sums.observe(t);
    const double value = sums.base() + at.M * sums.slope();
    EXPECT_LE(value - before, forms::off_tau_trajectory(at));
    before = value;
  }
  EXPECT_NEAR(forms::off_tau_trajectory(at), std::numbers::e * (3 + 2 / 1.6) + std::numbers::e - 1, 1e-12);
  EXPECT_EQ(forms::off({.leader = 3, .gftpl = 4, .tau = 1}), 7);
  EXPECT_EQ(forms::off({.leader = 3, .gftpl = 2, .tau = 1}), 5);
}

TEST(VerifiersForms, HaveALearnersOwnSizeOfNoise) {
  // (1 + 2/0.5)(sqrt(2 * 0.5 * 9) + 2 * 2.5 + 1) and (1 + 4)(sqrt(0.5 * 9) + 2.5 + 1) at gamma 1.
  const forms::AdaTerms ada{.M = 2, .own = 0.5, .gamma = 1, .best = 9};
  expect_near(forms::ada(ada, forms::GapOf::kLoss), 5 * (3 + 5 + 1));
  expect_near(forms::ada(ada, forms::GapOf::kMix), 5 * (std::sqrt(4.5) + 3.5));
  // One action: both are 0, and 2 is what is left.
  EXPECT_EQ(forms::ada({.M = 0, .own = 0, .gamma = 0, .best = 9}, forms::GapOf::kMix), 2);
  // rho = 2, phi = 2, a = 1: beta = 1 + 2 * 3 = 7, beta' = 9. First branch 8 U + 7, second, at gamma own = 1 and
  // L* = 3: 9 (sqrt 4 + 9 + 1) + 1 for mix, and 9 (sqrt 8 + 18 + 1) + 1 for loss.
  forms::FlipFlopTerms flip{.M = 4, .own = 2, .gamma = 0.5, .best = 3, .alone = 5, .phi = 2, .a = 1};
  expect_near(forms::flipflop_own(flip, forms::GapOf::kMix), 47);
  flip.alone = kInfinity;
  expect_near(forms::flipflop_own(flip, forms::GapOf::kMix), 109);
  expect_near(forms::flipflop_own(flip, forms::GapOf::kLoss), 9 * (std::sqrt(8.0) + 19) + 1);
  // Losses of a range b are b times losses of range 1.
  forms::FlipFlopTerms wide = flip;
  wide.range = 10;
  wide.best = 30;
  expect_near(forms::flipflop_own(wide, forms::GapOf::kMix), 1090);
  expect_near(forms::flipflop_printed(wide, forms::GapOf::kMix),
              10 * forms::flipflop_printed(flip, forms::GapOf::kMix));
  // As printed, at gamma M = 2 and L* = 3: 5.64 sqrt(8) + 64 + 6.64 and 5.64 * 4 + 128 + 7; or 5.64 U + 3.73.
  expect_near(forms::flipflop_printed(flip, forms::GapOf::kMix), 5.64 * std::sqrt(8.0) + 70.64);
  expect_near(forms::flipflop_printed(flip, forms::GapOf::kLoss), 22.56 + 135);
  flip.alone = 3.5;
  expect_near(forms::flipflop_printed(flip, forms::GapOf::kMix), 23.47);
}

// The constants as printed are those of phi = 2.37, a = 1.243, rounded up.
TEST(VerifiersForms, ArePrintedWithConstantsRoundedUp) {
  for (const auto gap : {forms::GapOf::kLoss, forms::GapOf::kMix}) {
    for (const double alone : {0.0, 10.0, kInfinity}) {
      const forms::FlipFlopTerms at{.M = 3, .own = 3, .gamma = 2, .best = 40, .alone = alone, .phi = 2.37, .a = 1.243};
      const double own = forms::flipflop_own(at, gap), printed = forms::flipflop_printed(at, gap);
      EXPECT_LT(own, printed);
      EXPECT_GT(own, 0.98 * printed);
    }
  }
}

TEST(VerifiersForms, OfTheExponentialKeepTheirDigitsNearZero) {
  const std::vector<double> u{1e-05, 0.01, 0.5, 1, 5};
  const std::vector<double> h{4.999983333375e-06, 0.004983374916805339, 0.21306131942526685, 0.36787944117144233,
                              0.8013475893998171};
  const std::vector<double> g{5.000008333333334e-06, 0.005008333319444391, 0.2707470412683992, 0.5819767068693265,
                              4.033918274531521};
  for (std::size_t i = 0; i < u.size(); ++i) {
    EXPECT_NEAR(forms::h(u[i]), h[i], 2e-12 * h[i]);
    EXPECT_NEAR(forms::g(u[i]), g[i], 2e-12 * g[i]);
  }
  for (const double x : {1e-300, 1e-12, 3e-4, 0.3, 0.5, 0.5000001, 0.7, 2.0, 40.0, 800.0}) {
    EXPECT_NEAR(forms::exp_less_one(x > 700 ? -x : x), std::expm1(x > 700 ? -x : x),
                1e-15 * std::expm1(std::min(x, 600.0)));
    EXPECT_NEAR(forms::log_one_plus(x), std::log1p(x), 1e-15 * std::log1p(x));
    EXPECT_NEAR((1 + forms::g(x)) * (1 - forms::h(x)), 1, 1e-13);
  }
  EXPECT_NEAR(forms::log_one_plus(-0.01), std::log1p(-0.01), 1e-17);
  EXPECT_EQ(forms::h(0), 0);
  EXPECT_EQ(forms::g(0), 0);
  EXPECT_EQ(forms::exp_less_one(0), 0);
  EXPECT_EQ(forms::log_one_plus(0), 0);
  // u^2/12 is what is left of g(u) after u/2.
  EXPECT_NEAR(forms::g(1e-6), 5e-7 + 1e-12 / 12, 1e-21);
}

// F(0,x) = (e^x - 1)/x and F(1,x) = (e^x - 1 - x)/x^2.
TEST(VerifiersForms, SumUpperIsTheRootOfItsSeries) {
  for (const double delta : {0.5, 0.05, 0.04, 1e-3, 1e-9}) {
    const double x = forms::sum_upper(0, delta), y = forms::sum_upper(1, delta);
    EXPECT_NEAR(std::expm1(x) / x * delta, 1, 1e-12);
    EXPECT_NEAR((std::expm1(y) - y) / (y * y) * delta, 1, 1e-12);
  }
  // docs/theory-run.md.
  EXPECT_NEAR(forms::sum_upper(0, 0.04), 4.79, 5e-3);
  EXPECT_NEAR(forms::sum_upper(3, 0.04), 11.04, 5e-3);
  EXPECT_NEAR(forms::sum_upper(16, 0.04), 30.84, 5e-3);
  EXPECT_NEAR(forms::sum_upper(50, 0.04), 74.79, 5e-3);
  // About S + sqrt(S (2 ln(1/delta) + ln S)) where S is large, and quickly.
  const double S = 1e8, about = S + std::sqrt(S * (2 * std::log(20) + std::log(S)));
  EXPECT_NEAR(forms::sum_upper(S, 0.05), about, 0.05 * (about - S));
}

TEST(VerifiersForms, LimitIsTheSumOfItsParts) {
  forms::LimitTerms t{.M = 2,
                      .first = 0.5,
                      .quiet = 3,
                      .noisy = 16,
                      .count = 1000,
                      .W = 1,
                      .Q = 0.75,
                      .P = 100,
                      .rho2 = 6,
                      .delta = 0.05};
  // 2/2 + 3, SU(16, 0.04), and 1 + sqrt(6 (0.75 + 1/4)(2 ln 100 + ln 4)).
  const double moves = 1 + std::sqrt(6 * (2 * std::log(100) + std::log(4)));
  EXPECT_NEAR(forms::limit(t), 4 + forms::sum_upper(16, 0.04) + moves, 1e-11);
  t.count = 20;  // no gap is above 1
  EXPECT_NEAR(forms::limit(t), 4 + 20 + moves, 1e-12);
  t.P = 0.5;  // M P = 1
  EXPECT_NEAR(forms::limit(t), 4 + 20 + 1, 1e-12);
  t.count = t.P = 0;
  EXPECT_EQ(forms::limit(t), 4);
  forms::LeaderlessTerms l{.M = 2, .quiet = 3, .noisy = 16, .count = 1000, .P = 0.5, .squares = 50, .delta = 0.08};
  EXPECT_NEAR(forms::leaderless(l), 1 + 3 + forms::sum_upper(16, 0.04) + forms::sum_upper(50, 0.04) - 50, 1e-11);
  l.count = 0;
  EXPECT_EQ(forms::leaderless(l), 4);
}

}  // namespace forms_test
}  // namespace hannan::detail
