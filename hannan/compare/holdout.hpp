// A fixed action judged on rounds that it was not chosen from.
//
// The first T - floor(share T) rounds choose: their best fixed action, as a follower of the leader knows it at the end.
// The last rounds judge it, held against the baseline of the comparison in each of them. One pass over the outcomes.
#pragma once

#include <cstdint>
#include <span>

#include "hannan/compare/comparison.hpp"

namespace hannan::detail {

// `base_losses` are those of the baseline in every round. Throws kEmpty where a part would have no round, and
// kUnavailable with segments.
HeldOut hold_out(const ComparisonPlan& plan, std::uint64_t rounds, std::span<const double> base_losses);

}  // namespace hannan::detail
