// Uniform noise on [0, B]^N, the law of the classical algorithm (Dudik et al.), kept as a reference.
//
// Its support is not invariant under any shift, so one outcome may take a choice from probability 1/8
// to 0 (Lemma 1, case 1): the stability lemma fails and no small-loss bound follows.
// Cost: half a Philox block per column.
#pragma once

#include <array>

#include "hannan/core/noise.hpp"

namespace hannan::detail {

struct Uniform {
  static constexpr std::string_view kForm = "uniform:B";
  static constexpr std::array<std::string_view, 1> kExamples = {"uniform:1"};
  // Throws unless the text is a finite B > 0.
  static Uniform parse(std::string_view text, std::string_view at);

  double bound = 1;  // B > 0

  std::string name() const;  // "uniform:B", the shortest decimal that reads back as B
  NoiseFacts facts() const { return {}; }
  void draw(const KeyedRandom& random, std::span<double> alpha, ColumnSigns signs = {}) const;
  double mass(double low, double high) const;
  friend bool operator==(const Uniform&, const Uniform&) = default;
};

static_assert(NoiseLaw<Uniform>);

}  // namespace hannan::detail
