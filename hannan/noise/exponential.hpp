// One-sided exponential noise, and the same noise moved to mean zero.
//
//   exponential          alpha_j = -sigma_j E_j         E_j ~ Exp(1) independent,
//   exponential-centred  alpha_j =  sigma_j (1 - E_j)   sigma_j = the sign of the hedge vector s_j
//
// The stability lemma needs support(alpha) - s inside support(alpha): sigma_j s_j >= 0 for every action
// and outcome. Then the ratio of densities is exactly exp(eta ||s||_1). The uncentred law keeps all
// weights of one sign, for oracles that take no negative ones; the centred law needs a signed oracle
// but has the smaller E max. Whether a perturbation allows either is checked where it is known.
// Sampling by the inverse CDF: E = -ln(1-u). Cost: half a Philox block and one logarithm per column.
#pragma once

#include "hannan/core/noise.hpp"

namespace hannan::detail {

// Requires 0 < u < 1.
double exponential_from_uniform(double u);

// P[low <= E <= high] for one Exp(1) variable; 0 for an empty interval.
double exponential_mass(double low, double high);

struct Exponential {
  static constexpr std::string_view kForm = "exponential";
  std::string name() const { return std::string(kForm); }
  NoiseFacts facts() const { return {.p = 1, .one_sided = true}; }
  void draw(const KeyedRandom& random, std::span<double> alpha, ColumnSigns signs = {}) const;
  double mass(double low, double high) const { return exponential_mass(-high, -low); }
  friend bool operator==(const Exponential&, const Exponential&) = default;
};

struct CentredExponential {
  static constexpr std::string_view kForm = "exponential-centred";
  std::string name() const { return std::string(kForm); }
  NoiseFacts facts() const { return {.p = 1, .centred = true, .one_sided = true}; }
  void draw(const KeyedRandom& random, std::span<double> alpha, ColumnSigns signs = {}) const;
  double mass(double low, double high) const { return exponential_mass(1 - high, 1 - low); }
  friend bool operator==(const CentredExponential&, const CentredExponential&) = default;
};

static_assert(NoiseLaw<Exponential> && NoiseLaw<CentredExponential>);

}  // namespace hannan::detail
