// What the gain of a round is a share of, where decisions are shares themselves: the limit of a gain then grows with
// it, and one large round does not set the limit of all (docs/judgement.md). The problem says it (Money::Shares):
//
//   ceilings that are shares    what a unit costs that is not bought: |gain| <= units (1 - least share) V_t
//   bids that are factors       what winning is worth, all items together: |gain| <= v_t where the baseline never paid
//                               more than that
#pragma once

#include <span>

#include "hannan/game/money.hpp"

namespace hannan::detail {

// Whether gains are judged as shares: where the scales of the rounds differ, and of bids where the baseline never paid
// more than winning was worth, so that no gain exceeds the value. `scales` and `base`, the losses of the baseline, are
// of every round; no scales: there are no shares.
bool judged_by_shares(const Money::Shares* shares, std::span<const double> scales, std::span<const double> base);

}  // namespace hannan::detail
