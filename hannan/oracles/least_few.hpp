// The few smallest of data[k] + scale * noise[k], by value, then by k.
//
// One pass: a block whose least value is no better than the worst of the few is skipped by the scan of
// oracles/argmin.hpp, so all but the first blocks cost what an argmin costs.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace hannan {

// noise may be empty: then scale is ignored. Fewer than `few` only where there are fewer.
std::vector<std::size_t> least_few(std::span<const double> data, std::span<const double> noise, double scale,
                                   std::size_t few);

}  // namespace hannan
