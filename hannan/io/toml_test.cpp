#include "hannan/io/toml.hpp"

#include <gtest/gtest.h>

#include "hannan/core/error.hpp"

namespace hannan::detail {
namespace toml_test {

TEST(Toml, BecomesJsonInTheOrderOfTheFile) {
  const auto read = parse_toml("z = 1\na = [0.5, \"x\", true]\n[[t]]\nb = { c = 2 }\n[[t]]\n", "f");
  EXPECT_EQ(dump(read.value), R"({"z":1,"a":[0.5,"x",true],"t":[{"b":{"c":2}},{}]})");
}

TEST(Toml, KnowsTheLineOfEveryValueAndOfThePartThatExists) {
  const auto read = parse_toml("z = 1\n\n[[t]]\nb = 2\n[[t]]\nb = { c = 3 }\n", "f");
  EXPECT_EQ(read.where("z"), "f:1");
  EXPECT_EQ(read.where("t[0].b"), "f:4");
  EXPECT_EQ(read.where("t[1].b.c"), "f:6");
  EXPECT_EQ(read.where("t[1].nothing"), "f:5");
  EXPECT_EQ(read.where("nothing"), "f");
}

void expect_refusal(std::string_view text, Code code, const std::string& at) {
  try {
    parse_toml(text, "f");
    ADD_FAILURE() << "accepted " << text;
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), code) << text;
    EXPECT_EQ(e.at(), at) << text;
  }
}

TEST(Toml, RefusesWhatHasNoJsonWithItsPlace) {
  expect_refusal("a = 1\nb = \n", Code::kMalformed, "f:2:5");
  expect_refusal("a = 1\na = 2\n", Code::kMalformed, "f:2:5");
  expect_refusal("a = 1\nb = 1979-05-27\n", Code::kWrongType, "f:2: b");
  expect_refusal("b = [1, nan]\n", Code::kNotANumber, "f:1: b[1]");
  expect_refusal("b = 9007199254740993\n", Code::kOutOfRange, "f:1: b");
}

}  // namespace toml_test
}  // namespace hannan::detail
