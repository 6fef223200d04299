// What the noise multiplier of `ada` and `flipflop` grows by in a round.
#pragma once

#include <algorithm>
#include <limits>

#include "hannan/core/learner_options.hpp"
#include "hannan/game/learner.hpp"

namespace hannan::detail {

// What a gap may be: no more than the range of the losses, where one is known.
inline double largest_gap(const Game& game) {
  return game.loss_range() == LossRange::kUnknown ? std::numeric_limits<double>::infinity() : 1.0;
}

// At least 0 and at most the largest of an outcome of this weight: both are for an exact oracle, and an inexact one
// must not lower the multiplier.
inline double grown_by(GapRule rule, const Game& game, const AnyOutcome& y, const Step& step) {
  const double gap = rule == GapRule::kMix ? *step.gap : step.weight * (step.loss - game.loss(*step.after, y));
  return std::clamp(gap, 0.0, step.weight * largest_gap(game));
}

}  // namespace hannan::detail
