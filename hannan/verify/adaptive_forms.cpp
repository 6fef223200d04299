// Each function is one statement of docs/theory.md or docs/theory-run.md, written from the statement and not from the
// code that certifies, so that a slip in either shows as a difference. Constants (2, 8, 4, 5.64, 3.73, 64, 7) are those
// of the statements.
#include "hannan/verify/adaptive_forms.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "hannan/core/elementary.hpp"
#include "hannan/verify/small_arguments.hpp"

namespace hannan::detail::forms {
namespace {

// M/own; 1 where they are the same number, also if that is 0.
double rho(double M, double own) { return M == own ? 1 : M / own; }

// The stability of a gap of two losses is gamma/z, that of the mix gap half of it (half_stability).
double factor(GapOf gap) { return gap == GapOf::kLoss ? 2 : 1; }

// 1 + b^2 + b^4 + ... of n terms, (1 - b^(2n))/(1 - b^2), through logarithms: b may be close to 1.
double sum_of_squares(double b, double n) {
  if (b == 1) return n;
  const double ln_b = b < 0.5 ? portable_log(b) : log_one_plus(b - 1);
  return -exp_less_one(2 * n * ln_b) / ((1 - b) * (1 + b));
}

}  // namespace

// (1 + rho)(sqrt(k gamma own L*) + k gamma (M + own) + 1), k = 2 for the gap of two losses and 1 for the mix gap. At
// own = M: 2 sqrt(2 gamma M L*) + 8 gamma M + 2, and 2 sqrt(gamma M L*) + 4 gamma M + 2.
double ada(const AdaTerms& t, GapOf gap) {
  const double k = factor(gap);
  return (1 + rho(t.M, t.own)) * (std::sqrt(k * t.gamma * t.own * t.best) + k * t.gamma * (t.M + t.own) + 1);
}

// ada2_range: (1 + rho)(sqrt(gamma own sum r_t^2) + b); at own = M the 1 + rho is 2.
double ada2_range(const AdaRangeTerms& t) {
  return (1 + rho(t.M, t.own)) * (std::sqrt(t.gamma * t.own * t.squares) + t.range);
}

// ada2_range at ranges beta^(T-t), of which the largest is 1.
double discounted(const DiscountTerms& t) {
  return ada2_range(
      {.M = t.M, .own = t.own, .gamma = t.gamma, .squares = sum_of_squares(t.discount, t.rounds), .range = 1});
}

// delayed: `ada` with gamma (q + 1) in place of gamma, as a round moves q + 1 outcomes at once, and 4p for gaps that
// were not settled when the multiplier was set.
double delayed(const DelayTerms& t, double best) {
  const double size = t.gamma * t.M * (t.missing + 1);
  return 2 * std::sqrt(2 * size * best) + 8 * size + 4 * t.open + 2;
}

// delayed_total: the same with the losses bounded by 1, so that T + sum q_s stands for (q + 1) L*.
double delayed_total(const DelayTerms& t, double rounds) {
  return 2 * std::sqrt(2 * t.gamma * t.M * (rounds + t.missing)) + 4 * t.open + 2;
}

// flipflop and flipflop2 at phi = 2.37, a = 1.243: 5.64 is 1 + a beta and also phi/a + beta, which nearly agree at this
// choice, and 3.73 is beta; all rounded up. The constant terms 64 size + 7b and 32 size + 6.64b are steeper^2 k size +
// (steeper + 1) b, rounded up.
double flipflop_printed(const FlipFlopTerms& t, GapOf gap) {
  const double b = t.range, size = t.gamma * t.M * b, k = factor(gap);
  const double noisy = gap == GapOf::kLoss ? 64 * size + 7 * b : 32 * size + 6.64 * b;
  return std::min(5.64 * t.alone + 3.73 * b, 5.64 * std::sqrt(k * size * (t.best + b)) + noisy);
}

// beta = 1 + rho (1 + phi/(phi-1)) times D_flop and D_flip bound the regret; D_flop <= a D_flip + b gives the first
// branch. In the second beta' = phi/a + beta, and u = E D_flop obeys u^2 <= k gamma own b (L* + b + beta' u) + b u.
double flipflop_own(const FlipFlopTerms& t, GapOf gap) {
  if (t.own == 0 && t.M > 0) return std::numeric_limits<double>::infinity();
  const double b = t.range, size = factor(gap) * t.gamma * t.own * b;
  const double beta = 1 + rho(t.M, t.own) * (1 + t.phi / (t.phi - 1)), steeper = t.phi / t.a + beta;
  const double first = (1 + t.a * beta) * t.alone + beta * b;
  const double second = steeper * (std::sqrt(size * (t.best + b)) + steeper * size + b) + b;
  return std::min(first, second);
}

}  // namespace hannan::detail::forms
