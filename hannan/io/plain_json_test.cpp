#include "hannan/io/plain_json.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "hannan/core/error.hpp"

namespace hannan {
namespace {

// A form that only the full parser takes: the same text as an item beside a string with an escape.
std::optional<Json> by_full_parser(const std::string& text) {
  try {
    const Json both = parse_json("[\"\\u0041\"," + text + "]");
    return both.size() == 2 ? std::optional(both[1]) : std::nullopt;
  } catch (const Error&) {
    return std::nullopt;
  }
}

TEST(PlainJson, AgreesWithTheFullParserOnWhatProgramsWrite) {
  const std::vector<std::string> texts{R"({"t":1,"action":[1,1,50],"multiplier":0,"regime":"flip","outcome":[0.3282057030380919,1],"loss":0.5494866083558382,"switched":true})",
                                       "{}", "[]", " [ ] ", "[[],{}]", "\"\"", "0", "-1", "1e3", "1E-3", "2.5e+10", "null", " true\n", "{\"a\" : [ 1 , 2 ] }",
                                       "9007199254740993", "18446744073709551616", "123456789012345678901234567890", "0.1", "5e-324", "1.7976931348623157e308"};
  for (const auto& text : texts) {
    const auto plain = parse_plain_json(text);
    ASSERT_TRUE(plain) << text;
    EXPECT_EQ(plain, by_full_parser(text)) << text;
  }
}

TEST(PlainJson, LeavesToTheFullParserWhatIsNotPlainOrNotJson) {
  for (const std::string text : {"", " ", "{", "[", "[1", "[1,", "[1,]", "[,1]", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}", "01", "-", "+1", "1.", ".5", "1e", "1e+", "tru", "nul", "NaN",
                                 "Infinity", "'a'", "\"a", "\"\\n\"", "\"\xC3\xA4\"", "\"\t\"", "1 2", "[1]]", "1e999", "1e-999", "{\"a\":1,\"a\":2}", "[1]x", "0x10", "1,2"}) {
    EXPECT_FALSE(parse_plain_json(text)) << text;
  }
  EXPECT_FALSE(parse_plain_json(std::string_view("1\0", 2)));
  EXPECT_FALSE(parse_plain_json(std::string(20, '[') + std::string(20, ']')));
  std::string wide = "{\"f0\":0";
  for (int i = 1; i < 20; ++i) wide += ",\"f" + std::to_string(i) + "\":0";
  EXPECT_FALSE(parse_plain_json(wide + "}"));
  EXPECT_EQ(parse_json(wide + "}").size(), 20U);
}

TEST(PlainJson, KeepsTheSignOfZeroAsTheFullParserDoes) {
  for (const std::string text : {"-0", "-0.0", "0", "-0e0"}) {
    EXPECT_EQ(std::signbit(parse_plain_json(text)->as_number()), std::signbit(by_full_parser(text)->as_number())) << text;
  }
}

// Each byte of a good text replaced by each of some others: wherever the quick way answers, so does the full one.
TEST(PlainJson, NeverTakesWhatTheFullParserRefuses) {
  const std::string good = R"({"a":[1,-2.5e3,"x"],"b":{"c":null,"d":true},"e":false})";
  int taken = 0;
  for (std::size_t i = 0; i < good.size(); ++i) {
    for (const char c : std::string("{}[]\",:0-+.eE nt\\\x7F\x01\n\xC3")) {
      std::string text = good;
      text[i] = c;
      const auto plain = parse_plain_json(text);
      if (!plain) continue;
      ++taken;
      EXPECT_EQ(plain, by_full_parser(text)) << text;
    }
  }
  EXPECT_GT(taken, 20);
}

}  // namespace
}  // namespace hannan
