// The best single actions beside a mixture: the one of least worst case, and the one of least average.
//
// Exact over all actions where they can be listed and actions times scenarios are at most kMostListedLosses; otherwise
// the best among those that are handed in. Ties go to the smallest action.
#pragma once

#include <optional>
#include <span>

#include "hannan/solve/scenarios.hpp"
#include "hannan/solve/solver.hpp"

namespace hannan::detail {

inline constexpr double kMostListedLosses = 1e8;

struct SingleActions {
  SingleAction least_worst, least_average;
};

// None where actions are too many. `base` is subtracted from the losses of each scenario. Cost: one pass over all
// losses.
std::optional<SingleActions> listed_single_actions(const Scenarios& scenarios, double cap,
                                                   std::span<const double> base);

}  // namespace hannan::detail
