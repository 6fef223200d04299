#include "hannan/problems/classification/rule_words.hpp"

#include <gtest/gtest.h>

namespace hannan::detail {
namespace rule_words_test {

std::string words(const char* rule) { return rule_words(parse_json(rule)); }

TEST(RuleWords, SayWhereEveryClassAnswersOne) {
  EXPECT_EQ(words(R"({"cut":2})"), "1 where x >= 2, else 0");
  EXPECT_EQ(words(R"({"feature":"age","cut":43,"above":1})"), "1 where age >= 43, else 0");
  EXPECT_EQ(words(R"({"feature":0,"cut":2.5,"above":0})"), "0 where column 0 >= 2.5, else 1");
  EXPECT_EQ(words(R"({"feature":"colour","is":"red","says":0})"), "0 where colour is red, else 1");
  EXPECT_EQ(words(R"({"low":[0,1],"high":[2,3]})"), "1 where 0 <= x1 <= 2 and 1 <= x2 <= 3, else 0");
  EXPECT_EQ(words(R"({"normal":[1,-2],"offset":3})"), "1 where 1 x1 + -2 x2 >= 3, else 0");
  EXPECT_EQ(words(R"({"votes":3})"), "the vote of the first 3 stumps");
  EXPECT_EQ(words("17"), "17");  // a place in a list
}

TEST(RuleWords, SayTheSidesOfATree) {
  EXPECT_EQ(words(R"({"feature":"a","cut":2,"left":{"feature":"b","cut":1,"above":0},)"
                  R"("right":{"feature":"c","is":"x","says":1}})"),
            "if a >= 2: (1 where c is x, else 0), else: (0 where b >= 1, else 1)");
}

// No category at all never holds, which makes a constant of a stump.
TEST(RuleWords, SayAConstantAsSuch) {
  EXPECT_EQ(words(R"({"feature":"c","is":null,"says":1})"), "always 0");
  EXPECT_EQ(words(R"({"feature":"c","is":null,"says":0})"), "always 1");
}

}  // namespace rule_words_test
}  // namespace hannan::detail
