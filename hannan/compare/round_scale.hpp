// What the gain of a round is a share of, where decisions are shares themselves: the limit of a gain then grows with
// it, and one large round does not set the limit of all (docs/judgement.md).
//
//   vcg-reserves, reverse with shares    what a unit costs that is not bought: |gain| <= units (1 - least share) V_t
//   first-price-bidding, mode shade      what winning is worth, all items together: |gain| <= v_t where the baseline
//                                        never paid more than that
#pragma once

#include <functional>
#include <span>

#include "hannan/core/any_value.hpp"
#include "hannan/runtime/any_problem.hpp"

namespace hannan::detail {

using RoundScale = std::function<double(const AnyOutcome&)>;

// Empty where gains are judged in money.
RoundScale round_scale(const AnyProblem& problem);

// Whether gains are judged as shares: where the scales of the rounds differ, and of bids where the baseline never paid
// more than winning was worth, so that no gain exceeds the value. `base` are the losses of the baseline.
bool judged_by_shares(const AnyProblem& problem, std::span<const double> scales, std::span<const double> base);

// The largest gain of a round over its scale, for a problem that has one.
double most_share(const AnyProblem& problem);

}  // namespace hannan::detail
