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
#include <cstdint>
#include <limits>

#include "hannan/core/exponentials.hpp"
#include "hannan/core/widest_vectors.hpp"

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
constexpr double kInfinity = std::numeric_limits<double>::infinity();
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
  if (!(x > 0)) return x == 0 ? -kInfinity : std::numeric_limits<double>::quiet_NaN();
  if (x == kInfinity) return x;
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
  if (x > 709.79) return kInfinity;  // ln of the largest double is 709.7827
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

// Chosen well inside [-708.4, 709.7], where results are normal numbers: |k| <= 1010 there, so that 1023 + k is an
// exponent.
constexpr double kEnds = 700;
constexpr std::size_t kExpBlock = 64;

// Between -kEnds and kEnds the result is a normal number, one power of two is enough, and there is no case to tell
// apart: the compiler makes vectors of it. Exact steps are exact in any form, so the bits are those of portable_exp.
// Whole numbers of 32 bits, because few vector units turn doubles into 64.
HANNAN_WIDEST_VECTORS void exp_between_the_ends(std::span<double> numbers) {
  for (double& x : numbers) {
    const auto k = static_cast<std::int32_t>(x * kInverseLn2 + (x < 0 ? -0.5 : 0.5));
    const auto turns = static_cast<double>(k);
    const double high = x - turns * kLn2High;
    const double low = turns * kLn2Low;
    const double r = high - low;
    double sum = 0;
    for (int i = 11; i >= 0; --i) sum = kInverseFactorial[static_cast<std::size_t>(i)] + r * sum;
    const double result = 1 + (high - (low - r * r * sum));
    x = result * std::bit_cast<double>(std::uint64_t{static_cast<std::uint32_t>(1023 + k)} << 52);
  }
}

// Counted, not searched, so that it becomes vectors.
bool all_between_the_ends(std::span<const double> numbers) {
  std::uint64_t between = 0;
  for (const double x : numbers)
    between += static_cast<std::uint64_t>(x >= -kEnds) & static_cast<std::uint64_t>(x <= kEnds);
  return between == numbers.size();
}

}  // namespace

// Block by block: those with a result (the others are weights of experts far behind, often nearly all) are moved
// together, computed in vectors, and moved back.
void portable_exp_all(std::span<double> numbers) {
  double block[kExpBlock];
  std::uint8_t place[kExpBlock];
  while (!numbers.empty()) {
    const std::size_t size = std::min(kExpBlock, numbers.size());
    if (all_between_the_ends(numbers.first(size))) {
      exp_between_the_ends(numbers.first(size));
      numbers = numbers.subspan(size);
      continue;
    }
    // Written at `alive`, counted only if it is one: alive <= i < kExpBlock, so the place exists, and a dead number is
    // overwritten by the next one. Whatever is neither alive nor nothing is near the ends, infinite or NaN.
    std::size_t alive = 0, nothing = 0;
    for (std::size_t i = 0; i < size; ++i) {
      const double x = numbers[i];
      block[alive] = x;
      place[alive] = static_cast<std::uint8_t>(i);
      alive += x >= -kEnds && x <= kEnds ? 1U : 0U;
      nothing += x < kNothing ? 1U : 0U;
    }
    if (alive + nothing < size) {  // near the ends of the range, or no number: one by one
      for (std::size_t i = 0; i < size; ++i) numbers[i] = portable_exp(numbers[i]);
    } else {
      exp_between_the_ends({block, alive});
      if (nothing > 0) std::fill_n(numbers.begin(), size, 0.0);
      for (std::size_t j = 0; j < alive; ++j) numbers[place[j]] = block[j];
    }
    numbers = numbers.subspan(size);
  }
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
