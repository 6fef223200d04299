// The limits that hold with probability 1 - delta at every round at once, stated a second time from
// docs/theory-run.md (sum_upper, moves_upper, limit, leaderless). Nothing here is shared with what computed them for
// the record. Cost: about 50 sums of a series of some sqrt(S) terms each.
#pragma once

namespace hannan::detail::forms {

// The root x of F(S,x) = 1/delta, F the sum over i >= 0 of x^i/((S+1)...(S+1+i)); S >= 0, 0 < delta < 1.
double sum_upper(double S, double delta);

// W + sqrt(rho2 (Q + 1/M^2)(2 ln(1/delta) + ln(1 + Q M^2))).
struct MoveTerms {
  double M, rho2, W, Q, delta;
};
double moves_upper(const MoveTerms& t);

// Sums over rounds: gaps without noise (quiet) and with noise (noisy, of `count` rounds); of the rounds t >= 2 in which
// the multiplier grew, W of e_t, Q of the squares of the growth and P of the growth.
struct LimitTerms {
  double M, first;  // first: z_1
  double quiet, noisy, count;
  double W, Q, P;
  double rho2, delta;
};
double limit(const LimitTerms& t);

struct LeaderlessTerms {
  double M;
  double quiet, noisy, count;
  double P;
  double squares;  // of f(x_t,y_t) - f(x_{t-1},y_t), over rounds with noise
  double delta;
};
double leaderless(const LeaderlessTerms& t);

}  // namespace hannan::detail::forms
