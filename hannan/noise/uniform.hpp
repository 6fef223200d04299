// Uniform noise on [0, B]^N, the law of the classical algorithm (Dudik et al.), kept as a yardstick.
//
// Its support is not invariant under any shift, so one outcome may take a choice from probability 1/8
// to 0 (Lemma 1, case 1): the stability lemma fails and no small-loss bound follows.
// Cost: half a Philox block per column.
#pragma once

#include "hannan/core/noise.hpp"

namespace hannan {

struct Uniform {
  double bound = 1;  // B > 0

  std::string name() const;  // "uniform:B", the shortest decimal that reads back as B
  NoiseFacts facts() const { return {}; }
  void draw(const KeyedRandom& random, std::span<double> alpha, ColumnSigns signs = {}) const;
  double mass(double low, double high) const;
  friend bool operator==(const Uniform&, const Uniform&) = default;
};

static_assert(NoiseLaw<Uniform>);

}  // namespace hannan
