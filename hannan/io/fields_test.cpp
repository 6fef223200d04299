#include "hannan/io/fields.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "hannan/core/error.hpp"

namespace hannan::detail {
namespace fields_test {

template <class Act>
Error fault(Act act) {
  try {
    act();
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    return error;
  }
  return Error(Code::kInternal, "no error");
}

TEST(ToNumber, ReadsNumbersAndExactFractions) {
  EXPECT_EQ(to_number(Json(0.25), "x"), 0.25);
  EXPECT_EQ(to_number(Json("3/5"), "x"), 0.6);
  EXPECT_EQ(to_number(Json("-4/3"), "x"), -4.0 / 3);
  EXPECT_EQ(to_number(Json("1"), "x"), 1);
  EXPECT_EQ(to_number(Json("+7"), "x"), 7);
  EXPECT_EQ(to_number(Json("9007199254740992/3"), "x"), 0x1p53 / 3);
}

TEST(ToNumber, ReadsInfinitiesOnlyWhereAllowed) {
  EXPECT_EQ(to_number(Json("inf"), "p", kExtended), HUGE_VAL);
  EXPECT_EQ(to_number(Json("-inf"), "p", kExtended), -HUGE_VAL);
  const Error error = fault([] { to_number(Json("inf"), "c"); });
  EXPECT_EQ(error.code(), Code::kOutOfRange);
  EXPECT_EQ(error.message(), "found inf, expected a finite number");
}

TEST(ToNumber, RefusesOtherStrings) {
  for (const char* text : {"", "-", "/", "1/", "/2", "1/0", "1/-2", "0.5", "1e3", " 1", "1 ", "1/2/3", "--1", "nan",
                           "INF", "0x1", "9007199254740993", "99999999999999999999999/2"}) {
    EXPECT_EQ(fault([&] { to_number(Json(text), "x"); }).code(), Code::kWrongType) << text;
  }
}

TEST(ToNumber, NeverReturnsANegativeZero) {
  EXPECT_FALSE(std::signbit(to_number(Json(-0.0), "x")));
  EXPECT_FALSE(std::signbit(to_number(Json("-0/5"), "x")));
  EXPECT_FALSE(std::signbit(to_numbers(Json::array({-0.0}), "x")[0]));
}

TEST(ToNumber, SaysWhatWasFoundAndExpected) {
  const Error type = fault([] { to_number(Json("abc"), "params.c"); });
  EXPECT_EQ(type.at(), "params.c");
  EXPECT_EQ(type.message(), "found a string \"abc\", expected a number or a fraction like \"3/5\"");
  const Error range = fault([] { to_number(Json(1.2), "x", kUnit); });
  EXPECT_EQ(range.code(), Code::kOutOfRange);
  EXPECT_EQ(range.message(), "found 1.2, expected a number in [0,1]");
  EXPECT_EQ(fault([] { to_number(Json(0), "x", kPositive); }).message(), "found 0, expected a positive number");
  EXPECT_EQ(fault([] { to_number(Json(-1), "x", kNonnegative); }).message(),
            "found -1, expected a finite number of at least 0");
  EXPECT_EQ(to_number(Json("1/3"), "x", kUnit), 1.0 / 3);
}

TEST(ToInteger, TakesIntegralNumbersAndWords) {
  EXPECT_EQ(to_integer(Json(3), "n", {0, 5}), 3);
  EXPECT_EQ(to_integer(Json("3"), "n", {0, 5}), 3);
  EXPECT_EQ(to_integer(Json("6/2"), "n", {0, 5}), 3);
  EXPECT_EQ(fault([] { to_integer(Json(2.5), "n"); }).code(), Code::kWrongType);
  EXPECT_EQ(fault([] { to_integer(Json("inf"), "n"); }).code(), Code::kWrongType);
  EXPECT_EQ(fault([] { to_integer(Json(true), "n"); }).code(), Code::kWrongType);
  const Error error = fault([] { to_integer(Json(6), "n", {0, 5}); });
  EXPECT_EQ(error.code(), Code::kOutOfRange);
  EXPECT_EQ(error.message(), "found 6, expected an integer in 0..5");
}

TEST(ToInteger, RefusesIntegersADoubleCannotTellApart) {
  EXPECT_EQ(to_integer(Json(0x1p53 - 1), "n"), (std::int64_t{1} << 53) - 1);
  EXPECT_EQ(fault([] { to_integer(parse_json("9007199254740993"), "seed"); }).code(), Code::kOutOfRange);
  EXPECT_EQ(fault([] { to_integer(Json(1e300), "seed", {INT64_MIN, INT64_MAX}); }).code(), Code::kOutOfRange);
}

TEST(ToNumbers, PointsAtTheItem) {
  EXPECT_EQ(to_numbers(Json::array({1, "1/2"}), "x"), (std::vector<double>{1, 0.5}));
  EXPECT_EQ(fault([] { to_numbers(Json::array({0, 2}), "loss", kUnit); }).at(), "loss[1]");
  EXPECT_EQ(fault([] { to_matrix(parse_json("[[1],[2,null]]"), "params.matrix"); }).at(), "params.matrix[1][1]");
  EXPECT_EQ(fault([] { to_numbers(Json(1), "x"); }).message(), "found the number 1, expected an array");
  EXPECT_EQ(fault([] { to_integers(parse_json("[1,1.5]"), "x"); }).at(), "x[1]");
}

TEST(Fields, ReadsNeededAndOptionalFields) {
  const Json object = parse_json(R"({"a":1,"b":"two","c":[1,2],"d":{"e":true}})");
  Fields fields(object, "params");
  EXPECT_EQ(fields.number("a"), 1);
  EXPECT_EQ(fields.number("z", kUnit, 0.5), 0.5);
  EXPECT_EQ(fields.integer("a", {0, 9}), 1);
  EXPECT_EQ(fields.integer("y", {0, 9}, 4), 4);
  EXPECT_EQ(fields.word("b"), "two");
  EXPECT_EQ(fields.word("w", "none"), "none");
  EXPECT_EQ(fields.choice("b", {"one", "two"}), "two");
  EXPECT_EQ(fields.integers("c"), (std::vector<std::int64_t>{1, 2}));
  EXPECT_EQ(fields.maybe("q"), nullptr);
  Fields inner = fields.fields("d");
  EXPECT_TRUE(inner.flag("e"));
  EXPECT_EQ(inner.path(), "params.d");
  inner.done();
  fields.done();
}

TEST(Fields, ComplainsAboutMissingUnknownAndMisnamed) {
  const Json object = parse_json(R"({"a":1,"rule":"greedy"})");
  Fields fields(object, "params");
  const Error missing = fault([&] { fields.need("levels"); });
  EXPECT_EQ(missing.code(), Code::kMissingField);
  EXPECT_EQ(missing.at(), "params.levels");
  const Error name = fault([&] { fields.choice("rule", {"eager", "lazy"}); });
  EXPECT_EQ(name.code(), Code::kUnknownName);
  EXPECT_EQ(name.message(), "found a string \"greedy\", expected one of eager, lazy");
  const Error unknown = fault([&] { fields.done(); });
  EXPECT_EQ(unknown.code(), Code::kUnknownField);
  EXPECT_EQ(unknown.at(), "params.a");
  EXPECT_EQ(unknown.message(), "found the field \"a\", expected levels, rule");
}

TEST(Fields, NeedsAnObject) {
  const Json list = Json::array({1});
  const Error error = fault([&] { Fields(list, "params"); });
  EXPECT_EQ(error.code(), Code::kWrongType);
  EXPECT_EQ(error.message(), "found an array of 1, expected an object");
}

TEST(Fields, TopLevelPathsHaveNoDot) {
  const Json object = parse_json(R"({"op":1})");
  Fields fields(object, "");
  EXPECT_EQ(fault([&] { fields.word("op"); }).at(), "op");
}

}  // namespace fields_test
}  // namespace hannan::detail
