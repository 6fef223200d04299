// The noise of a recorded run, drawn again: written from docs/record.md, "How noise is drawn", and sharing no code with
// what drew it (core/keyed_random, noise/). Logarithm, exponential and power are those of core/elementary.hpp: they are
// arithmetic that the description refers to.
//
// A number is a function of (seed, run, purpose, round, column, attempt) alone. Cost: half a Philox block a column, and
// what the law takes.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace hannan::detail {

struct DrawKey {
  std::uint64_t seed = 0;
  std::uint64_t run = 0;
};

// What a number is drawn for, by its code in the description.
enum class DrawPurpose : std::uint8_t {
  kNoise = 0,
  kMonteCarlo = 1,
  kMixture = 2,
  kNoiseSize = 5,
  kCredit = 7,
  kLook = 8,
  kResample = 9,
  kGhost = 10,
  kPortfolio = 11
};

// The random words of one round.
class RoundWords {
 public:
  RoundWords(DrawKey key, DrawPurpose purpose, std::uint64_t round);

  std::uint64_t word(std::uint64_t column, std::uint32_t attempt = 0) const;
  double uniform(std::uint64_t column, std::uint32_t attempt = 0) const { return unit(word(column, attempt)); }
  // out[j] = uniform(j).
  void uniforms(std::span<double> out) const;

  // (b + 1/2) / 2^52 for the upper 52 bits b of a word.
  static double unit(std::uint64_t word) { return (static_cast<double>(word >> 12) + 0.5) / 0x1p52; }

 private:
  std::array<std::uint64_t, 2> block(std::uint64_t pair, std::uint32_t attempt) const;

  std::uint64_t key_;
  std::uint64_t high_;
};

// A law of noise, as a header names it, or as a learner without a named law has it.
class DrawnLaw {
 public:
  // None where there is no law of this name.
  static std::optional<DrawnLaw> named(std::string_view name);
  static DrawnLaw uniform(double most) { return {Kind::kUniform, most}; }          // on (0, most): uniform-gftpl
  static DrawnLaw geometric(double chance) { return {Kind::kGeometric, chance}; }  // weights of fake-data
  static DrawnLaw exponential() { return {Kind::kExponential, 0}; }                // of sign -1: q of fpl

  // What the proofs ask of a law.
  double p() const;  // norm in which its log-density is 1-Lipschitz; 0: none
  bool centred() const;
  bool symmetric() const;

  // `sign` is that of every column, -1 or 1; laws with two sides ignore it.
  void draw(const RoundWords& words, std::span<double> out, int sign = 1) const;

 private:
  enum class Kind { kLaplace, kExponential, kCentredExponential, kLp, kUniform, kGeometric };
  DrawnLaw(Kind kind, double parameter) : kind_(kind), parameter_(parameter) {}
  void draw_lp(const RoundWords& words, std::span<double> out) const;

  Kind kind_;
  double parameter_;
};

}  // namespace hannan::detail
