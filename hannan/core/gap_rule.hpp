// What the noise multiplier of `ada` and `flipflop` grows by in a round.
#pragma once

#include <algorithm>

#include "hannan/core/learner.hpp"

namespace hannan {

enum class GapRule {
  kMix,   // how much better x' is than x on everything it was chosen by (docs/theory-run.md, mix_gap)
  kLoss,  // f(x_t,y_t) - f(x'_t,y_t), the rule of version 0.2 (docs/theory.md, ada)
};

// In [0,1]: both are for an exact oracle, and an inexact one must not lower the multiplier.
template <class P>
double grown_by(GapRule rule, const P& problem, const typename P::Outcome& y, const Step<typename P::Action>& step) {
  const double gap = rule == GapRule::kMix ? *step.gap : step.loss - problem.loss(*step.after, y);
  return std::clamp(gap, 0.0, 1.0);
}

}  // namespace hannan
