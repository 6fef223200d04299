// Which column of a table holds what came, by its name: actual, target, observed, ...
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace hannan::detail {

// Trimmed and in lower case it is one of actual, actuals, target, truth, true, observed, observation, obs, y, outcome,
// realised, realized, or begins with "actual".
bool names_actual(const std::string& name);
// The first such column; none: the number of columns.
std::size_t actual_column(std::span<const std::string> names);

}  // namespace hannan::detail
