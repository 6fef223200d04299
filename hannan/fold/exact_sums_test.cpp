#include "hannan/fold/exact_sums.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "hannan/core/keyed_random.hpp"
#include "hannan/core/long_sums.hpp"

namespace hannan::detail {
namespace exact_sums_test {

using Numbers = std::vector<double>;

ExactSum sum_of(const Numbers& terms) {
  ExactSum sum;
  for (const double term : terms) sum.add(term);
  return sum;
}

TEST(ExactSum, KeepsWhatADoubleCannotHold) {
  EXPECT_EQ(sum_of({1e100, 1, -1e100}).rounded(), 1);
  EXPECT_EQ(sum_of({1, 0x1p-60, 0x1p-300}).written(), (Numbers{1, 0x1p-60, 0x1p-300}));
  EXPECT_EQ(sum_of({0.1, 0.2, -0.1, -0.2}).written(), Numbers{});
  EXPECT_EQ(sum_of({0x1p-1074, 0x1p900, -0x1p900}).rounded(), 0x1p-1074);
}

// Half of the last bit goes to the even neighbour, unless the rest below it says which one is nearer.
TEST(ExactSum, RoundsToTheNearestAndTiesToEven) {
  constexpr double kHalf = 0x1p-53, kBit = 0x1p-52;
  EXPECT_EQ(sum_of({1, kHalf}).rounded(), 1);
  EXPECT_EQ(sum_of({1 + kBit, kHalf}).rounded(), 1 + 2 * kBit);
  EXPECT_EQ(sum_of({1, kHalf, 0x1p-200}).rounded(), 1 + kBit);
  EXPECT_EQ(sum_of({1, kHalf, -0x1p-200}).rounded(), 1);
  EXPECT_EQ(sum_of({1 + kBit, kHalf, -0x1p-200}).rounded(), 1 + kBit);
  EXPECT_EQ(sum_of({-1, -kHalf, -0x1p-200}).rounded(), -1 - kBit);
  EXPECT_EQ(sum_of({1, -kHalf / 2, -0x1p-200}).rounded(), 1 - kHalf)
      << "below a power of two the bits are half as wide";
}

// Terms k 2^-80 with |k| < 2^50: their sum is an integer below 2^62, more than a double holds, which integers know.
TEST(ExactSums, AgreeWithIntegers) {
  const KeyedRandom random({.seed = 7}, Purpose::kTest, 0);
  constexpr std::size_t kSums = 5, kTerms = 3000;
  ExactSums sums(kSums);
  std::vector<std::int64_t> exact(kSums, 0);
  for (std::size_t t = 0; t < kTerms; ++t) {
    Numbers terms(kSums);
    for (std::size_t i = 0; i < kSums; ++i) {
      const auto bits = random.bits(t * kSums + i);
      const auto k = static_cast<std::int64_t>(bits >> (14 + bits % 40)) * (bits % 3 == 0 ? -1 : 1);
      terms[i] = std::ldexp(static_cast<double>(k), -80);
      exact[i] += k;
    }
    sums.add(0, terms);
  }
  for (std::size_t i = 0; i < kSums; ++i) {
    std::int64_t left = exact[i];
    for (const double part : sums.written(i)) left -= static_cast<std::int64_t>(std::ldexp(part, 80));
    EXPECT_EQ(left, 0);
    EXPECT_EQ(sums.value(i), std::ldexp(static_cast<double>(exact[i]), -80));
  }
}

// However the terms are cut and in whatever order the pieces are added: the same numbers. The terms reach over 300
// bits, so that two doubles do not hold their sum.
TEST(ExactSums, DoNotDependOnHowTheyWereCut) {
  const KeyedRandom random({.seed = 8}, Purpose::kTest, 0);
  Numbers terms(200);
  for (std::size_t t = 0; t < terms.size(); ++t)
    terms[t] = std::ldexp(random.uniform(t), -static_cast<int>(3 * t % 301));
  ExactSums whole(1);
  for (const double term : terms) whole.add(0, term);
  EXPECT_GT(whole.written(0).size(), 2U);
  for (const std::size_t cut : {1U, 7U, 50U, 199U}) {
    ExactSums first(1), second(1), merged(1);
    for (std::size_t t = 0; t < terms.size(); ++t) (t % cut == 0 ? first : second).add(0, terms[t]);
    merged.add(second);
    merged.add(first);
    EXPECT_EQ(merged.written(0), whole.written(0));
    EXPECT_EQ(merged.value(0), whole.value(0));
    EXPECT_EQ(merged.carry(0), whole.carry(0));
  }
}

TEST(ExactSums, AreTheValueAndCarryOfLongSumsWhereThoseAreExact) {
  const KeyedRandom random({.seed = 9}, Purpose::kTest, 0);
  ExactSums exact(1);
  double value = 0, carry = 0;
  for (std::size_t t = 0; t < 10000; ++t) {
    const double term = random.uniform(t);  // a multiple of 2^-53 or finer, far above 2^-90
    exact.add(0, term);
    add_carried(value, carry, term);
  }
  EXPECT_EQ(exact.value(0), value);
  EXPECT_EQ(exact.carry(0), carry);
}

}  // namespace exact_sums_test
}  // namespace hannan::detail
