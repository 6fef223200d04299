// Any of the noise laws, as one value: what a learner holds and what the protocol names.
//
//   "laplace"  "exponential"  "exponential-centred"  "lp:P" (real P >= 1, or "inf")  "uniform:B" (B > 0)
//
// Adding a law: its header, its source and test, one line in the variant, one in the parser.
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "hannan/core/noise.hpp"
#include "hannan/noise/exponential.hpp"
#include "hannan/noise/laplace.hpp"
#include "hannan/noise/lp_ball.hpp"
#include "hannan/noise/uniform.hpp"

namespace hannan {

class Noise {
 public:
  using Law = std::variant<Laplace, Exponential, CentredExponential, LpBall, Uniform>;

  Noise() = default;  // Laplace, the default of every learner that takes a noise
  Noise(Law law) : law_(law) {}

  // Throws kUnknownName, kNotANumber or kOutOfRange at `at`.
  static Noise parse(std::string_view name, std::string_view at);

  std::string name() const;
  NoiseFacts facts() const;
  const Law& law() const { return law_; }

  // Fills alpha; one-sided laws need the sign of the hedge vector per column, others ignore it.
  void draw(const KeyedRandom& random, std::span<double> alpha, ColumnSigns signs = {}) const;

  // P[low <= alpha <= high] for one column, sign +1.
  double mass(double low, double high) const;

  friend bool operator==(const Noise&, const Noise&) = default;

 private:
  Law law_;
};

static_assert(NoiseLaw<Noise>);

}  // namespace hannan
