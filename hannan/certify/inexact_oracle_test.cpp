// Oracles that stop early (docs/theory-run.md, inexact oracles): adding the gaps to a bound is refuted by examples, and
// what is proven instead holds on them.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <memory>
#include <vector>

#include "hannan/certify/certificate.hpp"
#include "hannan/certify/run_bounds.hpp"
#include "hannan/game/game_of.hpp"
#include "hannan/learners/flipflop.hpp"
#include "hannan/noise/laplace.hpp"
#include "hannan/noise/noise.hpp"
#include "hannan/perturbations/outcome_columns.hpp"

namespace hannan::detail {
namespace inexact_oracle_test {

struct TwoActions {
  using Action = std::uint64_t;
  using Outcome = std::vector<double>;
  double loss(Action x, const Outcome& y) const { return y[x]; }
  double ln_size() const { return std::log(2.0); }
};

// Answers action 1 while it is at most `tolerance` above action 0.
struct Perverse {
  using History = std::vector<double>;
  static constexpr bool kSigned = true;
  double tolerance;
  History empty(const TwoActions&) const { return {0, 0}; }
  void add(const TwoActions&, History& h, const std::vector<double>& y, double weight) const {
    for (std::size_t k = 0; k < 2; ++k) h[k] += weight * y[k];
  }
  Answer<std::uint64_t> best(const TwoActions&, Evidence<History> e, std::size_t) const {
    const double first = e.data[0] + e.scale * e.noise[0], second = e.data[1] + e.scale * e.noise[1];
    const bool answers_second = second <= first + tolerance;
    Answer<std::uint64_t> answer;
    answer.action = answers_second ? 1 : 0;
    answer.value = answers_second ? second : first;
    answer.floor = answer.rest = std::min(first, second);
    return answer;
  }
};

// (0,a), then (0,1), (1,0), (0,1), ...: the exact leader plays action 0 throughout and has regret 0.
std::vector<double> outcome(std::uint64_t t, double a) {
  if (t == 0) return {0, a};
  return t % 2 == 1 ? std::vector<double>{0, 1} : std::vector<double>{1, 0};
}

// The mean of 1000 runs is above 3.73 + the gaps by more than four of its standard errors: chance does that once in
// 30,000 times, and the seed is fixed. With the incumbent rule the regret is about 8; without it it was 61.
TEST(InexactOracle, GapsDoNotWidenTheFirstBranchOfFlipFlop) {
  constexpr double kTolerance = 1.5e-6, kFirst = 1e-6;
  constexpr int kRuns = 1000, kRounds = 2000;
  const auto problem = std::make_shared<const TwoActions>();
  const auto game = erased(problem);
  const auto oracle = erased<TwoActions>(game, make_oracle("perverse", problem, Perverse{kTolerance}));
  OutcomeColumns<TwoActions>::Parts column{.problem = problem, .columns = {{{1.0, {0, 1}}}}, .gamma = 1.0};
  const auto matrix = erased<TwoActions>(std::make_shared<const OutcomeColumns<TwoActions>>(column));
  double regret = 0, squares = 0, gaps = 0, certified = 0;
  for (std::uint64_t run = 0; run < kRuns; ++run) {
    Perturber perturber(oracle, matrix, seeded(Laplace{}, {.seed = 3, .run = run}));
    FlipFlop learner({game, oracle, std::move(perturber), 0.5, {}});
    double total = 0, left = 0, flip = 0, flop = 0;
    for (std::uint64_t t = 0; t < kRounds; ++t) {
      const auto& step = learner.observe(AnyOutcome::of(outcome(t, kFirst)));
      total += step.loss;
      left += step.left;
      flip = step.stability.value[0];
      flop = step.stability.value[1];
    }
    const double best = (kRounds - 1) / 2;  // action 0 loses in every second round from the third on
    regret += (total - best) / kRuns;
    squares += (total - best) * (total - best) / kRuns;
    gaps += (learner.oracle_gap() + left) / kRuns;
    certified += (flip + 3.73 * flop + left) / kRuns;
  }
  const double error = std::sqrt((squares - regret * regret) / (kRuns - 1));
  EXPECT_GT(regret - 4 * error, 3.73 + gaps);
  EXPECT_LT(gaps, 0.01);
  EXPECT_LE(regret, certified);
}

TEST(InexactOracle, ClosedFormsAreNotPrintedOfAnOracleThatStoppedEarly) {
  RunFacts run{.proof = Proof::kFlipFlop, .gamma = 1.0, .noise_size = 0.5, .own_size = 0.5};
  run.noise = Laplace{}.facts();
  run.rounds = 10;
  run.total = 5;
  run.best = run.floor = 4;
  run.leader_regret = 1;
  run.sums.emplace();
  run.sums->rounds = 10;
  run.phi = 2.37;
  run.flip_a = 1.243;
  const auto names = [](const std::vector<BoundCheck>& checks, BoundCheck::Kind kind) {
    std::vector<std::string> found;
    for (const auto& check : checks) {
      if (check.kind == kind) found.push_back(check.name);
    }
    return found;
  };
  EXPECT_EQ(names(certificate(run), BoundCheck::Kind::kClosed), std::vector<std::string>{"flipflop2"});
  run.gap = 1e-6;
  EXPECT_TRUE(names(certificate(run), BoundCheck::Kind::kClosed).empty());
  EXPECT_EQ(names(certificate(run), BoundCheck::Kind::kRun), (std::vector<std::string>{"run", "measured"}));
  EXPECT_TRUE(names(certificate(run), BoundCheck::Kind::kLimit).empty());
}

// gftpl with two actions and one column has choice probabilities in closed form: regret and gaps are exact means.
TEST(InexactOracle, GapsDoNotWidenTrajectory2AndTheTheoremHolds) {
  constexpr double kGamma = 1, kM = 0.5, kC = 2, kTol = 0.5;
  constexpr int kRounds = 1000, kSteps = 400;
  const auto below = [](double x) { return x < 0 ? 0.5 * std::exp(x) : 1 - 0.5 * std::exp(-x); };
  std::array<double, 2> totals{};
  std::vector<double> path;
  double loss = 0, gaps = 0;
  for (int t = 0; t < kRounds; ++t) {
    const std::vector<double> y = t == 0       ? std::vector<double>{0.5, 0}
                                  : t % 2 == 1 ? std::vector<double>{0, 1}
                                               : std::vector<double>{1, 0};
    const double z = std::max(kGamma, std::sqrt(std::min(totals[0], totals[1]) + 1) / kC);
    // Action 0 is the perturbed leader where the noise of action 1 is at least the edge; within the tolerance the
    // oracle answers whatever is about to lose more.
    const double low = (totals[0] - totals[1] - kTol) / z, high = (totals[0] - totals[1] + kTol) / z;
    const std::size_t worse = y[0] > y[1] ? 0 : 1;
    loss += (1 - below(high)) * y[0] + below(low) * y[1] + (below(high) - below(low)) * y[worse];
    for (int i = 0; i < kSteps; ++i) {
      const double alpha = low + (high - low) * (i + 0.5) / kSteps;
      const double values[2] = {totals[0], totals[1] + z * alpha};
      gaps += 0.5 * std::exp(-std::abs(alpha)) * (high - low) / kSteps *
              std::max(0.0, values[worse] - std::min(values[0], values[1]));
    }
    totals[0] += y[0];
    totals[1] += y[1];
    path.push_back(std::min(totals[0], totals[1]));
  }
  const double regret = loss - path.back();
  const bounds::TrajectoryBound::Constants constants{.M = kM, .gamma = kGamma, .c = kC};
  EXPECT_NEAR(regret, 75.3, 0.05);
  EXPECT_GT(regret, bounds::trajectory2(constants, path).back() + gaps + 10);
  EXPECT_LE(regret, bounds::inexact_gftpl(constants, {.sigma = 1, .tol = kTol}, path).back());
}

}  // namespace inexact_oracle_test
}  // namespace hannan::detail
