// The bounds of docs/theory-run.md: the sharper closed forms, inexact oracles, unknown range, drift, delays. One small
// pure function each, under its key there, where the proof is.
//
// Names of the terms as in bounds.hpp: M must be the exact size of the noise or an upper limit of it, gamma belongs to
// losses of range 1, `best` is L*_T. Bounds are on E R_T, the mean over the learner's noise. The forms for `ada` and
// `flipflop` are for the rule gap=mix unless said otherwise. Cost: constant, or constant per round of a list.
// All are the same bits on every machine: elementary functions come from core/elementary.hpp. They read and write
// nothing else, throw nothing and may be called by any number of threads.
//
// At the end: limits that hold with probability 1 - delta at every round at once ("A limit that holds at every round"
// there): what sums of conditional means are at most, given the sums that were seen. They are functions of a few
// running sums and are meant to be computed when they are read, not in the loop of rounds: sum_upper evaluates about 60
// series of 30 + 10 sqrt(S) terms.
#pragma once

#include <span>
#include <vector>

#include "hannan/certify/bounds.hpp"

namespace hannan::bounds {

// half_stability. E gap <= h(u) E f(x) and E gap <= g(u) E m at u = gamma/z >= 0:
//   h(u) = 1 - (1-e^-u)/u,   g(u) = u/(1-e^-u) - 1,   h(0) = g(0) = 0,   (1+g)(1-h) = 1.
// Up to u = 1 by the series u/2 - u^2/6 + u^3/24 - ..., so that small u lose nothing.
double h(double u);
double g(double u);

// gftpl. trajectory with g(gamma/z_t) for its growth, after each round of the path. As a running object:
// TrajectoryBound(constants, {.rule = Growth::Rule::kHalfStability}).
std::vector<double> trajectory2(const TrajectoryBound::Constants& constants, std::span<const double> path);

// thm1_tight with 1/(e-1) for e-1: g(u) <= u/(e-1) on [0,1].
double tight2(const Terms& terms);

// 1.17 gamma c sqrt(L*) + 1.6 M z.
double simple2(const Terms& terms);

// tight2 at M = N: one-sided exponential noise, gamma for vectors of the right sign.
double one_sided2(const OneSidedTerms& terms);

// simple2 at C = c N^(1-1/p) and phi = emax_lp_simple: noise of another norm.
double lp_simple2(const LpTerms& terms);

// inexact_gftpl. Every call is within `tol` of its minimum for every value of the noise; sigma is the norm that singles
// an action out. trajectory2 with g_t = e^(sigma tol/z_t) (1 + g(gamma/z_t)) - 1, after each round.
struct Tolerance {
  double sigma;
  double tol;
};
std::vector<double> inexact_gftpl(const TrajectoryBound::Constants& constants, const Tolerance& tolerance,
                                  std::span<const double> path);

// 2 sqrt(gamma M L*) + 4 gamma M + 2.
double ada2(const AdaTerms& terms);

// ada and ada2 of a learner that used `own` > 0 in the place of the M of the noise, which is at most `M`:
//   mix:  (1 + M/own) (sqrt(gamma own L*) + gamma (M + own) + 1)
//   loss: (1 + M/own) (sqrt(2 gamma own L*) + 2 gamma (M + own) + 1)
// At own = M these are ada2 and ada. own = 0 is allowed with M = 0, and gives infinity otherwise.
struct OwnAdaTerms {
  double M;
  double own;
  double gamma;
  double best;
};
double ada2_own(const OwnAdaTerms& terms);
double ada_own(const OwnAdaTerms& terms);

// min{5.64 U + 3.73, 5.64 sqrt(gamma M (L*+1)) + 32 gamma M + 6.64}. Without U put infinity.
double flipflop2(const FlipFlopTerms& terms);

// flipflop and flipflop2 of a learner that used `own` for M, with r = M/own, b = 1 + r (1 + phi/(phi-1)) and
// b' = phi/a + b, phi and a the learner's switching constants, U its leader_regret:
//   mix:  min{(1 + a b) U + b, b' (sqrt(gamma own (L*+1)) + b' gamma own + 1) + 1}
//   loss: the same with 2 gamma for gamma.
// own = 0 as above. phi > 1, a > 0.
struct OwnFlipFlopTerms {
  double M;
  double own;
  double gamma;
  double best;
  double leader_regret;
  double phi = 2.37;
  double a = 1.243;
};
double flipflop2_own(const OwnFlipFlopTerms& terms);
double flipflop_own(const OwnFlipFlopTerms& terms);

// inexact_ada. With ge = gamma + 2 sigma tol and q = rounds * tol: 2 (sqrt(M ge (L* + q)) + 2 M ge + 1 + 2 q) + q.
struct InexactAdaTerms {
  double M;
  double gamma;
  double best;
  Tolerance tolerance;  // sigma and tol
  double rounds;
};
double inexact_ada(const InexactAdaTerms& terms);

// The second branch of flipflop2 then: b' (sqrt(M ge (L* + 1 + q)) + b' M ge + 1 + 2 q) + 1 + q, b' = 5.637. There is
// no first one.
double inexact_flipflop(const InexactAdaTerms& terms);

// ada2_range. Losses of any unit and origin; ranges[t] = largest less least loss of round t, b the largest of them:
// 2 sqrt(gamma M sum ranges[t]^2) + 2 b.
double ada2_range(double M, double gamma, std::span<const double> ranges);

// The second form of ada2_range: 2 sqrt(gamma M b L) + 4 gamma M b + 2 b, L the best total of the losses less the least
// loss of their round (`best`), b = `range`. leader_regret is not read.
// flipflop2_range: min{5.64 U + 3.73 b, 5.64 sqrt(gamma M b (L + b)) + 32 gamma M b + 6.64 b}.
struct RangeTerms {
  double M;
  double gamma;
  double best;
  double leader_regret;
  double range;
};
double ada2_range_best(const RangeTerms& terms);
double flipflop2_range(const RangeTerms& terms);

// ada2_range of a learner that used `own` for M: (1 + M/own) (sqrt(gamma own squares) + b), `squares` the sum of the
// squared ranges.
struct OwnRangeTerms {
  double M;
  double own;
  double gamma;
  double squares;
  double range;
};
double ada2_range_own(const OwnRangeTerms& terms);
// flipflop2_own in units of `range` = b, with L for L* in the terms.
double flipflop2_range_own(OwnFlipFlopTerms terms, double range);

// discounted. The regret in which a round of age i counts discount^i, 0 < discount <= 1:
// 2 sqrt(gamma M (1 - discount^(2 rounds))/(1 - discount^2)) + 2; the fraction is `rounds` at discount = 1.
// Its other form is ada2 at the discounted L*.
struct DiscountTerms {
  double M;
  double gamma;
  double discount;
  double rounds;
};
double discounted(const DiscountTerms& terms);
// Of a learner that used `own` for M: (1 + M/own) (sqrt(gamma own (1 - discount^(2 rounds))/(1 - discount^2)) + 1).
double discounted_own(const DiscountTerms& terms, double own);

// tracking. Against a sequence of actions with that many switches, discount < 1:
// ((1-discount) rounds + discount) (2 sqrt(gamma M/(1-discount^2)) + 2) + discount switches/(1-discount).
double tracking(const DiscountTerms& terms, double switches);

// delayed. missing: the most earlier outcomes that had not arrived when a round was played; open: the most earlier
// rounds that were not settled by then. 2 sqrt(2 gamma M (missing+1) L*) + 8 gamma M (missing+1) + 4 open + 2, for
// codes that single an action out.
struct DelayedTerms {
  double M;
  double gamma;
  double best;
  double missing;
  double open;
};
double delayed(const DelayedTerms& terms);

// delayed_total. missing: the sum over rounds. 2 sqrt(2 gamma M (rounds + missing)) + 4 open + 2.
struct DelayedTotalTerms {
  double M;
  double gamma;
  double rounds;
  double missing;
  double open;
};
double delayed_total(const DelayedTotalTerms& terms);

// sum_upper. X_t in [0,1], S >= 0 their sum, 0 < delta < 1: the sum of the conditional means is below the root x of
//   F(S, x) = sum_{i>=0} x^i/((S+1)...(S+1+i)) = 1/delta.
// By bisection on [S, S+1], whose upper end is first moved up until F reaches 1/delta; the upper end of the last
// interval is returned, which no number divides further.
double sum_upper(double S, double delta);

// sum_upper_range. 0 <= X_t <= r_t with r_t known before the draw, b the largest r_t so far:
//   min_j (2^j S + ln(1/(w_j delta))) b/(1 - e^(-2^j b)),   w_j = 2/(3 (|j|+1) (|j|+2)),   -128 <= j <= 128.
// The weights over all whole j add up to 1. 0 at b = 0. Within 10^-12 <= b <= 10^12 and S <= 10^15 no other j could be
// the least.
double sum_upper_range(double S, double b, double delta);

// moves_upper. Over the rounds in which the multiplier grew, with leading pivots: W the sum of e_t, Q that of
// (z_t - z_{t-1})^2; rho2 >= E (max n - min n)^2; M > 0 any number fixed before the run. The sum of the means of e_t is
// at most W + sqrt(rho2 (Q + 1/M^2) (2 ln(1/delta) + ln(1 + Q M^2))).
struct MoveSums {
  double W;
  double Q;
  double delta;
  double rho2;
  double M;
};
double moves_upper(const MoveSums& sums);

// The running sums of a run with losses in [0,1] and leading pivots.
struct LimitSums {
  double M;      // exact, or an upper limit
  double z_1;    // the multiplier of the first round
  double G0;     // gaps of the rounds without noise (z_t = 0)
  double G1;     // gaps of the other rounds
  double count;  // the number of these
  double W;      // over rounds t >= 2 with z_t > z_{t-1}: the sum of e_t,
  double Q;      // of (z_t - z_{t-1})^2,
  double P;      // of z_t - z_{t-1}
  double rho2;   // as in MoveSums
  double delta = 0.05;
};

// limit. Sum of conditional mean losses - L*_T <= M z_1 + G0 + min{count, sum_upper(G1, 0.8 delta)}
//   + min{M P, moves_upper(W, Q, 0.2 delta)}; a term is 0 while there is nothing to sum.
double anytime_limit(const LimitSums& sums);

// The running sums of ada, with any pivot; M, G0, G1 and count as in LimitSums.
struct LeaderlessSums {
  double M;
  double G0;
  double G1;
  double count;
  double P;        // as above
  double squares;  // of f(x_t,y_t) - f(x_{t-1},y_t) over the rounds with z_t > 0; x_0 is the first action
  double delta = 0.05;
};

// leaderless. The realised regret is at most M P + G0 + min{count, sum_upper(G1, delta/2)}
//   + sum_upper(squares, delta/2) - squares; the last three are 0 at count = 0.
double leaderless_limit(const LeaderlessSums& sums);

}  // namespace hannan::bounds
