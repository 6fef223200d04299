// Extreme outcomes of problems with vectors of numbers. Conditions are checked on finitely many outcomes; these are the
// ones at which losses of level problems change: values at a level and just below it. Cost: the number of rows made, at
// most what the caller left.
#include "hannan/problems/extreme_rows.hpp"

#include <cmath>
#include <utility>

namespace hannan::detail {

std::vector<std::vector<double>> grid_points(std::uint64_t step, std::size_t width, std::uint64_t limit) {
  // Compared as doubles before anything is made: the count may exceed every integer.
  if (std::pow(static_cast<double>(step) + 1, static_cast<double>(width)) > static_cast<double>(limit)) return {};
  std::vector<std::vector<double>> points{std::vector<double>{}};
  for (std::size_t i = 0; i < width; ++i) {
    std::vector<std::vector<double>> longer;
    for (const auto& point : points) {
      for (std::uint64_t v = 0; v <= step; ++v) {
        longer.push_back(point);
        longer.back().push_back(static_cast<double>(v) / static_cast<double>(step));
      }
    }
    points = std::move(longer);
  }
  return points;
}

namespace {

// Every other value of the doubled grid becomes the one just below the next level: a bid that just misses a
// reserve costs the most. 1e-6 is far above the slack with which a bid reaches its level.
void move_up(std::vector<double>& point, std::uint64_t levels) {
  for (double& value : point) {
    // Odd places of the doubled grid lie half way between two levels; they move up to just below the higher one.
    const auto place = std::lround(value * 2 * static_cast<double>(levels));
    if (place % 2) value = static_cast<double>((place + 1) / 2) / static_cast<double>(levels) - 1e-6;
  }
}

}  // namespace

void add_level_rows(std::uint64_t levels, std::size_t width, ExtremeRows& into) {
  const std::uint64_t left = into.left();
  for (const std::uint64_t step : {2 * levels, levels}) {
    auto points = grid_points(step, width, left);
    if (points.empty()) continue;
    for (auto& point : points) {
      if (step > levels) move_up(point, levels);
      into.add(point);
    }
    return into.describe("the grid of 1/" + std::to_string(levels) + (step > levels ? " and just below it" : ""));
  }
  add_corner_rows(width, kUnit, "the corners 0 and 1", into);
}

void add_corner_rows(std::size_t width, Interval range, const std::string& words, ExtremeRows& into) {
  auto points = grid_points(1, width, into.left());
  for (auto& point : points) {
    for (double& entry : point) entry = entry == 0 ? range.lo : range.hi;
    into.add(point);
  }
  if (!points.empty()) return into.describe("all vectors of " + words);
  for (const bool low : {true, false}) {
    const double base = low ? range.lo : range.hi, other = low ? range.hi : range.lo;
    into.add(std::vector<double>(width, base));
    for (std::size_t i = 0; i < width && into.left() > 0; ++i) {
      for (std::size_t j = i; j < width && into.left() > 0; ++j) {
        std::vector<double> point(width, base);
        point[i] = point[j] = other;
        into.add(point);
      }
    }
  }
  into.describe("vectors of " + words + ", at most two different from the rest");
}

}  // namespace hannan::detail
