// Prices on a grid z = 1..m (position z - 1) and the buyer who comes alone at h/m and pays z/m if z <= h.
//
// As columns these payments are the `direct` code. As data they make any column: put
// W(z) = m R (phi(z) + c) / z, W(m+1) = 0; then weight w_h = W(h) - W(h+1) on the lone buyer at h/m
// gives sum_h w_h * reward = phi(z) + c, with rewards normalised by R. With any sign c = 0; the least
// c without a negative weight is max{-phi(m), max_z z phi(z+1) - (z+1) phi(z)}.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "hannan/core/perturbation.hpp"
#include "hannan/perturbations/coded_columns.hpp"

namespace hannan::detail {

// m columns h = 1..m with entries (z/m) [z <= h]; none if m = 1.
CodePtr revenue_code(std::size_t values);

struct LoneSale {
  std::size_t level;  // h
  double weight;
};
struct LoneTarget {
  std::vector<double> phi;  // phi(z) at z - 1
  double normaliser = 1;    // R
  Weights weights = Weights::kAnySign;
};
// Those of non-zero weight, by level.
std::vector<LoneSale> lone_sales(const LoneTarget& target);

}  // namespace hannan::detail
