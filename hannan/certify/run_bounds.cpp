// The closed bounds of docs/theory-run.md, a function a key; formulas stand in run_bounds.hpp. g and h are computed by
// series for u <= 1, where the direct formulas cancel: most rounds of a long run have u near 0.
#include "hannan/certify/run_bounds.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numbers>

#include "hannan/certify/bounds.hpp"
#include "hannan/core/elementary.hpp"

namespace hannan::bounds {
namespace {

// phi/a + 2 + phi/(phi-1) at phi = 2.37, a = 1.243, rounded up (docs/theory-run.md, flipflop2).
constexpr double kFlipFlopFactor = 5.637;

// M/own: 1 where both are 0, since without noise there is nothing to correct.
double size_ratio(double M, double own) { return M == own ? 1 : M / own; }

// The form that all bounds of `ada` have, on a learner that plays by its own M where the noise has M:
//   (1 + M/own) (sqrt(gamma own b (L* + q)) + gamma (M + own) b + 2 open + unit + 2 q) + q.
// The plain ones are the case own = M, b = unit = 1, open = q = 0, where doubling is exact: bit for bit
// 2 sqrt(gamma M L*) + 4 gamma M + 2. The rule loss has 2 gamma for gamma.
struct AdaptiveTerms {
  double M, own, gamma, best;
  double b = 1;         // the range of the losses, or how many rounds share a noise
  double unit = 1;      // the most that a single round may lose
  double open = 0;      // rounds that were not settled
  double unproven = 0;  // q, what an oracle with a tolerance leaves open in all
};
double adaptive(const AdaptiveTerms& t) {
  const double root = std::sqrt(t.gamma * t.own * t.b * (t.best + t.unproven));
  const double each = root + t.gamma * (t.M + t.own) * t.b + 2 * t.open + t.unit + 2 * t.unproven;
  return (1 + size_ratio(t.M, t.own)) * each + t.unproven;
}

// `cost` is gamma * own for the rule mix and twice that for the rule loss.
double own_flipflop(const OwnFlipFlopTerms& terms, double cost) {
  assert(terms.phi > 1 && terms.a > 0);
  if (terms.own == 0 && terms.M > 0) return std::numeric_limits<double>::infinity();
  const double first = 1 + size_ratio(terms.M, terms.own) * (1 + terms.phi / (terms.phi - 1));
  const double second = terms.phi / terms.a + first;
  return std::min((1 + terms.a * first) * terms.leader_regret + first,
                  second * (std::sqrt(cost * (terms.best + 1)) + second * cost + 1) + 1);
}

// 1 - e^-x for x >= 0, without cancellation for small x.
double one_less_exp(double x) { return x <= 1 ? x * (1 - h(x)) : 1 - detail::portable_exp(-x); }

// A bound after each round of a path of L*.
std::vector<double> along(TrajectoryBound bound, std::span<const double> path) {
  std::vector<double> values;
  values.reserve(path.size());
  for (const double best : path) values.push_back(bound.observe(best));
  return values;
}

}  // namespace

// u/2 (1 - u/3 (1 - u/4 (...))). The first term left out is below 1/20! < 1e-18 for u <= 1, and below 64^-8 2/10! <
// 1e-20 for u <= 1/64, where most rounds of a long run are.
double h(double u) {
  assert(u >= 0);
  if (u > 1) return 1 - (1 - detail::portable_exp(-u)) / u;
  double series = 1;
  for (int n = u > 1.0 / 64 ? 19 : 9; n >= 3; --n) series = 1 - u / n * series;
  return u / 2 * series;
}

// g = h / (1 - h), by (1 + g)(1 - h) = 1 (half_stability).
double g(double u) {
  if (u > 1) return u / (1 - detail::portable_exp(-u)) - 1;
  const double share = h(u);
  return share / (1 - share);
}

std::vector<double> trajectory2(const TrajectoryBound::Constants& constants, std::span<const double> path) {
  return along(TrajectoryBound(constants, {.rule = Growth::Rule::kHalfStability}), path);
}

// g(u) <= u/(e - 1) on [0,1], since g is convex, g(0) = 0 and g(1) = 1/(e - 1). thm1_tight has the slope e - 1 there.
double tight2(const Terms& terms) { return tight_form(terms, 1 / (std::numbers::e - 1)); }

double simple2(const Terms& terms) {
  const auto& [M, gamma, c, best] = terms;
  return 1.17 * gamma * c * std::sqrt(best) + 1.6 * M * noise_multiplier(gamma, c, best);
}

double one_sided2(const OneSidedTerms& terms) {
  return tight2({.M = terms.N, .gamma = terms.gamma, .c = terms.c, .best = terms.best});
}

double lp_simple2(const LpTerms& terms) {
  return simple2({.M = emax_lp_simple(terms.N, terms.p),
                  .gamma = terms.gamma_p,
                  .c = terms.c * lp_scale(terms.N, terms.p),
                  .best = terms.best});
}

std::vector<double> inexact_gftpl(const TrajectoryBound::Constants& constants, const Tolerance& tolerance,
                                  std::span<const double> path) {
  const Growth growth{.rule = Growth::Rule::kHalfStability, .slack = tolerance.sigma * tolerance.tol};
  return along(TrajectoryBound(constants, growth), path);
}

double ada2(const AdaTerms& terms) {
  return ada2_own({.M = terms.M, .own = terms.M, .gamma = terms.gamma, .best = terms.best});
}

double ada2_own(const OwnAdaTerms& terms) {
  return adaptive({.M = terms.M, .own = terms.own, .gamma = terms.gamma, .best = terms.best});
}

double ada_own(const OwnAdaTerms& terms) {
  return adaptive({.M = terms.M, .own = terms.own, .gamma = 2 * terms.gamma, .best = terms.best});
}

double flipflop2(const FlipFlopTerms& terms) {
  return flipflop2_range(
      {.M = terms.M, .gamma = terms.gamma, .best = terms.best, .leader_regret = terms.leader_regret, .range = 1});
}

double flipflop2_own(const OwnFlipFlopTerms& terms) { return own_flipflop(terms, terms.gamma * terms.own); }

double flipflop_own(const OwnFlipFlopTerms& terms) { return own_flipflop(terms, 2 * terms.gamma * terms.own); }

double inexact_ada(const InexactAdaTerms& terms) {
  const auto& [M, gamma, best, tolerance, rounds] = terms;
  return adaptive({.M = M,
                   .own = M,
                   .gamma = gamma + 2 * tolerance.sigma * tolerance.tol,
                   .best = best,
                   .unproven = rounds * tolerance.tol});
}

double inexact_flipflop(const InexactAdaTerms& terms) {
  const auto& [M, gamma, best, tolerance, rounds] = terms;
  const double cost = M * (gamma + 2 * tolerance.sigma * tolerance.tol);
  const double total = rounds * tolerance.tol;
  const double own = std::sqrt(cost * (best + 1 + total)) + kFlipFlopFactor * cost + 1 + 2 * total;
  return kFlipFlopFactor * own + 1 + total;
}

// Losses of unknown range: `ranges` are those of the rounds; no parameter of the learner depends on them.
double ada2_range(double M, double gamma, std::span<const double> ranges) {
  double squares = 0, largest = 0;
  for (const double range : ranges) {
    assert(range >= 0);
    squares += range * range;
    largest = std::max(largest, range);
  }
  return ada2_range_own({.M = M, .own = M, .gamma = gamma, .squares = squares, .range = largest});
}

double ada2_range_best(const RangeTerms& terms) {
  const auto& [M, gamma, best, ignored, range] = terms;
  return adaptive({.M = M, .own = M, .gamma = gamma, .best = best, .b = range, .unit = range});
}

double ada2_range_own(const OwnRangeTerms& terms) {
  return (1 + size_ratio(terms.M, terms.own)) * (std::sqrt(terms.gamma * terms.own * terms.squares) + terms.range);
}

double flipflop2_range_own(OwnFlipFlopTerms terms, double range) {
  if (range == 0) return 0;
  terms.best /= range;
  terms.leader_regret /= range;
  return range * flipflop2_own(terms);
}

double flipflop2_range(const RangeTerms& terms) {
  const double cost = terms.gamma * terms.M * terms.range;
  return std::min(5.64 * terms.leader_regret + 3.73 * terms.range,
                  5.64 * std::sqrt(cost * (terms.best + terms.range)) + 32 * cost + 6.64 * terms.range);
}

namespace {

// The sum of discount^(2 i) over the ages i of so many rounds.
// (1 - beta^(2T)) / (1 - beta^2), with the numerator as 1 - e^(-x) so that beta near 1 loses nothing.
double discounted_squares(double discount, double rounds) {
  assert(discount > 0 && discount <= 1);
  if (discount == 1) return rounds;
  return one_less_exp(-2 * rounds * detail::portable_log(discount)) / ((1 - discount) * (1 + discount));
}

}  // namespace

double discounted(const DiscountTerms& terms) { return discounted_own(terms, terms.M); }

double discounted_own(const DiscountTerms& terms, double own) {
  const double squares = discounted_squares(terms.discount, terms.rounds);
  return (1 + size_ratio(terms.M, own)) * (std::sqrt(terms.gamma * own * squares) + 1);
}

// Against a sequence with so many switches: each of (1 - beta) T + beta stretches pays a discounted bound, each switch
// at most beta/(1 - beta).
double tracking(const DiscountTerms& terms, double switches) {
  const auto& [M, gamma, discount, rounds] = terms;
  assert(discount > 0 && discount < 1);
  const double every = 2 * std::sqrt(gamma * M / ((1 - discount) * (1 + discount))) + 2;
  return ((1 - discount) * rounds + discount) * every + discount * switches / (1 - discount);
}

double delayed(const DelayedTerms& terms) {
  const auto& [M, gamma, best, missing, open] = terms;
  return adaptive({.M = M, .own = M, .gamma = 2 * gamma, .best = best, .b = missing + 1, .open = open});
}

double delayed_total(const DelayedTotalTerms& terms) {
  const auto& [M, gamma, rounds, missing, open] = terms;
  return 2 * std::sqrt(2 * gamma * M * (rounds + missing)) + 4 * open + 2;
}

}  // namespace hannan::bounds
