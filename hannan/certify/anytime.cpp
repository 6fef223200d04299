// Time-uniform limits (docs/theory-run.md: sum_upper, sum_upper_range, moves_upper, limit, leaderless). Each is a
// function of running sums; a limit spends delta on its parts, and a union bound adds them up. Costs are in
// anytime.hpp. Portable logarithms and exponentials alone: records carry these numbers and verifiers on other machines
// recompute them.
#include "hannan/certify/run_bounds.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "hannan/core/elementary.hpp"

namespace hannan::bounds {
namespace {

// Does F(S, x) reach `target`? Its terms are positive, so the answer is known as soon as a partial sum does; that also
// keeps the sum from overflowing. From i > x - S on the terms fall faster and faster.
// F is increasing in x for x >= 0, so a bisection over x is exact to the last bit.
bool series_reaches(double target, double S, double x) {
  constexpr double kNegligible = 1e-17;  // of the sum
  double term = 1 / (S + 1);
  double sum = term;
  for (double i = 1; sum < target; ++i) {
    if (i - 1 > x - S && term < kNegligible * sum) return false;
    term *= x / (S + 1 + i);
    sum += term;
  }
  return true;
}

// ln(1+v) for v >= 0. Below 1 by the identity ln(1+v) = v log(w)/(w - 1) at w = 1+v as rounded, which takes the
// rounding of w back.
double log_of_one_more(double v) {
  const double w = 1 + v;
  if (w == 1) return v;
  return v < 1 ? v * (detail::portable_log(w) / (w - 1)) : detail::portable_log(w);
}

}  // namespace

double sum_upper(double S, double delta) {
  assert(S >= 0 && delta > 0 && delta < 1);
  const double target = 1 / delta;
  // Invariant: F(S, low) < 1/delta <= F(S, high). Returning high errs on the safe side.
  double low = S, high = S + 1;  // F(S, S) <= 1, because (1-a) e^a <= 1
  while (!series_reaches(target, S, high)) high = 2 * high + 1;
  while (true) {
    const double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) return high;
    (series_reaches(target, S, middle) ? high : low) = middle;
  }
}

double sum_upper_range(double S, double b, double delta) {
  assert(S >= 0 && b >= 0 && delta > 0 && delta < 1);
  if (b == 0) return 0;
  // Powers of two from 2^-128 to 2^128: a finite part of the mixture, so the limit still holds; the header says for
  // which numbers no other power could be the least.
  constexpr int kFarthest = 128;
  const double certainty = -detail::portable_log(delta);
  double least = std::numeric_limits<double>::infinity();
  for (int j = -kFarthest; j <= kFarthest; ++j) {
    const double rate = std::ldexp(1.0, j);
    const double x = rate * b;
    const double distance = std::abs(j);
    const double rarity = detail::portable_log(1.5 * (distance + 1) * (distance + 2));  // -ln w_j
    // b/(1-e^-x) = (1 + g(x))/rate, which is exact for small x too; for large x it is b.
    const double factor = x <= 1 ? (1 + g(x)) / rate : b / (1 - detail::portable_exp(-x));
    least = std::min(least, (rate * S + rarity + certainty) * factor);
  }
  return least;
}

double moves_upper(const MoveSums& sums) {
  const auto& [W, Q, delta, rho2, M] = sums;
  assert(Q >= 0 && delta > 0 && delta < 1 && rho2 >= 0 && M > 0);
  // The method of mixtures with a normal rate of variance M^2/rho2: (sum of means) - W <= sqrt(rho2 (Q + 1/M^2) logs).
  const double logs = -2 * detail::portable_log(delta) + log_of_one_more(Q * M * M);
  return W + std::sqrt(rho2 * (Q + 1 / (M * M)) * logs);
}

namespace {

// The sum of the means of `count` terms in [0,1] whose sum is S. A sum beyond its number of terms is no sum of such
// terms (a damaged state, say), and the series for it would have no end.
double mean_sum(double S, double count, double delta) {
  return S < count ? std::min(count, sum_upper(std::max(0.0, S), delta)) : count;
}

}  // namespace

double anytime_limit(const LimitSums& sums) {
  // 0.8 delta for the gaps and 0.2 delta for the moves: chosen in the theorem, and their sum is delta.
  double limit = sums.M * sums.z_1 + sums.G0;
  if (sums.count > 0) limit += mean_sum(sums.G1, sums.count, 0.8 * sums.delta);
  if (sums.P > 0 && sums.M > 0) {  // without noise moves cost nothing
    const double moves =
        moves_upper({.W = sums.W, .Q = sums.Q, .delta = sums.delta / 5, .rho2 = sums.rho2, .M = sums.M});
    limit += std::min(sums.M * sums.P, moves);
  }
  return limit;
}

double leaderless_limit(const LeaderlessSums& sums) {
  double limit = sums.M * sums.P + sums.G0;
  if (sums.count > 0) {
    limit += mean_sum(sums.G1, sums.count, sums.delta / 2);
    const double squares = std::min(sums.squares, sums.count);
    limit += sum_upper(squares, sums.delta / 2) - squares;
  }
  return limit;
}

}  // namespace hannan::bounds
