// What an exact search over a product grid is asked, and what it answers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "hannan/oracles/incumbents.hpp"

namespace hannan::detail {

struct SearchLimits {
  std::uint64_t nodes = 200'000;
};

struct SearchRequest {
  std::size_t keep = 1;  // 0 is taken as 1
  SearchLimits limits;
  std::vector<std::vector<int>> hints;  // full assignments to start from; malformed ones are skipped
};

struct SearchResult {
  std::vector<Found> pool;   // the choice first, then by value; empty only if nothing feasible was met
  double rest = kInfinity;   // proven: no assignment outside the pool is below it
  double floor = kInfinity;  // proven: no assignment at all is below it; finished: the least value
  std::uint64_t nodes = 0;   // bounds taken
  std::uint64_t lines = 0;   // calls of the model's line
  bool finished = true;
};

}  // namespace hannan::detail
