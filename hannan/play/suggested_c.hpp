// The factor c of `gftpl` that the report of a run suggests for the next one.
#pragma once

#include <optional>

#include "hannan/io/json.hpp"

namespace hannan::detail {

// c = sqrt(M/gamma), where the leading term (gamma c + M/c) sqrt(L*) of trajectory2 is least (docs/theory-run.md,
// simple2). Of a report as AnyLearner makes it, or what is left of one. None for other learners; where c is not the
// default, 1; where gamma or M are not known; where the bounds with that term do not apply; and where the suggestion is
// 1 to two digits.
std::optional<double> suggested_c(const Json& report);

}  // namespace hannan::detail
