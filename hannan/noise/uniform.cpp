// Uniform noise on [0, B]: no stability, no small-loss bound (docs/theory.md, stability: continuity is not enough).
#include "hannan/noise/uniform.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "hannan/core/error.hpp"
#include "hannan/noise/parameter.hpp"

namespace hannan::detail {

Uniform Uniform::parse(std::string_view text, std::string_view at) {
  const double bound = noise_parameter(text, kForm, at);
  if (bound <= 0)
    throw Error(Code::kOutOfRange, fmt::format("noise {}: found B = {}, expected B > 0", kForm, text), std::string(at));
  return {bound};
}

std::string Uniform::name() const { return fmt::format("uniform:{}", bound); }

void Uniform::draw(const KeyedRandom& random, std::span<double> alpha, ColumnSigns) const {
  assert(bound > 0);
  random.fill_uniform(alpha);
  for (double& a : alpha) a *= bound;
}

double Uniform::mass(double low, double high) const {
  const double length = std::min(high, bound) - std::max(low, 0.0);
  return length > 0 ? length / bound : 0;
}

}  // namespace hannan::detail
