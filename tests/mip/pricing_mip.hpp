// Single-minded item pricing as a mixed-integer programme: a second exact solver, for tests only. It
// shares no code and no idea with the branch and bound.
//
// x[j][z] = 1 says that item j costs z, so a bundle costs a(S) = sum of z x[j][z] over its items. Buyers
// of the same bundle are one column per price at which the bundle may sell, w[S][p] = 1 iff a(S) = p,
// worth p/m times the weight of those who can pay p; and w0 = 1 iff a(S) > m, when no one can buy:
//   w0 + sum_p w[S][p] = 1
//   a(S) = sum_p p w[S][p] + (m+1) w0 + (|S| m - m - 1) e,   0 <= e <= w0
//   sum_{q <= p} w[S][q] <= sum_{z <= p-|S|+1} x[j][z]       for every item j of S
// The last rows are implied for whole numbers and only make the relaxation sharp: a bundle is cheap only
// if each of its items is. A bundle of one item needs none of this. Weights must not be negative.
#pragma once

#include <cstdint>
#include <vector>

namespace hannan::detail::mip {

struct PricingTask {
  int levels;
  struct Buyer {
    std::uint32_t bundle;  // bit j = item j
    double value;
    double weight;
  };
  std::vector<Buyer> buyers;
  std::vector<std::vector<double>> tables;  // by item and price - 1; added to the value
};

struct PricingAnswer {
  std::vector<int> prices;
  double value = 0;  // tables minus the sum of weight * payment, in money
  bool optimal = false;
};

PricingAnswer solve_pricing(const PricingTask& task);

}  // namespace hannan::detail::mip
