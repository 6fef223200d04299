// exp, log and power with the same bits on every machine: only +, -, *, / and conversions are used, each correctly
// rounded by IEEE 754, in a fixed order and never fused. log: x = 2^k m with m in (sqrt(1/2), sqrt 2], ln m = 2 atanh s
// with s = (m-1)/(m+1). exp: x = k ln 2 + r with |r| <= ln(2)/2, a Taylor sum of 13 terms, times 2^k. The error is
// below one unit in the last place; elementary_test.cpp holds both against long double. The forms for many numbers give
// the bits of the single ones, which the test demands, and cost a few nanoseconds a number where they become vectors.
#include "hannan/core/elementary.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "hannan/core/exponentials.hpp"
#include "hannan/core/widest_vectors.hpp"

#ifdef __aarch64__
#include <arm_neon.h>
#endif

namespace hannan::detail {
namespace {

// Intermediate results in a wider format would make the bits depend on the machine.
static_assert(FLT_EVAL_METHOD == 0);
static_assert(std::numeric_limits<double>::is_iec559);

// ln 2 in two parts (Cody and Waite): the first is ln 2 rounded to 41 bits, so that k times it is exact
// for |k| < 2^12; the second is the rest, rounded to double.
constexpr double kLn2High = 0x1.62e42fefa4000p-1;
constexpr double kLn2Low = -0x1.8432a1b0e2634p-43;
constexpr double kInverseLn2 = 0x1.71547652b82fep+0;

constexpr double kSqrt2 = 0x1.6a09e667f3bcdp+0;
constexpr double kOverflow = std::numeric_limits<double>::infinity();
constexpr std::uint64_t kFractionMask = (std::uint64_t{1} << 52) - 1;
constexpr std::uint64_t kOneBits = std::uint64_t{1023} << 52;

// 2/3, 2/5, ..., 2/23, the coefficients of 2 atanh(s)/s - 2 in powers of s^2.
constexpr auto kAtanh = [] {
  std::array<double, 11> c{};
  for (int i = 0; i < 11; ++i) c[i] = 2.0 / (2 * i + 3);
  return c;
}();

// 1/2!, 1/3!, ..., 1/13!, each one rounding away from exact: 13! < 2^53.
constexpr auto kInverseFactorial = [] {
  std::array<double, 12> c{};
  double factorial = 1;
  for (int i = 0; i < 12; ++i) c[i] = 1 / (factorial *= i + 2);
  return c;
}();

constexpr double kNothing = -745.2;  // ln of half the smallest subnormal is -745.13

// 2^k for -1022 <= k <= 1023.
double power_of_two(int k) { return std::bit_cast<double>(static_cast<std::uint64_t>(1023 + k) << 52); }

}  // namespace

double portable_log(double x) {
  if (!(x > 0)) return x == 0 ? -kOverflow : std::numeric_limits<double>::quiet_NaN();
  if (x == kOverflow) return x;
  int k = 0;
  if (x < DBL_MIN) {  // subnormal: bring the leading bit to its usual place
    x *= 0x1p54;
    k = -54;
  }
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(x);
  k += static_cast<int>(bits >> 52) - 1023;
  double m = std::bit_cast<double>((bits & kFractionMask) | kOneBits);
  if (m > kSqrt2) {  // keeps |s| below 0.1716
    m *= 0.5;
    ++k;
  }
  const double f = m - 1;  // exact
  const double s = f / (2 + f);
  const double z = s * s;
  // tail = 2 (z/3 + z^2/5 + ... + z^11/23); the next term is below 0.0295^12 / 12 < 2^-64.
  double tail = 0;
  for (int i = 10; i >= 0; --i) tail = z * (kAtanh[i] + tail);
  // 2 atanh s = 2s + s tail, and 2s = f - f^2/2 + s f^2/2 because s (2 + f) = f: the rounded quotient s
  // then enters only through terms of second order, and f itself is exact.
  const double half_square = 0.5 * f * f;
  const double correction = s * (half_square + tail) + k * kLn2Low;
  return k * kLn2High + (f - (half_square - correction));
}

double portable_exp(double x) {
  if (x != x) return x;
  if (x > 709.79) return kOverflow;  // ln of the largest double is 709.7827
  if (x < kNothing) return 0;
  const int k = static_cast<int>(x * kInverseLn2 + (x < 0 ? -0.5 : 0.5));
  const double high = x - k * kLn2High;  // exact: equal, or within a factor of two (Sterbenz)
  const double low = k * kLn2Low;
  const double r = high - low;
  // sum = 1/2! + r/3! + ... + r^11/13!; the next term is below 0.3466^14 / 14! < 2^-57.
  double sum = 0;
  for (int i = 11; i >= 0; --i) sum = kInverseFactorial[i] + r * sum;
  const double result = 1 + (high - (low - r * r * sum));
  // Two exact factors reach the ends of the range, with one rounding when the result is subnormal.
  const int half = k / 2;
  return result * power_of_two(half) * power_of_two(k - half);
}

namespace {

// Chosen well below 709.7, from where on the result is infinite.
constexpr double kEnds = 700;
constexpr std::size_t kExpBlock = 64;

// Numbers whose sums are computed side by side: each step of one sum waits for the step before, about five cycles of
// latency against half a cycle of work, so that eight pairs keep a vector unit busy.
constexpr std::size_t kAbreast = 16;
static_assert(kExpBlock % kAbreast == 0);

// Numbers below kNothing are taken as this one, whose result rounds to 0 as theirs does.
constexpr double kNothingToo = -746;

// What the sums are computed of, and how many of their steps are written out. On ARM pairs: of single numbers g++ 12
// makes pairs too, and loads each constant once for every pair. Elsewhere single numbers, which become vectors of the
// width that the machine has.
#ifdef __aarch64__
using Lanes [[gnu::vector_size(16)]] = double;
using LaneBits [[gnu::vector_size(16)]] = std::uint64_t;
constexpr int kWrittenOut = 1;
inline Lanes whole_part(Lanes x) { return vrndq_f64(x); }
inline Lanes not_too_low(Lanes x) { return vmaxnmq_f64(x, Lanes{kNothingToo, kNothingToo}); }
#else
using Lanes = double;
using LaneBits = std::uint64_t;
constexpr int kWrittenOut = 11;
// Of numbers below 2^31; no sign of zero counts below. Few vector units turn doubles into 64 bits.
inline Lanes whole_part(Lanes x) { return static_cast<double>(static_cast<std::int32_t>(x)); }
// By bits: a choice between two numbers would keep g++ from making vectors.
inline Lanes not_too_low(Lanes x) {
  const LaneBits alive = LaneBits{0} - static_cast<LaneBits>(x >= kNothing);
  return std::bit_cast<double>((std::bit_cast<LaneBits>(x) & alive) | (std::bit_cast<LaneBits>(kNothingToo) & ~alive));
}
#endif
constexpr std::size_t kEach = sizeof(Lanes) / sizeof(double), kVectors = kAbreast / kEach;

// 1/12!, 1/11!, ..., 1/2!: the steps of the sum that begins with 1/13!.
constexpr auto kSumSteps = [] {
  std::array<double, 11> c{};
  for (std::size_t i = 0; i < c.size(); ++i) c[i] = kInverseFactorial[c.size() - 1 - i];
  return c;
}();

// Of at most kExpBlock numbers, none above kEnds, none no number; there is no case to tell apart. Exact steps are exact
// in any form, so the bits are those of portable_exp: two factors reach the least numbers, and the exponent 1023 + k
// stands in the last bits of 2^52 + 1023 + k.
HANNAN_WIDEST_VECTORS void exp_below_the_end(std::span<double> numbers) {
  constexpr std::uint64_t kHalf = std::bit_cast<std::uint64_t>(0.5), kSign = std::uint64_t{1} << 63;
  constexpr double kShift = 0x1p52 + 1023;
  alignas(64) double all[kExpBlock];
  const std::size_t size = numbers.size();
  std::copy(numbers.begin(), numbers.end(), all);
  for (std::size_t i = size; i % kAbreast != 0; ++i) all[i] = 0;
  for (std::size_t i = 0; i < size; i += kAbreast) {
    Lanes k[kVectors], high[kVectors], low[kVectors], r[kVectors], sum[kVectors];
#pragma GCC unroll 16
    for (std::size_t j = 0; j < kVectors; ++j) {
      Lanes x;
      std::memcpy(&x, all + i + j * kEach, sizeof x);
      x = not_too_low(x);
      k[j] = whole_part(x * kInverseLn2 + std::bit_cast<Lanes>(kHalf | (std::bit_cast<LaneBits>(x) & kSign)));
      high[j] = x - k[j] * kLn2High;
      low[j] = k[j] * kLn2Low;
      r[j] = high[j] - low[j];
      sum[j] = Lanes{} + kInverseFactorial[11];
    }
#pragma GCC unroll kWrittenOut
    for (std::size_t n = 0; n < kSumSteps.size(); ++n) {
#pragma GCC unroll 16
      for (std::size_t j = 0; j < kVectors; ++j) sum[j] = kSumSteps[n] + r[j] * sum[j];
    }
#pragma GCC unroll 16
    for (std::size_t j = 0; j < kVectors; ++j) {
      const Lanes result = 1.0 + (high[j] - (low[j] - r[j] * r[j] * sum[j])), first = whole_part(k[j] * 0.5);
      const Lanes made = result * std::bit_cast<Lanes>(std::bit_cast<LaneBits>(first + kShift) << 52) *
                         std::bit_cast<Lanes>(std::bit_cast<LaneBits>(k[j] - first + kShift) << 52);
      std::memcpy(all + i + j * kEach, &made, sizeof made);
    }
  }
  std::copy_n(all, size, numbers.begin());
}

// Counted, not searched, so that it becomes vectors.
bool all_below_the_end(std::span<const double> numbers) {
  std::uint64_t below = 0;
  for (const double x : numbers) below += static_cast<std::uint64_t>(x <= kEnds);
  return below == numbers.size();
}

}  // namespace

void portable_exp_of_bounded(std::span<double> numbers) {
  for (; numbers.size() > kExpBlock; numbers = numbers.subspan(kExpBlock)) exp_below_the_end(numbers.first(kExpBlock));
  exp_below_the_end(numbers);
}

void portable_exp_all(std::span<double> numbers) {
  if (all_below_the_end(numbers)) return portable_exp_of_bounded(numbers);
  for (double& x : numbers) x = portable_exp(x);
}

// portable_log without its cases, and with whole numbers deciding which half of [1,2) a number is in: a comparison of
// doubles would keep the compiler from using vectors. The exponent becomes a double by the bits of 2^52 + e.
HANNAN_WIDEST_VECTORS void portable_log_all(std::span<double> numbers) {
  constexpr std::uint64_t kTwo52 = std::uint64_t{1075} << 52;
  constexpr std::uint64_t kSqrt2Fraction = std::bit_cast<std::uint64_t>(kSqrt2) & kFractionMask;
  for (double& x : numbers) {
    const std::uint64_t bits = std::bit_cast<std::uint64_t>(x);
    const std::uint64_t fraction = bits & kFractionMask;
    // Both are below 2^52, so that the difference wraps, and has its top bit set, exactly where the fraction is the
    // larger.
    const std::uint64_t upper = (kSqrt2Fraction - fraction) >> 63;  // 1 above sqrt 2
    const double k = std::bit_cast<double>(((bits >> 52) + upper) | kTwo52) - (0x1p52 + 1023);
    const double f = std::bit_cast<double>(fraction | (kOneBits - (upper << 52))) - 1;
    const double s = f / (2 + f);
    const double z = s * s;
    double tail = 0;
    for (int i = 10; i >= 0; --i) tail = z * (kAtanh[static_cast<std::size_t>(i)] + tail);
    const double half_square = 0.5 * f * f;
    const double correction = s * (half_square + tail) + k * kLn2Low;
    x = k * kLn2High + (f - (half_square - correction));
  }
}

double portable_power(double x, double y) {
  if (y == 1) return x;
  if (y == 2) return x * x;
  if (x == 0) return 0;
  return portable_exp(y * portable_log(x));
}

}  // namespace hannan::detail
