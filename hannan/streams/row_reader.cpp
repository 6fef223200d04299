// How many numbers of a row lie outside their range, NaN counted as outside: both comparisons are false for it.
#include "hannan/streams/row_reader.hpp"

#include "hannan/core/widest_vectors.hpp"

namespace hannan::detail {

// Counted without leaving the loop, so that it becomes vector code.
HANNAN_WIDEST_VECTORS std::uint64_t count_outside(std::span<const double> row, Interval range) {
  std::uint64_t outside = 0;
  for (const double value : row) outside += !(value >= range.lo) | !(value <= range.hi);
  return outside;
}

}  // namespace hannan::detail
