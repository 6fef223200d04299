// What every noise law is: a value that knows its facts and fills a vector alpha from a keyed random.
//
// A law is chosen for one reason, the stability lemma: if ln density is
// 1-Lipschitz in ||.||_p on a support that is invariant under the shifts s of the perturbation matrix,
// one outcome changes the chance of any choice by at most the factor exp(eta ||s||_p).
//
// A draw is where a round's noise comes from: a function of the round, filled into alpha. kFresh draws anew every round
// (safe against adaptive data); kOnce is one draw for all rounds (oblivious data only). Given noise is a list, one draw
// for all or one a round. Laws and draws do not change when they are asked; several threads may ask them at once.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "hannan/core/keyed_random.hpp"

namespace hannan {

// What proofs may rest on.
struct NoiseFacts {
  double p = 0;            // ln density is 1-Lipschitz in this norm; 0: in none, the lemma does not hold
  bool centred = false;    // E alpha = 0
  bool symmetric = false;  // alpha and -alpha have one law
  bool one_sided = false;  // supported on an orthant: allowed only for a sign-consistent hedge vector
  friend bool operator==(const NoiseFacts&, const NoiseFacts&) = default;
};

// The sign (+1 or -1) of the feasible hedge vector s per column; empty means +1 everywhere.
using ColumnSigns = std::span<const int>;

// A law, by name and by its draws; a type of your own may be one.
template <class Z>
concept NoiseLaw = std::equality_comparable<Z> && requires(const Z& law, const KeyedRandom& random,
                                                           std::span<double> alpha, ColumnSigns signs, double a) {
  { law.name() } -> std::same_as<std::string>;  // as in the protocol; parsing it gives the law back
  { law.facts() } -> std::same_as<NoiseFacts>;
  law.draw(random, alpha, signs);              // alpha_j from column j; no allocation
  { law.mass(a, a) } -> std::same_as<double>;  // P[low <= alpha <= high] for N = 1, sign +1
};

// How often noise is drawn: anew in every round (kFresh), or one draw for all (kOnce).
enum class Freshness { kFresh, kOnce };

// The signs that the numbers of a draw may have: kBoth, or kNonNegative for oracles that take no negative weights.
enum class DrawSigns { kBoth, kNonNegative };

// The noise of a round; freshness and signs say what learners may count on.
struct Draw {
  std::function<void(std::uint64_t round, std::span<double> alpha)> fill;  // rounds count from 1
  Freshness freshness = Freshness::kFresh;
  DrawSigns signs = DrawSigns::kBoth;
};

}  // namespace hannan
