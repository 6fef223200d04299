// Noise with density proportional to exp(-||a||_p) on R^N, p in [1, inf].
//
//   alpha = R u,  R ~ Gamma(N, 1),  u_j = sign_j v_j / ||v||_p,  signs fair,
//   v_j independent with density exp(-v^p) / Gamma(1 + 1/p) on v > 0   (v_j^p ~ Gamma(1/p, 1);
//   for p = inf: v_j uniform on [0,1]).
//
// R is the norm, u a direction on the cone measure of the l_p sphere, and they are independent: the
// l_p extension of Theorem 1. For p = 1 the law is that of N independent Laplace variables, and for
// N = 1 it is the Laplace law whatever p.
//
// R is a sum of N exponentials. v is drawn by rejection under the tangent at v = 1: since
// v^p >= 1 + p(v-1), exp(-v^p) <= min{1, exp(-1 - p(v-1))}, an envelope of total mass exactly 1, flat
// up to 1 - 1/p and exponential beyond. It accepts with probability Gamma(1 + 1/p) >= 0.885, and
// always for p = 1 and p = inf, where it is the law itself.
// Cost per column: 1.13 tries of two Philox blocks, and about four logarithms and exponentials.
#pragma once

#include <array>
#include <cstdint>

#include "hannan/core/noise.hpp"

namespace hannan::detail {

// Density proportional to exp(-v^p), v > 0, from attempts 1, 2, 3, ... of this column (attempt 0 is
// the column's share of the radius, and its sign).
double draw_magnitude(const KeyedRandom& random, std::uint64_t column, double p);

// Given the pieces, the noise: alpha_j = radius * signs_j * v_j / ||v||_p with v_j = gammas_j^(1/p), and
// v_j = gammas_j for p = inf. Requires gammas >= 0, not all 0, and three spans of one size.
struct LpParts {
  double radius;
  std::span<const double> gammas;
  std::span<const double> signs;
  double p;
};
void lp_from_parts(const LpParts& parts, std::span<double> alpha);

struct LpBall {
  static constexpr std::string_view kForm = "lp:P";
  static constexpr std::array<std::string_view, 2> kExamples = {"lp:2", "lp:inf"};
  // Throws unless the text is a real P >= 1 or "inf".
  static LpBall parse(std::string_view text, std::string_view at);

  double p = 1;

  std::string name() const;  // "lp:P" or "lp:inf"
  NoiseFacts facts() const { return {.p = p, .centred = true, .symmetric = true}; }
  void draw(const KeyedRandom& random, std::span<double> alpha, ColumnSigns signs = {}) const;
  double mass(double low, double high) const;
  friend bool operator==(const LpBall&, const LpBall&) = default;
};

static_assert(NoiseLaw<LpBall>);

}  // namespace hannan::detail
