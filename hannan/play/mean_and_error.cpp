// Two passes: the mean first, then squared deviations from it; in the order of the values, so that the bits are those
// of any thread count.
#include "hannan/play/mean_and_error.hpp"

#include <cassert>
#include <cmath>

namespace hannan::detail {

MeanAndError mean_and_error(std::span<const double> values) {
  assert(!values.empty());
  const auto n = static_cast<double>(values.size());
  double sum = 0, squares = 0;
  for (const double x : values) sum += x;
  MeanAndError result{.mean = sum / n};
  for (const double x : values) squares += (x - result.mean) * (x - result.mean);
  if (values.size() > 1) result.error = std::sqrt(squares / (n - 1) / n);
  return result;
}

}  // namespace hannan::detail
