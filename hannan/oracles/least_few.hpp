// The few smallest of data[k] + scale * noise[k], by value, then by k.
//
// One pass by the scan of oracles/argmin.hpp for the least value of every block of 128; then blocks are read in the
// order of these, until the next one has nothing to offer: few of them, where small values lie together.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace hannan::detail {

// noise may be empty: then scale is ignored. Fewer than `few` only where there are fewer.
std::vector<std::size_t> least_few(std::span<const double> data, std::span<const double> noise, double scale,
                                   std::size_t few);

}  // namespace hannan::detail
