// The charts of a solution: what caution costs, and the two bounds as they closed.
#pragma once

#include <optional>

#include "hannan/report/blocks.hpp"
#include "hannan/report/solution_words.hpp"

namespace hannan::detail {

// None where caution costs nothing.
std::optional<PageChart> frontier_chart(const Json& solution, const SolutionAmounts& amounts);
PageChart bounds_chart(const Json& solution, const SolutionAmounts& amounts);

}  // namespace hannan::detail
