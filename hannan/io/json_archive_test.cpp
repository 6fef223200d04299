#include "hannan/io/json_archive.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "hannan/core/error.hpp"
#include "hannan/core/long_sums.hpp"

namespace hannan::detail {
namespace json_archive_test {

// What reading is refused with: "path: message".
std::string refusal(const char* text, const std::function<void(Archive&)>& read) {
  const Json state = parse_json(text);
  JsonReader reader(state, "state");
  try {
    read(reader);
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), Code::kBadState);
    return e.at() + ": " + e.message();
  }
  return "";
}

TEST(JsonReader, RefusesNumbersThatAreNotFiniteOrOutOfRange) {
  for (const char* text : {R"({"x":"inf"})", R"({"x":1e101})", R"({"x":-1e308})", R"({"x":null})", "{}"}) {
    double x = 0;
    EXPECT_TRUE(refusal(text, [&](Archive& a) { a.field("x", x); }).starts_with("state.x: ")) << text;
  }
  double x = 0;
  EXPECT_NE(refusal(R"({"x":-1})", [&](Archive& a) { a.field("x", x, kSavedNonnegative); }), "");
  EXPECT_EQ(refusal(R"({"x":-1e100})", [&](Archive& a) { a.field("x", x); }), "");
  EXPECT_EQ(x, -1e100);
}

TEST(JsonReader, AListKeepsItsLengthEvenIfThatIsZero) {
  for (const std::size_t size : {0, 2}) {
    std::vector<double> list(size, 0.0);
    EXPECT_EQ(refusal(R"({"x":[1,2,3]})", [&](Archive& a) { a.field("x", list); }),
              "state.x: found 3 numbers, expected " + std::to_string(size));
  }
  std::vector<double> free;
  EXPECT_EQ(refusal(R"({"x":[1,2,3]})", [&](Archive& a) { a.list("x", free); }), "");
  EXPECT_EQ(free.size(), 3u);
  EXPECT_NE(refusal(R"({"x":[1,2,3]})", [&](Archive& a) { a.list("x", free, {0, 2}); }), "");
}

TEST(JsonReader, RefusesCountsChoicesAndWholeNumbersThatAreNone) {
  enum class Part { kFirst, kLast };
  bool flag = false;
  Part part = Part::kFirst;
  std::vector<int> wholes;
  for (const char* text : {R"({"x":2})", R"({"x":-1})", R"({"x":0.5})", R"({"x":9007199254740991})"}) {
    EXPECT_NE(refusal(text, [&](Archive& a) { a.count("x", flag); }), "") << text;
    EXPECT_NE(refusal(text, [&](Archive& a) { a.choice("x", part, Part::kLast); }), "") << text;
  }
  EXPECT_NE(refusal(R"({"x":[0.5]})", [&](Archive& a) { a.wholes("x", wholes, {0, 9}); }), "");
  EXPECT_NE(refusal(R"({"x":[10]})", [&](Archive& a) { a.wholes("x", wholes, {0, 9}); }), "");
  EXPECT_EQ(refusal(R"({"x":[9]})", [&](Archive& a) { a.wholes("x", wholes, {0, 9}); }), "");
}

// More carries than sums were written behind the end of the memory at the next term.
TEST(JsonReader, RefusesCarriesThatAreNotOnePerSum) {
  for (const char* carries : {"[1]", "[1,2,3]", "[1,2,3,4,5,6,7,8,9]"}) {
    LongSums sums(2);
    const std::string text = std::string(R"({"sums":[0,0],"carries":)") + carries + "}";
    EXPECT_TRUE(
        refusal(text.c_str(), [&](Archive& a) { sums.archive(a, "sums", "carries"); }).starts_with("state.carries: "))
        << carries;
  }
  for (const char* carries : {"[]", "[0,0]"}) {
    LongSums sums(2);
    const std::string text = std::string(R"({"sums":[1,2],"carries":)") + carries + "}";
    EXPECT_EQ(refusal(text.c_str(), [&](Archive& a) { sums.archive(a, "sums", "carries"); }), "");
    sums.add_one(1, 1.0);
    EXPECT_EQ(sums[1], 3);
  }
}

}  // namespace json_archive_test
}  // namespace hannan::detail
