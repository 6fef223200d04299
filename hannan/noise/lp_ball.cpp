// Noise of an l_p norm: radius times direction (lp_ball.hpp has the law, the envelope and the acceptance rate). Attempt
// 0 of a column gives its share of the radius and its sign, attempts 2i - 1 and 2i the i-th proposal and its test, so
// columns and tries never share bits.
#include "hannan/noise/lp_ball.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <limits>

#include "hannan/core/elementary.hpp"
#include "hannan/core/error.hpp"
#include "hannan/noise/laplace.hpp"
#include "hannan/noise/parameter.hpp"

namespace hannan::detail {
namespace {

constexpr double kInfiniteNorm = std::numeric_limits<double>::infinity();

double norm(std::span<const double> v, double p) {
  double largest = 0;
  for (double x : v) largest = std::max(largest, std::abs(x));
  if (p == kInfiniteNorm || largest == 0) return largest;
  // Relative to the largest, every power is in [0,1]: nothing overflows for any p.
  double sum = 0;
  for (double x : v) sum += portable_power(std::abs(x) / largest, p);
  return largest * portable_power(sum, 1 / p);
}

void scale_to_norm(std::span<double> v, double radius, double p) {
  const double factor = radius / norm(v, p);
  for (double& x : v) x *= factor;
}

// -ln of a uniform number: Exp(1).
double exponential(const KeyedRandom& random, std::uint64_t column, std::uint32_t attempt) {
  return -portable_log(random.uniform(column, attempt));
}

}  // namespace

double draw_magnitude(const KeyedRandom& random, std::uint64_t column, double p) {
  assert(p >= 1);
  if (p == kInfiniteNorm) return random.uniform(column, 1);
  const double flat = 1 - 1 / p;
  for (std::uint32_t attempt = 1;; attempt += 2) {
    const double u = random.uniform(column, attempt);
    // Below `flat` u is the proposal itself; above it, p(1-u) is uniform on (0,1) again.
    const double tail = u < flat ? 0 : std::max(0.0, -portable_log(p * (1 - u)));
    const double v = u < flat ? u : flat + tail / p;
    if (p == 1) return v;  // the envelope is the law; rounding must not reject
    // Accepted with probability exp(-v^p) / envelope(v) = exp(-(v^p - tail)), by an Exp(1) variable.
    if (exponential(random, column, attempt + 1) >= portable_power(v, p) - tail) return v;
  }
}

void lp_from_parts(const LpParts& parts, std::span<double> alpha) {
  assert(parts.gammas.size() == alpha.size() && parts.signs.size() == alpha.size());
  for (std::size_t j = 0; j < alpha.size(); ++j) {
    const double g = parts.gammas[j];
    alpha[j] = parts.signs[j] * (parts.p == kInfiniteNorm ? g : portable_power(g, 1 / parts.p));
  }
  scale_to_norm(alpha, parts.radius, parts.p);
}

LpBall LpBall::parse(std::string_view text, std::string_view at) {
  if (text == "inf") return {std::numeric_limits<double>::infinity()};
  const double p = noise_parameter(text, kForm, at);
  if (p < 1)
    throw Error(Code::kOutOfRange, fmt::format("noise {}: found P = {}, expected P >= 1 or \"inf\"", kForm, text),
                std::string(at));
  return {p};
}

std::string LpBall::name() const { return fmt::format("lp:{}", p); }

void LpBall::draw(const KeyedRandom& random, std::span<double> alpha, ColumnSigns) const {
  double radius = 0;
  for (std::size_t j = 0; j < alpha.size(); ++j) {
    // The uniform number takes the top 52 bits, so the lowest bit is a coin independent of it.
    const std::uint64_t bits = random.bits(j);
    radius -= portable_log(unit_from_bits(bits));
    const double v = draw_magnitude(random, j, p);
    alpha[j] = (bits & 1) != 0 ? -v : v;
  }
  if (!alpha.empty()) scale_to_norm(alpha, radius, p);
}

// One dimension has one norm, |a|, whatever p.
double LpBall::mass(double low, double high) const { return laplace_mass(low, high); }

}  // namespace hannan::detail
