// Extreme outcomes that are vectors of numbers: grids, and corners where a grid is too large.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "hannan/core/extreme_outcomes.hpp"
#include "hannan/core/interval.hpp"

namespace hannan::detail {

using ExtremeRows = ExtremeOutcomes<std::vector<double>>;

// The points of {0, 1/step, ..., 1}^width in order; empty if there are more than `limit`.
std::vector<std::vector<double>> grid_points(std::uint64_t step, std::size_t width, std::uint64_t limit);

// For values that reach a level of 1/levels: the grid and the values just below it, the plain grid where that is too
// much, the corners where even that is.
void add_level_rows(std::uint64_t levels, std::size_t width, ExtremeRows& into);

// All vectors of the two ends of a range where they fit, else those with at most two entries unlike the rest.
// `words` says what the ends are: "0 and 1".
void add_corner_rows(std::size_t width, Interval range, const std::string& words, ExtremeRows& into);

}  // namespace hannan::detail
