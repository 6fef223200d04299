#include "hannan/core/elementary.hpp"

#include <gtest/gtest.h>

#include <cfloat>
#include <cmath>
#include <limits>
#include <vector>

#include "hannan/core/exponentials.hpp"
#include "hannan/core/keyed_random.hpp"

namespace hannan::detail {
namespace elementary_test {

// Distance from the truth in units of the last place of the result; the 64-bit significand of long
// double leaves an error of 2^-11 ulp in the reference.
double ulps(double found, long double truth) {
  const double rounded = static_cast<double>(truth);
  const double ulp = std::nextafter(std::abs(rounded), std::numeric_limits<double>::infinity()) - std::abs(rounded);
  return static_cast<double>(std::abs(static_cast<long double>(found) - truth) / ulp);
}

TEST(PortableLog, IsWithinOneUlpOnADenseGridNearOne) {
  double worst = 0;
  for (int i = 1; i <= 200000; ++i) {
    const double x = i * 0x1p-16;  // (0, 3.05], through both ends of the reduced range and through 1
    if (x != 1) worst = std::max(worst, ulps(portable_log(x), std::log(static_cast<long double>(x))));
  }
  EXPECT_LT(worst, 1.0);
}

TEST(PortableLog, IsWithinOneUlpAtRandomArgumentsOfEverySize) {
  const KeyedRandom random({.seed = 1}, Purpose::kTest, 0);
  double worst = 0;
  for (std::uint64_t j = 0; j < 100000; ++j) {
    const int exponent = static_cast<int>(random.below(2 * j, 2090)) - 1070;
    const double x = std::ldexp(0.5 + 0.5 * random.uniform(2 * j + 1), exponent);
    worst = std::max(worst, ulps(portable_log(x), std::log(static_cast<long double>(x))));
  }
  EXPECT_LT(worst, 1.0);
}

TEST(PortableLog, KnowsItsSpecialArguments) {
  EXPECT_EQ(portable_log(1), 0);
  EXPECT_EQ(portable_log(0), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(portable_log(HUGE_VAL), HUGE_VAL);
  EXPECT_TRUE(std::isnan(portable_log(-1)));
  EXPECT_TRUE(std::isnan(portable_log(std::nan(""))));
  EXPECT_NEAR(portable_log(DBL_TRUE_MIN), -1074 * 0.6931471805599453, 1e-12);
}

TEST(PortableExp, IsWithinOneUlpOnADenseGrid) {
  double worst = 0;
  for (int i = -120000; i <= 120000; ++i) {
    const double x = i * (708.0 / 120000);
    worst = std::max(worst, ulps(portable_exp(x), std::exp(static_cast<long double>(x))));
  }
  for (int i = -50000; i <= 50000; ++i) {
    const double x = i * 2e-5;  // [-1, 1], where the noise lives
    worst = std::max(worst, ulps(portable_exp(x), std::exp(static_cast<long double>(x))));
  }
  EXPECT_LT(worst, 1.0);
}

TEST(PortableExp, KnowsItsSpecialArguments) {
  EXPECT_EQ(portable_exp(0), 1);
  EXPECT_EQ(portable_exp(-0.0), 1);
  EXPECT_EQ(portable_exp(-HUGE_VAL), 0);
  EXPECT_EQ(portable_exp(HUGE_VAL), HUGE_VAL);
  EXPECT_EQ(portable_exp(709.79), HUGE_VAL);
  EXPECT_EQ(portable_exp(-746), 0);
  EXPECT_TRUE(std::isnan(portable_exp(std::nan(""))));
  // The largest double is e^709.7827...; -744.4401 is the logarithm of the smallest subnormal.
  EXPECT_NEAR(portable_exp(709.78) / std::exp(709.78), 1, 1e-15);
  EXPECT_EQ(portable_exp(-744.4), DBL_TRUE_MIN);
}

TEST(PortableElementary, KeepsItsGoldenBits) {
  // Recorded once: a change of any bit changes every recorded draw.
  EXPECT_EQ(portable_log(0.1), -0x1.26bb1bbb55515p+1);
  EXPECT_EQ(portable_log(1234.5), 0x1.c79436f818745p+2);
  EXPECT_EQ(portable_exp(-2.3), 0x1.9aa9046ec997cp-4);
  EXPECT_EQ(portable_exp(100.25), 0x1.8c39b9134bac4p+144);
}

TEST(PortableExpAll, GivesTheBitsOfPortableExp) {
  // 1001 numbers over [-690, 690], an odd count so that vectors leave a rest; then with numbers beyond the ends.
  std::vector<double> numbers;
  for (int i = 0; i <= 1000; ++i) numbers.push_back(-690 + 1.38 * i + 1e-3 * std::sin(i));
  // The first ones far below the ends (zero, still in vectors), the others between and above.
  for (const double more : {0.0, -0.0, -1e300, -HUGE_VAL, -745.3, -720.0, -744.4, 709.79}) {
    numbers.push_back(more);
    std::vector<double> found = numbers;
    portable_exp_all(found);
    for (std::size_t i = 0; i < numbers.size(); ++i) EXPECT_EQ(found[i], portable_exp(numbers[i])) << numbers[i];
  }
}

TEST(PortableLogAll, GivesTheBitsOfPortableLog) {
  // Every power of two, its neighbours, sqrt 2 times it and a number between: an odd count, so that vectors leave a
  // rest.
  std::vector<double> numbers{1.0};
  for (int k = -1022; k < 1024; ++k) {
    const double power = std::ldexp(1.0, k);
    for (const double factor : {1.0, 1 + 0x1p-52, 0x1.6a09e667f3bcdp+0, 0x1.6a09e667f3bcep+0,
                                1.0 + 0.4 * std::abs(std::sin(k)), 2 - 0x1p-52}) {
      numbers.push_back(power * factor);
    }
  }
  std::vector<double> found = numbers;
  portable_log_all(found);
  for (std::size_t i = 0; i < numbers.size(); ++i) EXPECT_EQ(found[i], portable_log(numbers[i])) << numbers[i];
}

TEST(PortablePower, AgreesWithLogAndExp) {
  EXPECT_EQ(portable_power(0.3, 1), 0.3);
  EXPECT_EQ(portable_power(0.3, 2), 0.3 * 0.3);
  EXPECT_EQ(portable_power(0, 1.5), 0);
  EXPECT_NEAR(portable_power(8, 1.0 / 3), 2, 1e-15);
  EXPECT_NEAR(portable_power(0.5, 10), 0x1p-10, 1e-17);
}

}  // namespace elementary_test
}  // namespace hannan::detail
