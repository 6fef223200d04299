// Random outcomes for tests: rules break at the ends of a range and on a grid, so these come often.
#pragma once

#include <cstdint>
#include <vector>

#include "hannan/core/keyed_random.hpp"

namespace hannan::detail {

// A number in [0,1]: an end, a point of the grid of 1/levels, or anything.
inline double sampled_unit(const KeyedRandom& random, std::uint64_t column, std::uint64_t levels) {
  const std::uint64_t kind = random.below(3 * column, 4);
  if (kind == 0) return static_cast<double>(random.below(3 * column + 1, 2));
  if (kind == 3) return random.uniform(3 * column + 1);
  return static_cast<double>(random.below(3 * column + 1, levels + 1)) / static_cast<double>(levels);
}

inline std::vector<double> sampled_units(const KeyedRandom& random, std::uint64_t count, std::uint64_t levels) {
  std::vector<double> numbers;
  for (std::uint64_t i = 0; i < count; ++i) numbers.push_back(sampled_unit(random, i, levels));
  return numbers;
}

}  // namespace hannan::detail
