// One more outcome for the frontier of a search by boxes.
#pragma once

#include "hannan/oracles/frontier.hpp"
#include "hannan/problems/vcg_reserves/vcg_reserves.hpp"

namespace hannan::detail {

// Bounds rise by weight times the least loss that the outcome can have in the box: all who may stay do, at the highest
// reserves they reach (the proof is in reserve_boxes.hpp, with no pair). With a negative weight they change by the
// largest loss there may be. Points rise by exactly what they lose. O(n) a box.
void raise_frontier(const VcgReserves& p, const VcgReserves::Outcome& y, double weight, Frontier& frontier);

}  // namespace hannan::detail
