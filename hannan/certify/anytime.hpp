// Limits that hold with probability 1 - delta at every round at once (docs/theory-run.md, "A limit that holds at every
// round"): what sums of conditional means are at most, given the sums that were seen.
//
// All are the same bits on every machine. They are functions of a few running sums and are meant to be computed when
// they are read, not in the loop of rounds: sum_upper evaluates about 60 series of 30 + 10 sqrt(S) terms.
#pragma once

namespace hannan::bounds {

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
  double rho2;
  double delta = 0.05;
};

// limit. Sum of conditional mean losses - L*_T <= M z_1 + G0 + min{count, sum_upper(G1, 0.8 delta)}
//   + min{M P, moves_upper(W, Q, 0.2 delta)}; a term is 0 while there is nothing to sum.
double anytime_limit(const LimitSums& sums);

// The running sums of ada, with any pivot.
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
