// Exponential weights over experts with these total losses, some of them asleep, and the sum that their mix loss needs:
// what every AdaHedge over a list of totals is made of.
//
//   weights   w_k = exp(-eta (L_k - min over the awake)), over the awake alone, summing to 1; at eta = infinity uniform
//             over the awake within `window` of the least
//   spread    S(L) = sum over all k of exp(-eta (L_k - min L)), so that the mix loss of a round is
//             min L' - min L - (ln S(L') - ln S(L)) / eta, which neither underflows nor needs the weights
//
// The exponents of weights are relative to the best awake expert: the best of all may sleep, and every weight would
// underflow. Cost: K exponentials each, in vectors; the same bits on every machine.
#pragma once

#include <span>

namespace hannan::detail {

struct Tempering {
  double eta;     // infinity: the leaders alone
  double window;  // at eta = infinity: totals this close are equal
};
// awake: 1 or 0 for each total, at least one 1; empty: all are awake. The sum before the weights were divided by it.
double weights_of_totals(std::span<const double> totals, std::span<const double> awake, Tempering tempering,
                         std::span<double> weights);

// S(L) of finite eta; `least` is the least total, `scratch` as long as the totals.
double spread_of_totals(std::span<const double> totals, double eta, double least, std::span<double> scratch);

}  // namespace hannan::detail
