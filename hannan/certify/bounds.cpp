// The closed bounds of docs/theory.md, a function a key; formulas stand in bounds.hpp above each declaration. Nothing
// is checked here: named_bounds.cpp checks numbers that users give, learners pass their own. All but roots goes through
// the portable functions, so that records verify on every machine.
#include "hannan/certify/bounds.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

#include "hannan/certify/run_bounds.hpp"
#include "hannan/core/elementary.hpp"

namespace hannan::bounds {
namespace {

constexpr double kSlope = std::numbers::e - 1;  // e^x - 1 <= (e-1) x on [0,1]
// One round multiplies z by r <= sqrt2, and (r-1)/ln r grows with r: its value at sqrt2.
constexpr double kKappa = 2 * (std::numbers::sqrt2 - 1) / std::numbers::ln2;

}  // namespace

// z after L* = best; the smaller of 1/gamma and c/sqrt(best + 1) is the rate.
double noise_multiplier(double gamma, double c, double best) {
  assert(gamma >= 0 && c > 0 && best >= 0);
  return std::max(gamma, std::sqrt(best + 1) / c);
}

double thm1_paper(const PaperTerms& terms) {
  const auto& [ln_K, N, gamma, c, best] = terms;
  const double noise = 4 * emax_paper(ln_K, N);
  const double root = std::sqrt(best + 1);
  return (noise / c + 2 * gamma * (c + 1 / c)) * root + 8 * gamma * detail::portable_log(root / c + gamma) +
         2 * gamma * gamma + noise * gamma;
}

double lower_paper(const PaperTerms& terms) {
  return -2 * emax_paper(terms.ln_K, terms.N) * (terms.gamma + std::sqrt(terms.best + 1) / terms.c);
}

double thm1_simple(const Terms& terms) {
  const auto& [M, gamma, c, best] = terms;
  return 4 * gamma * c * std::sqrt(best) + 3 * M * noise_multiplier(gamma, c, best);
}

// thm1_tight with slope = e - 1 and tight2 with slope = 1/(e - 1): the proofs bound the growth by slope * gamma / z.
double tight_form(const Terms& terms, double slope) {
  const auto& [M, gamma, c, best] = terms;
  const double z = noise_multiplier(gamma, c, best);
  const double z_1 = noise_multiplier(gamma, c, 0);
  return slope * std::min(2 * gamma * c * std::sqrt(best), best) + M * z +
         slope * gamma * M * (1 + kKappa * detail::portable_log(z / z_1));
}

double thm1_tight(const Terms& terms) { return tight_form(terms, kSlope); }

double lower_tight(const Terms& terms) {
  const auto& [M, gamma, c, best] = terms;
  return M * (noise_multiplier(gamma, c, 0) - noise_multiplier(gamma, c, best));
}

TrajectoryBound::TrajectoryBound(const Constants& constants, const Growth& growth)
    : constants_(constants), growth_(growth), multiplier_(noise_multiplier(constants.gamma, constants.c, 0)) {
  assert(growth.slack >= 0);
  sum_ = constants_.M * this->growth(multiplier_) * multiplier_;
}

namespace {

// e^x - 1 for x = gamma/z <= 1: how much likelier a round's outcome can make an action. By Taylor's series
// x (1 + x/2 (1 + x/3 (...))), which stays exact for small x; the first term left out is below 1/19! < 1e-17.
double stability_growth(double x) {
  double series = 1;
  for (int n = 18; n >= 2; --n) series = 1 + x / n * series;
  return x * series;
}

}  // namespace

double TrajectoryBound::growth(double multiplier) const {
  const double u = constants_.gamma / multiplier;
  const double growth = growth_.rule == Growth::Rule::kStability ? stability_growth(u) : g(u);
  if (growth_.slack == 0) return growth;
  const double slack = growth_.slack / multiplier;
  const double widening = slack <= 1 ? stability_growth(slack) : detail::portable_exp(slack) - 1;
  return growth + widening * (1 + growth);
}

double TrajectoryBound::observe(double best) {
  // sum_ after round T = sum of g_t (L*_t - L*_(t-1)) + M (g_1 z_1 + sum of g_t (z_(t+1) - z_t)); value_ adds M z_T,
  // the multiplier that the round was played with.
  best = std::max(best, best_);
  const double now = multiplier_;
  const double next = noise_multiplier(constants_.gamma, constants_.c, best);
  sum_ += growth(now) * (best - best_ + constants_.M * (next - now));
  best_ = best;
  multiplier_ = next;
  value_ = sum_ + constants_.M * now;
  return value_;
}

void TrajectoryBound::archive(Archive& a) {
  a.field("best", best_, kSavedLosses);
  a.field("multiplier", multiplier_, {noise_multiplier(constants_.gamma, constants_.c, 0), kSavedNumbers.hi});
  a.field("sum", sum_);
  a.field("value", value_);
}

std::vector<double> trajectory(const TrajectoryBound::Constants& constants, std::span<const double> path) {
  TrajectoryBound bound(constants);
  std::vector<double> values;
  values.reserve(path.size());
  for (const double best : path) values.push_back(bound.observe(best));
  return values;
}

double ada(const AdaTerms& terms) {
  return ada_own({.M = terms.M, .own = terms.M, .gamma = terms.gamma, .best = terms.best});
}

double flipflop(const FlipFlopTerms& terms) {
  const double cost = terms.gamma * terms.M;
  // The constants are those of phi = 2.37 and a = 1.243, rounded up (docs/theory.md, flipflop).
  return std::min(5.64 * terms.leader_regret + 3.73, 5.64 * std::sqrt(2 * cost * (terms.best + 1)) + 64 * cost + 7);
}

double off_estimate(const OffTerms& terms) {
  return thm1_paper({.ln_K = terms.ln_K, .N = terms.N, .gamma = terms.gamma, .c = 1, .best = terms.best});
}

double off_tau_paper(double ln_K, double N, double gamma) { return 4 * emax_paper(ln_K, N) + 12 * gamma; }

// The estimate is concave in L* and L* grows by at most 1 a round, so the first step is the largest.
double off_tau_exact(double ln_K, double N, double gamma) {
  return off_estimate({.ln_K = ln_K, .N = N, .gamma = gamma, .best = 1}) -
         off_estimate({.ln_K = ln_K, .N = N, .gamma = gamma, .best = 0});
}

namespace {

// ln(1+t) for 0 <= t <= 1, exact for small t too: 2 atanh(s) at s = t/(2+t) <= 1/3. The first term left out is
// s^35/35 < 1e-18.
double log_of_one_plus(double t) {
  const double s = t / (2 + t);
  double series = 0;
  for (int n = 33; n >= 1; n -= 2) series = 1.0 / n + s * s * series;
  return 2 * s * series;
}

}  // namespace

// B has two parts. The loss term is concave in L* and has the slope e-1 up to 4 c^2 gamma^2; the terms in the
// multiplier are constant up to L0 and concave from there. So the step of length 1 that begins at L0 is the largest of
// both. For L0 > 0 the difference is simplified, because L0 may be so large that adding 1 is lost in rounding:
// sqrt(L0+1) = c gamma, and the multiplier grows from gamma to sqrt(c^2 gamma^2 + 1)/c.
double off_tau_tight(double M, double gamma, double c) {
  const double square = c * gamma * c * gamma;
  if (square <= 1) {
    return thm1_tight({.M = M, .gamma = gamma, .c = c, .best = 1}) -
           thm1_tight({.M = M, .gamma = gamma, .c = c, .best = 0});
  }
  const double step = 1 / (c * (std::sqrt(square + 1) + c * gamma));
  return kSlope * (1 + gamma * M * kKappa * log_of_one_plus(1 / square) / 2) + M * step;
}

double off(const OffRegrets& regrets) { return std::min(2 * regrets.gftpl + 1, 2 * regrets.leader + regrets.tau); }

double lp_paper(double ln_K, const LpTerms& terms) {
  const auto& [N, gamma_p, c, best, p] = terms;
  const double C = c * lp_scale(N, p);
  const double root = std::sqrt(best + 1);
  const double z = root / C + gamma_p;
  return 2 * gamma_p * (C * root + z + 4 * detail::portable_log(z)) + 4 * emax_lp_paper(ln_K, N, p) * z;
}

double lp_simple(const LpTerms& terms) {
  return thm1_simple({.M = emax_lp_simple(terms.N, terms.p),
                      .gamma = terms.gamma_p,
                      .c = terms.c * lp_scale(terms.N, terms.p),
                      .best = terms.best});
}

double one_sided(const OneSidedTerms& terms) {
  return thm1_tight({.M = terms.N, .gamma = terms.gamma, .c = terms.c, .best = terms.best});
}

}  // namespace hannan::bounds
