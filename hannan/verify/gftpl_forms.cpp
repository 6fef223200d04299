// Each function is one statement of docs/theory.md or docs/theory-run.md under its own name. All are functions of L*,
// gamma, c and M (or ln K and N in the printed forms) alone; none loops, so each costs a few roots and logarithms.
#include "hannan/verify/gftpl_forms.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "hannan/core/elementary.hpp"
#include "hannan/verify/small_arguments.hpp"

namespace hannan::detail::forms {
namespace {

constexpr double kE = std::numbers::e;
constexpr double kRoot2 = std::numbers::sqrt2;
// (sqrt 2 - 1)/ln sqrt 2: r - 1 <= kappa ln r for 1 <= r <= sqrt 2.
constexpr double kKappa = 2 * (kRoot2 - 1) / std::numbers::ln2;

// z at L* = best: 1/eta of the round after these losses.
double multiplier(double best, double gamma, double c) { return std::max(gamma, std::sqrt(best + 1) / c); }

// gamma M (1 + kappa ln(z/z_1)): what the growth of the noise costs, but for the factor of g_t.
double growth_cost(const GftplTerms& t) {
  const double ratio = multiplier(t.best, t.gamma, t.c) / multiplier(0, t.gamma, t.c);
  return t.gamma * t.M * (1 + kKappa * portable_log(ratio));
}

// min{2 gamma c sqrt(L*), L*}.
double loss_cost(const GftplTerms& t) { return std::min(2 * t.gamma * t.c * std::sqrt(t.best), t.best); }

// m = max{2 ln K, sqrt(N ln K)}.
double paper_size(double ln_K, double N) { return std::max(2 * ln_K, std::sqrt(N * ln_K)); }

// N^(1-1/p).
double lp_power(const LpTerms& t) { return std::isinf(t.p) ? t.N : portable_power(t.N, 1 - 1 / t.p); }

// The forms of Laplace noise at (gamma_p, C, phi), phi = N^(2-1/p)/2.
GftplTerms lp_terms(const LpTerms& t) {
  const double size = t.N > 0 ? t.N * lp_power(t) / 2 : 0;
  return {.M = size, .gamma = t.gamma, .c = lp_rate(t), .best = t.best};
}

}  // namespace

// g_t <= (e-1) gamma/z_t in thm1_tight; half of the stability has g_t <= gamma/(z_t (e-1)) in tight2, as u/(1-e^-u) - 1
// <= u/(e-1) for u <= 1. The sums that they multiply are the same.
double thm1_tight(const GftplTerms& t) {
  return (kE - 1) * (loss_cost(t) + growth_cost(t)) + t.M * multiplier(t.best, t.gamma, t.c);
}

double tight2(const GftplTerms& t) {
  return (loss_cost(t) + growth_cost(t)) / (kE - 1) + t.M * multiplier(t.best, t.gamma, t.c);
}

// 2/(e-1) <= 1.17, and 1.6 covers M z with the cost of its growth.
double simple2(const GftplTerms& t) {
  return 1.17 * t.gamma * t.c * std::sqrt(t.best) + 1.6 * t.M * multiplier(t.best, t.gamma, t.c);
}

double lower_tight(const GftplTerms& t) {
  return -t.M * (multiplier(t.best, t.gamma, t.c) - multiplier(0, t.gamma, t.c));
}

double thm1_paper(const PaperTerms& t) {
  const double m = paper_size(t.ln_K, t.N), s = std::sqrt(t.best + 1);
  return (4 * kRoot2 * m / t.c + 2 * t.gamma * (t.c + 1 / t.c)) * s + 8 * t.gamma * portable_log(s / t.c + t.gamma) +
         2 * t.gamma * t.gamma + 4 * kRoot2 * m * t.gamma;
}

double lower_paper(const PaperTerms& t) {
  return -2 * kRoot2 * paper_size(t.ln_K, t.N) * (t.gamma + std::sqrt(t.best + 1) / t.c);
}

double lp_rate(const LpTerms& t) { return t.N > 0 ? t.c * lp_power(t) : t.c; }

double lp_paper(const LpTerms& t) {
  const double C = lp_rate(t), scaled = std::sqrt(t.best + 1) / C;
  const double phi = t.N > 0 ? 2 * lp_power(t) * (t.ln_K + t.N * std::numbers::ln2) : 0;
  const double bracket = C * C * scaled + scaled + t.gamma + 4 * portable_log(scaled + t.gamma);
  return 2 * t.gamma * bracket + 4 * phi * (t.gamma + scaled);
}

double lp_simple2(const LpTerms& t) { return simple2(lp_terms(t)); }

double off_estimate(PaperTerms t) {
  t.c = 1;
  return thm1_paper(t);
}

double off_tau_exact(PaperTerms t) {
  t.best = 0;
  const double none = off_estimate(t);
  t.best = 1;
  return off_estimate(t) - none;
}

// B(L_0 + 1) - B(L_0), B being thm1_tight and L_0 = max{0, c^2 gamma^2 - 1}; written out, as the two values may be
// large and close. Up to L_0 = 0 both multipliers are those of the root, and kappa ln sqrt 2 = sqrt 2 - 1.
double off_tau_tight(const GftplTerms& t) {
  const double cap = t.c * t.gamma;
  if (cap <= 1) {
    const double grown = kRoot2 - 1;
    return (kE - 1) * (std::min(2 * cap, 1.0) + t.gamma * t.M * grown) + t.M * grown / t.c;
  }
  const double drift = kKappa * t.gamma * t.M / 2 * log_one_plus(1 / (cap * cap));
  return (kE - 1) * (1 + drift) + t.M / (t.c * (std::sqrt(cap * cap + 1) + cap));
}

double off_tau_trajectory(const GftplTerms& t) {
  return kE * t.M * std::max(t.gamma, 1 / t.c) + (kE - 1) + kE * t.M / (2 * t.c);
}

// off: U <= V + 1 and V <= U + tau, so that U + V is at most the lesser of 2V + 1 and 2U + tau.
double off(const OffTerms& t) { return std::min(2 * t.gftpl + 1, 2 * t.leader + t.tau); }

double PathSums::growth(double z) const {
  return rate_.growth == Growth::kFull ? exp_less_one(rate_.gamma / z) : g(rate_.gamma / z);
}

void PathSums::observe(double best) {
  best = std::max(best, best_);
  const double z = multiplier(best_, rate_.gamma, rate_.c), next = multiplier(best, rate_.gamma, rate_.c);
  if (!started_) slope_ = growth(z) * z;
  started_ = true;
  base_ += growth(z) * (best - best_);
  slope_ += growth(z) * (next - z);
  last_ = z;
  best_ = best;
}

}  // namespace hannan::detail::forms
