#include "hannan/core/any_value.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace hannan::detail {
namespace any_value_test {

TEST(AnyValue, HoldsWhatItWasGiven) {
  const AnyAction x = AnyAction::of(std::vector<int>{1, 2});
  EXPECT_EQ(x.get<std::vector<int>>(), (std::vector<int>{1, 2}));
  EXPECT_TRUE(AnyAction().empty());
}

TEST(AnyValue, CopiesAreApart) {
  AnyOutcome a = AnyOutcome::of(std::string("one"));
  AnyOutcome b = a;
  b.as<std::string>() = "two";
  EXPECT_EQ(a.get<std::string>(), "one");
  a = b;
  EXPECT_EQ(a.get<std::string>(), "two");
}

TEST(AnyValue, OrdersAsItsValuesDo) {
  const AnyAction one = AnyAction::of(1), two = AnyAction::of(2);
  EXPECT_LT(one, two);
  EXPECT_EQ(one, AnyAction::of(1));
  EXPECT_NE(one, two);
}

TEST(AnyValue, IsABufferThatKeepsItsMemory) {
  AnyOutcome y;
  y.as<std::vector<double>>().assign(100, 0.5);
  const double* first = y.get<std::vector<double>>().data();
  y.as<std::vector<double>>().assign(100, 0.25);
  EXPECT_EQ(y.get<std::vector<double>>().data(), first);
}

TEST(AnyValue, IsAssignedIntoTheMemoryItHas) {
  AnyOutcome y = AnyOutcome::of(std::vector<double>(100, 0.5));
  const double* first = y.get<std::vector<double>>().data();
  const AnyOutcome other = AnyOutcome::of(std::vector<double>(80, 0.25));
  y = other;
  EXPECT_EQ(y.get<std::vector<double>>().data(), first);
  EXPECT_EQ(y, other);
  y = AnyOutcome::of(std::string("another type"));
  EXPECT_EQ(y.get<std::string>(), "another type");
}

TEST(AnyValue, TakesAnotherTypeWhenAskedTo) {
  AnyOutcome y = AnyOutcome::of(1);
  EXPECT_EQ(y.as<std::string>(), "");
}

}  // namespace any_value_test
}  // namespace hannan::detail
