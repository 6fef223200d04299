// The rounds at which the paths of a comparison have their points: every w-th, w a power of two that doubles whenever
// there are Comparison::kMostPoints of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "hannan/compare/comparison.hpp"

namespace hannan::detail {

// Which rounds become points; all paths are thinned alike.
class PathPoints {
 public:
  bool due(std::uint64_t round) const { return round % width_ == 0; }
  // After a point was noted: whether every other one is to go, the ones at odd multiples of the width.
  bool full(std::size_t points) {
    if (points < Comparison::kMostPoints) return false;
    width_ *= 2;
    return true;
  }
  std::uint64_t width() const { return width_; }

 private:
  std::uint64_t width_ = 1;
};

template <class T>
void thin(std::vector<T>& path) {
  std::size_t kept = 0;
  // Points stand at multiples of the width, from the first on: the odd places are the multiples of twice the width.
  for (std::size_t i = 1; i < path.size(); i += 2) path[kept++] = std::move(path[i]);
  path.resize(kept);
}

}  // namespace hannan::detail
