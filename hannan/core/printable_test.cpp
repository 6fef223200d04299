#include "hannan/core/printable.hpp"

#include <gtest/gtest.h>

namespace hannan::detail {
namespace printable_test {

TEST(Printable, LeavesPlainTextAndOtherAlphabetsAsTheyAre) {
  for (const std::string text :
       {"", "bids.csv", "C:\\new", "caf\xc3\xa9", "\xe5\x85\xa5\xe6\x9c\xad", "\xf0\x9f\x8e\xb2"})
    EXPECT_EQ(printable(text), text);
}

TEST(Printable, EscapesWhatMovesTheCursorOrStartsASequence) {
  EXPECT_EQ(printable("a\nb\rc\td"), "a\\nb\\rc\\td");
  EXPECT_EQ(printable("\x1b[2Jx"), "\\x1b[2Jx");
  EXPECT_EQ(printable(std::string_view("\0\x07\x7f", 3)), "\\x00\\x07\\x7f");
  EXPECT_EQ(printable("\xc2\x9b"
                      "31m\xc2\xa0"),
            "\\u009b31m\xc2\xa0");  // CSI as one character; a space that does not break
}

TEST(Printable, EscapesBytesThatAreNotUtf8) {
  EXPECT_EQ(printable("\x9b\xff"), "\\x9b\\xff");
  EXPECT_EQ(printable("\xc3"), "\\xc3");                    // cut short
  EXPECT_EQ(printable("\xc0\xaf"), "\\xc0\\xaf");           // overlong "/"
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");  // half of a surrogate pair
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
  EXPECT_EQ(printable("\xe2\x1b[m"), "\\xe2\\x1b[m");  // a broken character does not swallow what follows
}

TEST(Printable, KeepsTheLineEndsOfATextOfSeveralLines) {
  EXPECT_EQ(printable_lines("a\x1b\n\nb\n"), "a\\x1b\n\nb\n");
  EXPECT_EQ(printable_lines("\tlast"), "\\tlast");
}

}  // namespace printable_test
}  // namespace hannan::detail
