// What every noise law is: a value that knows its facts and fills a vector alpha from a keyed random.
//
// A law is chosen for one reason, the stability lemma: if ln density is
// 1-Lipschitz in ||.||_p on a support that is invariant under the shifts s of the perturbation matrix,
// one outcome changes the chance of any choice by at most the factor exp(eta ||s||_p).
#pragma once

#include <concepts>
#include <span>
#include <string>
#include <string_view>

#include "hannan/core/keyed_random.hpp"

namespace hannan {

struct NoiseFacts {
  double p = 0;            // ln density is 1-Lipschitz in this norm; 0: in none, the lemma does not hold
  bool centred = false;    // E alpha = 0
  bool symmetric = false;  // alpha and -alpha have one law
  bool one_sided = false;  // supported on an orthant: allowed only for a sign-consistent hedge vector
  friend bool operator==(const NoiseFacts&, const NoiseFacts&) = default;
};

// The sign (+1 or -1) of the feasible hedge vector s per column; empty means +1 everywhere.
using ColumnSigns = std::span<const int>;

template <class Z>
concept NoiseLaw = std::equality_comparable<Z> && requires(const Z& law, const KeyedRandom& random,
                                                           std::span<double> alpha, ColumnSigns signs, double a) {
  { law.name() } -> std::same_as<std::string>;  // as in the protocol; parsing it gives the law back
  { law.facts() } -> std::same_as<NoiseFacts>;
  law.draw(random, alpha, signs);              // alpha_j from column j; no allocation
  { law.mass(a, a) } -> std::same_as<double>;  // P[low <= alpha <= high] for N = 1, sign +1
};

}  // namespace hannan
