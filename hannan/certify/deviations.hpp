// What sums of conditional means are at most, or at least, given weighted sums that were seen: limits that hold with
// probability 1 - delta at every round at once (docs/theory-partial.md, limits).
//
// All are minima over the rates lam_j = 2^-j, j = 0..31, each at delta/32; psi(u) = -ln(1-u) - u. The same bits on
// every machine. Cost: 32 logarithms a limit; a SignedUpper computes them once for any number of sums.
#pragma once

#include <array>
#include <cstddef>

namespace hannan::detail {

// signed_upper. X_t <= b_t known before the draw, b the largest b_t of all rounds, Q the sum of X_t^2: the means add up
// to at most sum X_t +
//   min over j with lam_j b < 1 of psi(lam_j b)/(lam_j b^2) Q + ln(32/delta)/lam_j.
// 0 at b = 0. It is not 0 at Q = 0: what was not seen may yet be large. Requires b <= 10^9.
class SignedUpper {
 public:
  SignedUpper(double b, double delta);
  double operator()(double Q) const;

 private:
  struct Line {
    double slope, constant;
  };
  std::array<Line, 32> lines_;
  std::size_t count_ = 0;  // of the rates that are left
  bool certain_;           // b = 0: there is no error
};

// positive_upper. X_t >= 0 without a bound, Q the sum of X_t^2: sum X_t is above the sum of the means by at most
//   min over j of lam_j Q/2 + ln(32/delta)/lam_j,   0 at Q = 0.
class PositiveUpper {
 public:
  explicit PositiveUpper(double delta);
  double operator()(double Q) const;

 private:
  double price_;  // ln(32/delta)
};
inline double positive_upper(double Q, double delta) { return PositiveUpper(delta)(Q); }

// limit_sums. Where losses are in [0,1] and actions are not listed: the regret against every action is at most
//   min over j with psi(lam_j b) <= lam_j b, c = psi(lam_j b)/(lam_j b), of
//     (1+c) own - (1-c) best + (ln K + ln(32/delta))/lam_j,   own - best at b = 0.
struct WeightedSums {
  double own;   // weighted losses of the own choices
  double best;  // the least weighted sum of an action
  double b;     // the largest weight that a round could have had
  double ln_actions;
  double delta = 0.05;
};
double limit_sums(const WeightedSums& sums);

// Closed bounds of the mean regret of `ada` with looks, losses in [0,1] (docs/theory-partial.md, shares). With
// a = (1.5 gamma M T L*)^(1/3), c = sqrt((3 gamma M + 4) T):
//   looks_adaptive  5 a + 4 c + 2 sqrt(T)
//   looks_inside    2 (a + c) + look_cost,   look_cost what the looks of the run cost
//   looks_fixed     2 sqrt(gamma M L*/share) + (4 gamma M + 2)/share + look_cost share T,   look_cost that of a look
struct LookTerms {
  double M;
  double gamma;
  double best;
  double rounds;
};
double looks_adaptive(const LookTerms& terms);
double looks_inside(const LookTerms& terms, double look_cost);
struct FixedShare {
  double share;
  double look_cost;
};
double looks_fixed(const LookTerms& terms, const FixedShare& fixed);

// The closed bound of the mean regret with elements (docs/theory-partial.md, elements), in losses of elements:
//   2 [sqrt(a d (L* + 1 + h)) + a d h/M] + M,   a = m (4.3 M + 6), h = 64 m + cap.
// A theorem about the rate: its constants say nothing below 10^6 rounds. Requires M > 0.
struct ElementTerms {
  double M;
  double d;     // elements
  double m;     // most of an action
  double best;  // L*
  double cap = 16;
};
double elements_closed(const ElementTerms& terms);

}  // namespace hannan::detail
