// The smallest of data[k] + scale * noise[k], ties (within tie_window) to the lowest k.
//
// Two passes over memory at most: blocks are reduced to their least value first, then only the
// first block that can hold the winner is searched again.
#pragma once

#include <cstddef>
#include <span>

namespace hannan {

struct Least {
  std::size_t index;
  double value;  // of that index
  double floor;  // the least value of all
};

// noise may be empty: then scale is ignored. data must not be.
Least argmin(std::span<const double> data, std::span<const double> noise, double scale);

}  // namespace hannan
