// Counter layout, fixed by docs/record.md: low = pair + attempt 2^40, high = round + purpose 2^56. Two draws share a
// counter only if all of (purpose, round, pair, attempt) agree, as long as a pair is below 2^40, an attempt below 2^24
// and a round below 2^56. 2^41 columns do not fit into a memory, and 2^21 t + i, which stands for a round in the draws
// of credits, is below 2^56 for t < 2^35.
#include "hannan/verify/noise_draws.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "hannan/core/elementary.hpp"
#include "hannan/core/exponentials.hpp"

namespace hannan::detail {
namespace {

constexpr double kNoLimit = std::numeric_limits<double>::infinity();

// The finisher of SplitMix64: a bijection, so that different seeds give different keys at run 0.
std::uint64_t scramble(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

struct Lanes {
  std::uint32_t v[4];
};

// Philox4x32 with ten rounds.
// Constants are those of Salmon, Moraes, Dror and Shaw (2011).
Lanes philox(Lanes c, std::uint64_t key) {
  auto k0 = static_cast<std::uint32_t>(key);
  auto k1 = static_cast<std::uint32_t>(key >> 32);
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = std::uint64_t{0xD2511F53U} * c.v[0];
    const std::uint64_t b = std::uint64_t{0xCD9E8D57U} * c.v[2];
    c = {{static_cast<std::uint32_t>(b >> 32) ^ c.v[1] ^ k0, static_cast<std::uint32_t>(b),
          static_cast<std::uint32_t>(a >> 32) ^ c.v[3] ^ k1, static_cast<std::uint32_t>(a)}};
    k0 += 0x9E3779B9U;
    k1 += 0xBB67AE85U;
  }
  return c;
}

// A number that fills the rest of the name; none for anything else.
std::optional<double> number_after(std::string_view name, std::string_view prefix) {
  if (!name.starts_with(prefix)) return std::nullopt;
  const char* end = name.data() + name.size();
  double value = 0;
  const auto [stop, error] = std::from_chars(name.data() + prefix.size(), end, value);
  if (error != std::errc{} || stop != end || !std::isfinite(value)) return std::nullopt;
  return value;
}

// Density proportional to exp(-v^p), from the attempts 1, 2, ... of the column.
// By rejection. The envelope is 1 up to flat = 1 - 1/p and exp(-p (v - flat)) from there, both above exp(-v^p) by
// convexity of v^p at v = 1; its mass is flat + 1/p = 1, so that u itself tells the part. A draw is kept with chance
// exp(tail - v^p), which in the mean is Gamma(1 + 1/p) > 0.88: loops are short.
double magnitude(const RoundWords& words, std::uint64_t column, double p) {
  if (p == kNoLimit) return words.uniform(column, 1);
  const double flat = 1 - 1 / p;
  for (std::uint32_t attempt = 1;; attempt += 2) {
    const double u = words.uniform(column, attempt);
    double v = u, tail = 0;
    if (u >= flat) {
      tail = std::max(0.0, -portable_log(p * (1 - u)));
      v = flat + tail / p;
    }
    if (p == 1 || -portable_log(words.uniform(column, attempt + 1)) >= portable_power(v, p) - tail) return v;
  }
}

}  // namespace

RoundWords::RoundWords(DrawKey key, DrawPurpose purpose, std::uint64_t round)
    : key_(scramble(scramble(key.seed) + key.run)),
      high_(round | std::uint64_t{static_cast<std::uint8_t>(purpose)} << 56) {}

std::array<std::uint64_t, 2> RoundWords::block(std::uint64_t pair, std::uint32_t attempt) const {
  const std::uint64_t low = pair | std::uint64_t{attempt} << 40;
  const Lanes out = philox({{static_cast<std::uint32_t>(low), static_cast<std::uint32_t>(low >> 32),
                             static_cast<std::uint32_t>(high_), static_cast<std::uint32_t>(high_ >> 32)}},
                           key_);
  return {out.v[0] | std::uint64_t{out.v[1]} << 32, out.v[2] | std::uint64_t{out.v[3]} << 32};
}

std::uint64_t RoundWords::word(std::uint64_t column, std::uint32_t attempt) const {
  return block(column / 2, attempt)[column % 2];
}

void RoundWords::uniforms(std::span<double> out) const {
  for (std::size_t j = 0; j < out.size(); j += 2) {
    const auto pair = block(j / 2, 0);
    out[j] = unit(pair[0]);
    if (j + 1 < out.size()) out[j + 1] = unit(pair[1]);
  }
}

std::optional<DrawnLaw> DrawnLaw::named(std::string_view name) {
  if (name == "laplace") return DrawnLaw(Kind::kLaplace, 0);
  if (name == "exponential") return DrawnLaw(Kind::kExponential, 0);
  if (name == "exponential-centred") return DrawnLaw(Kind::kCentredExponential, 0);
  if (name == "lp:inf") return DrawnLaw(Kind::kLp, kNoLimit);
  if (const auto p = number_after(name, "lp:"); p && *p >= 1) return DrawnLaw(Kind::kLp, *p);
  if (const auto most = number_after(name, "uniform:"); most && *most > 0) return DrawnLaw(Kind::kUniform, *most);
  return std::nullopt;
}

double DrawnLaw::p() const {
  switch (kind_) {
    case Kind::kLaplace:
    case Kind::kExponential:
    case Kind::kCentredExponential:
      return 1;
    case Kind::kLp:
      return parameter_;
    case Kind::kUniform:
    case Kind::kGeometric:
      break;
  }
  return 0;
}
bool DrawnLaw::symmetric() const { return kind_ == Kind::kLaplace || kind_ == Kind::kLp; }
bool DrawnLaw::centred() const { return symmetric() || kind_ == Kind::kCentredExponential; }

// The direction is that of independent numbers with density exp(-|v|^p); the length ||alpha||_p has the Gamma(N,1) law,
// a sum of N exponentials. Powers are taken of v/largest, which is in [0,1], so that no power overflows. Column j takes
// the sign from the lowest bit of its word, and the number of the radius from the upper 52: they are independent.
void DrawnLaw::draw_lp(const RoundWords& words, std::span<double> out) const {
  double radius = 0, largest = 0;
  for (std::size_t j = 0; j < out.size(); ++j) {
    const std::uint64_t word = words.word(j);
    radius -= portable_log(RoundWords::unit(word));
    const double v = magnitude(words, j, parameter_);
    largest = std::max(largest, v);
    out[j] = word % 2 == 1 ? -v : v;
  }
  double norm = largest;
  if (parameter_ != kNoLimit && largest > 0) {
    double sum = 0;
    for (const double v : out) sum += portable_power(std::abs(v) / largest, parameter_);
    norm = largest * portable_power(sum, 1 / parameter_);
  }
  const double factor = radius / norm;
  for (double& v : out) v *= factor;
}

void DrawnLaw::draw(const RoundWords& words, std::span<double> out, int sign) const {
  if (out.empty()) return;
  if (kind_ == Kind::kLp) return draw_lp(words, out);
  words.uniforms(out);
  switch (kind_) {
    case Kind::kLaplace: {
      // In parts of 256, so that the signs stay on the stack while the logarithms of a whole part are taken at once.
      // 256 is chosen: long enough for vector units, short enough for the first cache.
      std::array<bool, 256> upper{};
      for (std::size_t start = 0; start < out.size(); start += upper.size()) {
        const auto part = out.subspan(start, std::min(upper.size(), out.size() - start));
        for (std::size_t j = 0; j < part.size(); ++j) {
          upper[j] = part[j] > 0.5;
          part[j] = 2 * (upper[j] ? 1 - part[j] : part[j]);
        }
        portable_log_all(part);
        for (std::size_t j = 0; j < part.size(); ++j) part[j] = upper[j] ? -part[j] : part[j];
      }
      break;
    }
    case Kind::kExponential:
    case Kind::kCentredExponential: {
      const double centre = kind_ == Kind::kExponential ? 0 : 1;
      for (double& u : out) u = sign * (centre + portable_log(1 - u));
      break;
    }
    case Kind::kUniform:
      for (double& u : out) u *= parameter_;
      break;
    case Kind::kGeometric: {
      const double rate = parameter_ < 1 ? portable_log(1 - parameter_) : 0;
      for (double& u : out) u = rate < 0 ? std::floor(portable_log(u) / rate) : 0.0;
      break;
    }
    case Kind::kLp:
      break;
  }
}

}  // namespace hannan::detail
