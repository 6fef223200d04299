#include "hannan/core/long_sums.hpp"

#include <gtest/gtest.h>

#include "hannan/core/sum.hpp"

namespace hannan::detail {
namespace long_sums_test {

TEST(LongSums, KeepWhatAPlainSumForgets) {
  LongSums sums(2);
  double plain = 0;
  sums.add([](std::span<double> terms) { terms[0] = 1e9; });
  plain += 1e9;
  for (int i = 0; i < 1'000'000; ++i) {
    sums.add([](std::span<double> terms) { terms[0] += 0.1, terms[1] -= 0.1; });
    plain += 0.1;
  }
  // 0.1 is 0.1 + 5.55e-18 in binary: the true sums are 1e9 + 1e5 + 5.6e-12 and -(1e5 + 5.6e-12), which round to these.
  EXPECT_EQ(sums[0], 1e9 + 1e5);
  EXPECT_EQ(sums[1], -1e5);
  EXPECT_NE(plain, 1e9 + 1e5);
}

TEST(LongSums, CancelToNothingLeft) {
  LongSums sums(1);
  for (const double term : {1e16, 1.0, -1e16, -1.0}) sums.add([&](std::span<double> terms) { terms[0] = term; });
  EXPECT_EQ(sums[0], 0.0);
}

TEST(LongSums, DoNotDependOnTheOrderOfManyTerms) {
  LongSums forth(1), back(1);
  for (int i = 1; i <= 10'000; ++i) {
    forth.add([&](std::span<double> terms) { terms[0] = 1.0 / i; });
    back.add([&](std::span<double> terms) { terms[0] = 1.0 / (10'001 - i); });
  }
  EXPECT_EQ(forth[0], back[0]);
}

TEST(CarriedSum, AgreesWithTheSumsOfAHistoryToTheLastBit) {
  LongSums sums(1);
  CarriedSum one;
  double plain = 0;
  for (int i = 0; i < 1'000'000; ++i) {
    const double term = 0.1 + 0.8 * (i % 3);
    sums.add_one(0, term);
    one.add(term);
    plain += term;
  }
  EXPECT_EQ(one.value(), sums[0]);
  EXPECT_NE(one.value(), plain);
}

}  // namespace long_sums_test
}  // namespace hannan::detail
