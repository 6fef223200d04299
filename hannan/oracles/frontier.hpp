// Where a box search stopped: boxes that cover all assignments but the listed points, each with a proven bound.
//
// After more evidence the bounds are raised by the least that the new evidence can add in a box, the points by exactly
// what it adds, and a search goes on from here: it opens only the boxes whose raised bound may still hold a wanted
// assignment. Also what a limit left open is here, so that the next search goes on where the last one stopped.
// A list of positions is kept as runs of consecutive ones, [number of runs, first, last, ...]; the box of 8 coordinates
// with 64 positions takes some 60 bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "hannan/core/archive.hpp"
#include "hannan/oracles/box_model.hpp"
#include "hannan/oracles/incumbents.hpp"

namespace hannan::detail {

class Frontier {
 public:
  static constexpr std::size_t kMostPositions = 65'536;  // of a coordinate

  bool empty() const { return bounds_.empty() && points.empty(); }
  std::size_t size() const { return bounds_.size(); }
  void clear() { *this = {}; }

  void add(const BoxLists& box, double bound);
  void add(std::span<const std::uint16_t> runs, double bound);
  std::span<const std::uint16_t> runs(std::size_t k) const {
    return {runs_.data() + starts_[k], starts_[k + 1] - starts_[k]};
  }
  double bound(std::size_t k) const { return bounds_[k]; }
  void raise(std::size_t k, double by) { bounds_[k] += by; }
  // The evidence is higher by factor * the sum of tables[c][x_c]: bounds rise by the least of it in their boxes, points
  // by what it is there.
  void add_tables(std::span<const std::vector<double>> tables, double factor);
  static BoxLists lists(std::span<const std::uint16_t> runs);
  static std::vector<int> smallest(std::span<const std::uint16_t> runs);

  // Refuses what is no box or point of these domains.
  void archive(Archive& a, std::span<const std::size_t> domains);

  std::vector<Found> points;

 private:
  bool fits(std::span<const std::uint16_t> runs, std::span<const std::size_t> domains) const;

  std::vector<std::uint16_t> runs_;
  std::vector<std::size_t> starts_{0};
  std::vector<double> bounds_;
};

}  // namespace hannan::detail
