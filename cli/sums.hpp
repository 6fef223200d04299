// Sums of `hannan fold` in place of outcomes.
#pragma once

#include <string>

#include "data.hpp"
#include "hannan/fold/summary.hpp"

namespace hannan::detail::cli {

// What the flags say of the problem must be what the sums are of; what they leave open the sums say. Throws kOtherSums
// at `path`.
void check_problem_of_sums(const ProblemFlags& flags, const Summary& sums, const std::string& path);

}  // namespace hannan::detail::cli
