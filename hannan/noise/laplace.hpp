// Laplace noise: independent coordinates with density exp(-|a|)/2, the law of Theorem 1.
//
// ln density is 1-Lipschitz in ||.||_1 on the whole space, so it serves every hedge vector.
// Sampling by the inverse CDF, in two halves so that both tails keep full relative precision:
//   a = ln(2u) for u < 1/2,  -ln(2(1-u)) otherwise.
// Cost: half a Philox block and one logarithm per column.
#pragma once

#include "hannan/core/noise.hpp"

namespace hannan::detail {

// Requires 0 < u < 1.
double laplace_from_uniform(double u);

// P[low <= a <= high] for one Laplace variable; 0 for an empty interval.
double laplace_mass(double low, double high);

// Laplace noise given that it is below 32.01 in absolute value, by the same numbers: a = laplace(1/2 + (u - 1/2) c), u
// the uniform number of column j, c the double next to 1 - e^-32. Bounded noise, whose mean is still 0.
inline constexpr double kCutOfLaplace = 0x1.fffffffffff8ep-1;
void draw_cut_laplace(const KeyedRandom& random, std::span<double> alpha);

struct Laplace {
  static constexpr std::string_view kForm = "laplace";
  std::string name() const { return std::string(kForm); }
  NoiseFacts facts() const { return {.p = 1, .centred = true, .symmetric = true}; }
  void draw(const KeyedRandom& random, std::span<double> alpha, ColumnSigns signs = {}) const;
  double mass(double low, double high) const { return laplace_mass(low, high); }
  friend bool operator==(const Laplace&, const Laplace&) = default;
};

static_assert(NoiseLaw<Laplace>);

}  // namespace hannan::detail
