#include "hannan/io/bulk_json.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "hannan/core/error.hpp"

namespace hannan::detail {
namespace bulk_json_test {

using namespace std::literals;

constexpr int kTooDeep = 9;  // one more than the quick way follows

std::string nested(const std::string& text, int times) {
  return std::string(static_cast<std::size_t>(times), '[') + text + std::string(static_cast<std::size_t>(times), ']');
}

// What only the full parser takes: the same text nested too deep. Text that closes a bracket of ours is refused.
std::optional<Json> by_full_parser(const std::string& text) {
  try {
    Json value = parse_json(nested(text, kTooDeep));
    for (int i = 0; i < kTooDeep; ++i) {
      if (!value.is_array() || value.size() != 1) return std::nullopt;
      value = Json(value[0]);
    }
    return value;
  } catch (const Error&) {
    return std::nullopt;
  }
}

// The same value, and the same sign where it is a zero.
void expect_agreement(const std::string& text) {
  const auto quick = parse_bulk_json(text);
  ASSERT_TRUE(quick) << text;
  const auto full = by_full_parser(text);
  ASSERT_EQ(quick, full) << text;
  if (!full->is_number()) return;
  EXPECT_EQ(std::signbit(quick->as_number()), std::signbit(full->as_number())) << text;
}

// 16 fields is the most the quick way takes.
std::string object_of(int fields) {
  std::string text = "{\"f0\":0";
  for (int i = 1; i < fields; ++i) text += ",\"f" + std::to_string(i) + "\":0";
  return text + "}";
}

TEST(BulkJson, AgreesWithTheFullParserOnWhatProgramsWrite) {
  for (
      const auto& text :
      {R"({"t":1,"action":[1,1,50],"multiplier":0,"regime":"flip","outcome":[0.3282057030380919,1],"loss":0.5494866083558382,"switched":true})"s,
       "{}"s, "[]"s, " [ ] "s, "[[],{}]"s, "\"\""s, "null"s, " true\n"s, "\t\r\nfalse"s, "{\"a\" : [ 1 , 2 ] }"s,
       "{\"\":{\"\":0}}"s, object_of(16)}) {
    expect_agreement(text);
  }
}

TEST(BulkJson, AgreesWithTheFullParserOnNumbers) {
  for (const auto& text : {"0"s, "-0"s, "-0.0"s, "-0e0"s, "0e5"s, "-1"s, "1e3"s, "1E-3"s, "2.5e+10"s, "0.1"s, "5e-324"s,
                           "2e-324"s, "-1e-999"s, "1e-999"s, "1.7976931348623157e308"s, "2.2250738585072011e-308"s,
                           "0.500000000000000166533453693773481063544750213623046875"s,
                           // 2^53 + 1 and 2^63 + 1 lie between two doubles; the ends of the 64-bit integers
                           "9007199254740992"s, "9007199254740993"s, "-9007199254740993"s, "9223372036854775809"s,
                           "-9223372036854775808"s, "18446744073709551615"s}) {
    expect_agreement(text);
  }
}

TEST(BulkJson, AgreesWithTheFullParserOnText) {
  for (const auto& text : {R"("\"\\\/\b\f\n\r\t")"s, R"("\u0041\u00e4\u20ac")"s, R"("\ud83d\ude00")"s, R"("\u0000")"s,
                           R"({"\u0041":1})"s, "\"\xC3\xA4 \xE2\x82\xAC \xF0\x9F\x98\x80\""s, "\"\x7F\""s,
                           "{\"\xC3\xA4\":\"\xC3\xB6\"}"s, "\"\xEF\xBB\xBF\""s, "\"" + std::string(5000, 'x') + "\""}) {
    expect_agreement(text);
  }
}

TEST(BulkJson, LeavesToTheFullParserWhatIsNoJson) {
  for (const auto& text :
       {""s, " "s, "{"s, "["s, "[1"s, "[1,"s, "[1,]"s, "[,1]"s, "{\"a\"}"s, "{\"a\":}"s, "{\"a\":1,}"s, "{a:1}"s, "01"s,
        "-"s, "+1"s, "1."s, ".5"s, "1e"s, "1e+"s, "tru"s, "nul"s, "true1"s, "NaN"s, "Infinity"s, "'a'"s, "\"a"s,
        "\"\t\""s, "1 2"s, "[1]]"s, "[1]x"s, "1,2"s, "0x10"s, "1e999"s, "-1e999"s, "1.7976931348623159e308"s, "/**/1"s,
        "\f1"s,
        // escapes that are none, halves of pairs, bytes that are not UTF-8
        R"("\x41")"s, R"("\u00g0")"s, R"("\u12")"s, R"("\ud83d")"s, R"("\ude00")"s, R"("\ud83d\u0041")"s,
        R"("\ud83d\ud83d")"s, "\"\xC3\""s, "\"\xC0\x80\""s, "\"\xED\xA0\x80\""s, "\"\xF5\x80\x80\x80\""s,
        "\xC2\xA0"
        "1"s,
        // NUL bytes
        "\0"s, "1\0"s,
        "\0"
        "1"s,
        "[1]\0"s, "[1\0]"s, "\"a\0b\""s, "\"a\"\0"s, "true\0"s}) {
    EXPECT_FALSE(parse_bulk_json(text)) << text;
    EXPECT_THROW(parse_json(text), Error) << text;
  }
}

TEST(BulkJson, LeavesToTheFullParserWhatBreaksOurRules) {
  for (const auto& text : {R"({"a":1,"a":2})"s, R"({"a":1,"\u0061":2})"s, R"([{"b":{"a":1,"c":0,"a":1}}])"s}) {
    EXPECT_FALSE(parse_bulk_json(text)) << text;
    EXPECT_THROW(parse_json(text), Error) << text;
  }
}

TEST(BulkJson, LeavesToTheFullParserWhatItAloneTakes) {
  for (const auto& text : {"18446744073709551616"s, "-9223372036854775809"s, "123456789012345678901234567890"s,
                           "\xEF\xBB\xBF[1]"s, object_of(17), nested("1", kTooDeep)}) {
    EXPECT_FALSE(parse_bulk_json(text)) << text;
    EXPECT_NO_THROW(parse_json(text)) << text;
  }
  EXPECT_EQ(parse_json("18446744073709551616"), Json(0x1p64));
  EXPECT_EQ(parse_json("\xEF\xBB\xBF[1]"), parse_json("[1]"));
}

TEST(BulkJson, FollowsEightLevelsAndNoMore) {
  EXPECT_TRUE(parse_bulk_json(nested("1", kTooDeep - 1)));
  EXPECT_FALSE(parse_bulk_json(nested("1", kTooDeep)));
  EXPECT_TRUE(parse_bulk_json(nested("{\"a\":1}", kTooDeep - 2)));
  EXPECT_FALSE(parse_bulk_json(nested("{\"a\":1}", kTooDeep - 1)));
  EXPECT_FALSE(parse_bulk_json(nested("", 100'000)));
  EXPECT_FALSE(parse_bulk_json(std::string(100'000, '[')));
}

// The parser and its memory are used again: a text leaves nothing behind for the next, whatever their sizes.
TEST(BulkJson, ReadsEachTextAsIfItWereTheFirst) {
  const Json small = parse_json(R"({"a":[1,"x"]})");
  for (const std::size_t items :
       {std::size_t{10}, std::size_t{100'000}, std::size_t{1'000'000}}) {  // 2 MB is beyond what is kept
    std::string text = "[1";
    for (std::size_t i = 1; i < items; ++i) text += ",1";
    const auto large = parse_bulk_json(text + "]");
    ASSERT_TRUE(large);
    EXPECT_EQ(large->size(), items);
    EXPECT_FALSE(parse_bulk_json(text));
    EXPECT_EQ(parse_bulk_json(R"({"a":[1,"x"]})"), small);
  }
}

// The text may stand in a larger one: a digit, a quote or a bracket behind its end is not part of it.
TEST(BulkJson, EndsWhereTheTextEnds) {
  const std::string more = "[1]234\"]}";
  EXPECT_EQ(parse_bulk_json(std::string_view(more).substr(0, 3)), Json::array({1}));
  EXPECT_EQ(parse_bulk_json(std::string_view(more).substr(3, 2)), Json(23));
  EXPECT_FALSE(parse_bulk_json(std::string_view(more).substr(0, 2)));
  EXPECT_FALSE(parse_bulk_json(std::string_view("\"a\"").substr(0, 2)));
  EXPECT_FALSE(parse_bulk_json(std::string_view("true").substr(0, 3)));
  EXPECT_FALSE(parse_bulk_json(std::string_view()));
}

// Each byte of a good text replaced by each of some others: wherever the quick way answers, so does the full one.
TEST(BulkJson, NeverTakesWhatTheFullParserRefuses) {
  const std::string good = R"({"a":[1,-2.5e3,"x\u0041"],"b":{"c":null,"d":true},"e":false})";
  int taken = 0;
  for (std::size_t i = 0; i < good.size(); ++i) {
    for (const char c : "{}[]\",:0-+.eE nt\\u\x7F\x01\n\xC3\0"s) {
      std::string text = good;
      text[i] = c;
      const auto quick = parse_bulk_json(text);
      if (!quick) continue;
      ++taken;
      EXPECT_EQ(quick, by_full_parser(text)) << text;
    }
  }
  EXPECT_GT(taken, 20);
}

}  // namespace bulk_json_test
}  // namespace hannan::detail
