#include "hannan/io/json.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include "hannan/core/error.hpp"

namespace hannan::detail {
namespace json_test {

Error fault(std::string_view text) {
  try {
    const Json value = parse_json(text);
    ADD_FAILURE() << "accepted " << text << " as " << dump(value);
  } catch (const Error& error) {
    return error;
  }
  return Error(Code::kInternal, "no error");
}

TEST(Json, BuildsAndDumpsAnObjectInTheOrderGiven) {
  const Json value = Json::object({{"ok", true}, {"round", 3}, {"list", Json::array({1, "a", nullptr})}});
  EXPECT_EQ(dump(value), R"({"ok":true,"round":3,"list":[1,"a",null]})");
}

TEST(Json, TakesRangesOfNumbersAndWords) {
  EXPECT_EQ(dump(Json(std::vector<double>{0.5, 2})), "[0.5,2]");
  EXPECT_EQ(dump(Json(std::vector<bool>{true, false})), "[true,false]");
  EXPECT_EQ(dump(Json::array(std::array<int, 2>{4, 5})), "[4,5]");
  EXPECT_EQ(dump(Json::array(std::vector<std::string>{"x", "y"})), R"(["x","y"])");
  EXPECT_EQ(dump(Json(std::vector<std::vector<int>>{{1}, {2, 3}})), "[[1],[2,3]]");
}

TEST(Json, SetReplacesAFieldInItsPlaceAndAppendsNewOnes) {
  Json value;
  value.set("a", 1).set("b", 2).set("a", "new");
  EXPECT_EQ(dump(value), R"({"a":"new","b":2})");
  EXPECT_EQ(value.find("c"), nullptr);
  EXPECT_EQ(value.at("b").as_number(), 2);
  EXPECT_EQ(Json(3).find("a"), nullptr);
}

TEST(Json, PushBackMakesAnArrayOfNull) {
  Json value;
  value.push_back(1).push_back("x");
  EXPECT_EQ(value.size(), 2U);
  EXPECT_EQ(value[1].as_string(), "x");
}

TEST(Json, ComparesByContent) {
  EXPECT_EQ(parse_json(R"({"a":[1,2.5]})"), Json::object({{"a", Json::array({1, 2.5})}}));
  EXPECT_FALSE(parse_json("1") == parse_json("\"1\""));
}

TEST(JsonDump, WritesNumbersInTheirShortestForm) {
  EXPECT_EQ(dump(Json(0.1)), "0.1");
  EXPECT_EQ(dump(Json(1.0 / 3)), "0.3333333333333333");
  EXPECT_EQ(dump(Json(100000.0)), "100000");
  EXPECT_EQ(dump(Json(-0.0)), "0");
  EXPECT_EQ(dump(Json(9007199254740992.0)), "9007199254740992");  // 2^53
  EXPECT_EQ(dump(Json(std::numeric_limits<double>::infinity())), "\"inf\"");
  EXPECT_EQ(dump(Json(-std::numeric_limits<double>::infinity())), "\"-inf\"");
}

TEST(JsonDump, RoundTripsDoublesExactly) {
  // Multiplying by an irrational ratio visits mantissas of every shape over the whole range.
  for (double x = 4.9e-324; x < 1e308; x *= 1.6180339887498949 * 1.5) {
    EXPECT_EQ(parse_json(dump(Json(x))).as_number(), x);
    EXPECT_EQ(parse_json(dump(Json(-x))).as_number(), -x);
  }
}

TEST(JsonDump, StaysOnOneLineAndEscapesWhatJsonForbids) {
  EXPECT_EQ(dump(Json("a\"b\\c\nd\te\x01")), R"("a\"b\\c\nd\te\u0001")");
  EXPECT_EQ(dump(Json("Γ→")), "\"Γ→\"");
}

TEST(JsonDump, ReplacesBytesThatAreNotUtf8) {
  EXPECT_EQ(dump(Json("\xFF")), "\"\xEF\xBF\xBD\"");
  EXPECT_EQ(dump(Json("a\xC3")), "\"a\xEF\xBF\xBD\"");                // cut short
  EXPECT_EQ(dump(Json("\xC0\x80")), "\"\xEF\xBF\xBD\xEF\xBF\xBD\"");  // overlong NUL
  EXPECT_EQ(dump(Json("\xED\xA0\x80")).size(), 2U + 3U * 3U);         // a surrogate
  EXPECT_EQ(dump(Json("\xF4\x90\x80\x80")).size(), 2U + 4U * 3U);     // above U+10FFFF
  EXPECT_EQ(dump(Json("\xF0\x9F\x98\x80")), "\"\xF0\x9F\x98\x80\"");  // a proper one stays
}

TEST(JsonPretty, IndentsObjectsAndKeepsPlainArraysOnOneLine) {
  EXPECT_EQ(pretty(parse_json(R"({"a":[1,2],"b":{"c":[[1],[]]},"d":{}})")),
            "{\n  \"a\": [1, 2],\n  \"b\": {\n    \"c\": [\n      [1],\n      []\n    ]\n  },\n  \"d\": {}\n}");
}

TEST(JsonParse, ReadsEveryKindOfValue) {
  const Json value = parse_json(" {\"n\":null,\"t\":true,\"x\":-2.5e-1,\"s\":\"\\u00e9\",\"a\":[],\"o\":{}}\n");
  EXPECT_TRUE(value.at("n").is_null());
  EXPECT_TRUE(value.at("t").as_bool());
  EXPECT_EQ(value.at("x").as_number(), -0.25);
  EXPECT_EQ(value.at("s").as_string(), "é");
  EXPECT_TRUE(value.at("a").is_array());
  EXPECT_TRUE(value.at("o").is_object());
}

TEST(JsonParse, SaysWhereTheTextBreaks) {
  const Error error = fault("{\"a\":1,\n \"b\":x}");
  EXPECT_EQ(error.code(), Code::kNotJson);
  EXPECT_EQ(error.at(), "line 2, column 6");
  EXPECT_EQ(error.message().find("exception"), std::string::npos);
}

TEST(JsonParse, RejectsWhatIsNotExactlyOneValue) {
  for (const char* text : {"", " ", "{", "[1,]", "{\"a\":1,}", "1 2", "{} {}", "nul", "NaN", "Infinity", "01", "+1",
                           ".5", "'a'", "\"a", "// x\n1", "\"\xFF\"", "\"\\ud800\""}) {
    EXPECT_EQ(fault(text).code(), Code::kNotJson) << text;
  }
}

TEST(JsonParse, RejectsANulByteEvenBehindACompleteValue) {
  const Error error = fault(std::string_view("{}\0x", 4));
  EXPECT_EQ(error.code(), Code::kNotJson);
  EXPECT_EQ(error.at(), "line 1, column 3");
}

TEST(JsonParse, RejectsARepeatedKeyInSmallAndLargeObjects) {
  const Error error = fault(R"({"a":1,"a":2})");
  EXPECT_EQ(error.code(), Code::kNotJson);
  EXPECT_NE(error.message().find("\"a\" appears twice"), std::string::npos) << error.message();
  EXPECT_EQ(error.at(), "line 1, column 10");  // the closing quote of the second key

  std::string large = "{";
  for (int i = 0; i < 40; ++i) large += "\"k" + std::to_string(i) + "\":0,";
  EXPECT_EQ(parse_json(large + "\"z\":0}").size(), 41U);
  EXPECT_EQ(fault(large + "\"k3\":0}").code(), Code::kNotJson);
  EXPECT_EQ(fault(large + "\"k30\":0}").code(), Code::kNotJson);
}

TEST(JsonParse, LimitsTheDepthInsteadOfTheStack) {
  const std::string deepest = std::string(kMaxJsonDepth, '[') + std::string(kMaxJsonDepth, ']');
  EXPECT_EQ(dump(parse_json(deepest)), deepest);
  EXPECT_EQ(fault(std::string(kMaxJsonDepth + 1, '[')).at(), "line 1, column 65");
  EXPECT_EQ(fault(std::string(1000000, '[')).code(), Code::kNotJson);
}

TEST(JsonParse, RejectsNumbersBeyondTheRangeOfDouble) {
  EXPECT_NE(fault("[1e999]").message().find("1e999"), std::string::npos);
  EXPECT_EQ(fault("-1e400").code(), Code::kNotJson);
  EXPECT_EQ(parse_json("1e-999").as_number(), 0);
  EXPECT_EQ(parse_json("123456789012345678901234567890").as_number(), 123456789012345678901234567890.0);
}

TEST(JsonParse, CutsALongTokenInTheMessage) {
  EXPECT_LT(fault("\"" + std::string(100000, 'a')).message().size(), 300U);
}

TEST(JsonDescribe, NamesWhatWasFound) {
  EXPECT_EQ(describe(Json("abc")), "a string \"abc\"");
  EXPECT_EQ(describe(Json(1.2)), "the number 1.2");
  EXPECT_EQ(describe(Json::array({1, 2})), "an array of 2");
  EXPECT_EQ(describe(Json(nullptr)), "null");
  EXPECT_LT(describe(Json(std::string(1000, 'x'))).size(), 80U);
}

// Damaged files reach code that was written for whole ones.
TEST(Json, RefusesWhatIsNotThereInsteadOfReadingPastIt) {
  const auto code = [](const auto& use) {
    try {
      use();
    } catch (const Error& e) {
      return e.code();
    }
    return Code::kUsage;
  };
  const Json value = parse_json(R"({"a":[1,2],"b":"x"})");
  EXPECT_EQ(code([&] { value.at("c"); }), Code::kMissingField);
  EXPECT_EQ(code([&] { value.at("a").at("c"); }), Code::kMissingField);
  EXPECT_EQ(code([&] { value.at("a")[2]; }), Code::kOutOfRange);
  EXPECT_EQ(code([&] { value.at("b")[0]; }), Code::kWrongType);
  EXPECT_EQ(code([&] { value.at("b").as_number(); }), Code::kWrongType);
  EXPECT_EQ(code([&] { Json().as_object(); }), Code::kWrongType);
}

}  // namespace json_test
}  // namespace hannan::detail
