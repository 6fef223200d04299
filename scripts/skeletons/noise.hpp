// `@name@`: Laplace noise drawn another way, as the difference of two exponential variables. Put your own law in its place.
//
// If a, b are independent with density exp(-x) on x >= 0, a - b has the density exp(-|x|)/2. What facts() states is what proofs
// rest on (core/noise.hpp), and the size of the noise is computed for a density proportional to exp(-||x||_p)
// (certify/noise_size.hpp): a law that is neither has no bound, p = 0.
// Cost: one Philox block and two logarithms per column.
#pragma once

#include "hannan/core/noise.hpp"

namespace hannan::detail {

struct @Type@ {
  static constexpr std::string_view kForm = "@name@";
  std::string name() const { return std::string(kForm); }
  NoiseFacts facts() const { return {.p = 1, .centred = true, .symmetric = true}; }
  void draw(const KeyedRandom& random, std::span<double> alpha, ColumnSigns signs = {}) const;
  double mass(double low, double high) const;
  friend bool operator==(const @Type@&, const @Type@&) = default;
};

static_assert(NoiseLaw<@Type@>);

}  // namespace hannan::detail
