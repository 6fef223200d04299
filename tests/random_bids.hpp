// Random auctions with reserves, and bids in them.
#pragma once

#include <memory>

#include "hannan/problems/vcg_reserves/vcg_reserves.hpp"
#include "tests/dice.hpp"

namespace hannan::detail {

// Bids on the grid, on half steps of it (ties and near misses), or anywhere.
inline VcgReserves::Outcome draw_bids(Dice& dice, const VcgReserves& p) {
  VcgReserves::Outcome bids(p.coordinates());
  const int kind = dice.below(3);
  for (double& b : bids) {
    if (kind == 0) b = static_cast<double>(dice.below(p.levels() + 1)) / p.levels();
    if (kind == 1) b = static_cast<double>(dice.below(2 * p.levels() + 1)) / (2 * p.levels());
    if (kind == 2) b = dice.unit();
  }
  return bids;
}

inline std::shared_ptr<const VcgReserves> draw_reserves(Dice& dice, VcgReserves::Rule rule) {
  const int n = 1 + dice.below(4);
  return std::make_shared<VcgReserves>(
      VcgReserves::Parts{.bidders = n, .levels = 1 + dice.below(5), .units = 1 + dice.below(n + 1), .rule = rule});
}

}  // namespace hannan::detail
