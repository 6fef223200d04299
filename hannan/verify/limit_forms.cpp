// A root by bisection and three closed forms. reaches() decides the sign without the value of F, so that F may be far
// above what a double holds; it needs about x - S terms until they fall, and then some sqrt(x) more.
#include "hannan/verify/limit_forms.hpp"

#include <algorithm>
#include <cmath>

#include "hannan/core/elementary.hpp"
#include "hannan/verify/small_arguments.hpp"

namespace hannan::detail::forms {
namespace {

// F(S,x) >= most? Terms rise until S + 1 + i passes x and fall ever faster from there, so what is left is at most the
// last term times 1/(1 - ratio); it is added up until that is below rounding, or until the answer is settled.
bool reaches(double S, double x, double most) {
  double term = 1 / (S + 1), sum = 0;
  for (double i = 1;; ++i) {
    sum += term;
    if (sum >= most) return true;
    const double ratio = x / (S + 1 + i);
    term *= ratio;
    if (ratio < 1 && term < 1e-18 * sum * (1 - ratio)) return false;
  }
}

}  // namespace

// F(S,S) <= 1, because (1-a) e^a <= 1, and F increases with x: the root is above S.
double sum_upper(double S, double delta) {
  // Invariant: F(S, low) < 1/delta <= F(S, high). It ends where low and high are neighbours among doubles (about 55
  // halvings), and gives the upper one: a limit must not be below the root.
  const double most = 1 / delta;
  double low = S, step = 1;
  while (!reaches(S, S + step, most)) step *= 2;
  double high = S + step;
  for (;;) {
    const double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) return high;
    (reaches(S, middle, most) ? high : low) = middle;
  }
}

// W + sqrt(rho_2 (Q + 1/M^2)(2 ln(1/delta) + ln(1 + Q M^2))). Callers have M > 0: without moves it is not asked for.
double moves_upper(const MoveTerms& t) {
  const double square = t.M * t.M;
  const double chance = 2 * portable_log(1 / t.delta) + log_one_plus(t.Q * square);
  return t.W + std::sqrt(t.rho2 * (t.Q + 1 / square) * chance);
}

double limit(const LimitTerms& t) {
  // 0.8 delta for the gaps and 0.2 delta for the moves, which add up to delta: the split is stated in the theorem, and
  // was fixed before any run.
  double gaps = 0, moves = 0;
  if (t.count > 0) gaps = std::min(t.count, sum_upper(t.noisy, 0.8 * t.delta));
  if (t.P > 0) moves = t.M * t.P;
  if (moves > 0)
    moves = std::min(moves, moves_upper({.M = t.M, .rho2 = t.rho2, .W = t.W, .Q = t.Q, .delta = 0.2 * t.delta}));
  return t.M * t.first + t.quiet + gaps + moves;
}

double leaderless(const LeaderlessTerms& t) {
  double drawn = 0;
  if (t.count > 0) {
    drawn = std::min(t.count, sum_upper(t.noisy, t.delta / 2)) + (sum_upper(t.squares, t.delta / 2) - t.squares);
  }
  return t.M * t.P + t.quiet + drawn;
}

}  // namespace hannan::detail::forms
