// The mean of some numbers and its standard error, sd / sqrt(n).
#pragma once

#include <span>

namespace hannan::detail {

struct MeanAndError {
  double mean = 0;
  double error = 0;  // 0 of a single number
};
// Requires values.
MeanAndError mean_and_error(std::span<const double> values);

}  // namespace hannan::detail
