#include "hannan/oracles/argmin.hpp"

#include <algorithm>
#include <limits>

#include "hannan/core/tolerance.hpp"

namespace hannan {
namespace {

template <class Value>
Least find(std::size_t size, Value value) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < size; ++k) least = std::min(least, value(k));
  const double limit = least + tie_window(least);
  std::size_t k = 0;
  while (k + 1 < size && !(value(k) <= limit)) ++k;
  return {k, value(k), least};
}

}  // namespace

Least argmin(std::span<const double> data, std::span<const double> noise, double scale) {
  if (noise.empty() || scale == 0) return find(data.size(), [&](std::size_t k) { return data[k]; });
  return find(data.size(), [&](std::size_t k) { return data[k] + scale * noise[k]; });
}

}  // namespace hannan
