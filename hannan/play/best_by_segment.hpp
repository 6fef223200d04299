// The best fixed action of each segment of the data, and the prunings of least loss (contexts/prunings.hpp): one search
// per segment, on its outcomes alone.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hannan/runtime/any_problem.hpp"
#include "hannan/streams/source.hpp"

namespace hannan::detail {

struct SegmentSearch {
  std::vector<std::size_t> depths{1};  // columns of each order
  std::string oracle;                  // empty: the problem's first
};

// per_segment are the finest segments, of several orders of columns those of the order that loses least.
// {rounds, proven, action, value, per_segment: {leaves, loss}, prunings: [{penalty, leaves, loss, segments}], segments:
// [{segment, rounds, value, proven, action}]} in order of their paths, all data first. Prunings have penalties of 0, 1
// and ln T for each leaf and list at most 1000 of them. Throws kEmpty without outcomes.
Json best_by_segment(const AnyProblem& problem, Source& source, const SegmentSearch& search);

}  // namespace hannan::detail
