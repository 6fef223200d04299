// Series below |u| = 1/2 and the plain formula above it. Every series stops at the first term below 10^-18 of the sum,
// which is under a hundredth of the last bit.
#include "hannan/verify/small_arguments.hpp"

#include <cmath>

#include "hannan/core/elementary.hpp"

namespace hannan::detail::forms {
namespace {

// The sum of u^i/i! over i >= first, |u| <= 1/2: each term is at most a quarter of the one before it, so what is left
// out is below a third of the last one added.
double exponential_tail(double u, int first) {
  double term = 1;
  for (int i = 1; i <= first; ++i) term *= u / i;
  double sum = 0;
  for (int i = first; std::abs(term) > 1e-18 * std::abs(sum); ++i) {
    sum += term;
    term *= u / (i + 1);
  }
  return sum;
}

constexpr double kSmall = 0.5;  // beyond it at most a factor of 5 is lost in a difference

}  // namespace

double exp_less_one(double u) { return std::abs(u) <= kSmall ? exponential_tail(u, 1) : portable_exp(u) - 1; }

// ln(1+x) = 2 atanh(s), s = x/(2+x): |s| <= 1/3 here, and powers of s^2 add up.
double log_one_plus(double x) {
  if (std::abs(x) > kSmall) return portable_log(1 + x);
  const double s = x / (2 + x), square = s * s;
  double sum = 0, power = s;
  for (int i = 1; std::abs(power) > 1e-18 * std::abs(sum); i += 2) {
    sum += power / i;
    power *= square;
  }
  return 2 * sum;
}

// With rest = e^-u - 1 + u, which is u - (1 - e^-u): h = rest/u and g = rest/(1 - e^-u).
double h(double u) {
  if (u <= 0) return 0;
  return u <= kSmall ? exponential_tail(-u, 2) / u : (u - 1 + portable_exp(-u)) / u;
}

double g(double u) {
  if (u <= 0) return 0;
  const double below_one = -exp_less_one(-u);
  return u <= kSmall ? exponential_tail(-u, 2) / below_one : (u - below_one) / below_one;
}

}  // namespace hannan::detail::forms
