#include "hannan/io/formula.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "hannan/core/error.hpp"

namespace hannan::detail {
namespace formula_test {

double value(std::string_view text) {
  return evaluate_formula(
      text,
      [](const std::string& name) -> double {
        if (name == "T") return 100;
        throw Error(Code::kUnknownName, name);
      },
      "p");
}

TEST(Formula, KeepsTheUsualOrderOfOperations) {
  EXPECT_EQ(value("1 + 2*3 - 4/2"), 5);
  EXPECT_EQ(value("(1+2)*3"), 9);
  EXPECT_EQ(value("8/4/2"), 1);  // from the left
  EXPECT_EQ(value("-2^2"), -4);
  EXPECT_EQ(value("2^3^2"), 512);  // from the right
  EXPECT_EQ(value("2^-2"), 0.25);
  EXPECT_EQ(value("sqrt(T)/4"), 2.5);
  EXPECT_EQ(value("floor(1.5e1 / 2)"), 7);
  EXPECT_NEAR(value("ln(T)"), std::log(100.0), 1e-15);
  EXPECT_NEAR(value("T^0.25"), std::pow(100.0, 0.25), 1e-14);
}

TEST(Formula, RefusesWhatIsNone) {
  for (const char* text :
       {"", "1+", "(1", "1)", "1 2", "*", "sqrt", "tan(1)", "x", "1/0", "sqrt(-1)", "ln(0)", "(-1)^0.5"}) {
    EXPECT_THROW(value(text), Error) << text;
  }
  EXPECT_THROW(value(std::string(1000, '(')), Error);
  EXPECT_THROW(value(std::string(1000, '-') + "1"), Error);
}

}  // namespace formula_test
}  // namespace hannan::detail
