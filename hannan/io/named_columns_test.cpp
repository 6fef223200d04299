#include "hannan/io/named_columns.hpp"

#include <gtest/gtest.h>

#include "hannan/core/error.hpp"

namespace hannan::detail {
namespace named_columns_test {

bool always(const NamedColumns::Cells&) { return true; }

NamedColumns rows_of(const std::string& text, const NamedColumns::Options& options = {}) {
  return NamedColumns(bytes_of_memory(text), "f", options);
}

template <class Read>
std::string fault(const Read& read) {
  try {
    read();
  } catch (const Error& e) {
    return e.at() + ": " + e.message();
  }
  return "none";
}

TEST(NamedColumns, HaveTheNamesOfTheHeaderAndThenTheCells) {
  NamedColumns rows = rows_of("passed over\n a ,\"'=b\"\n 1 ,2\n", {.skip = 1});
  EXPECT_EQ(rows.names(), (std::vector<std::string>{"a", "'=b"}));
  EXPECT_EQ(rows.place_of("'=b"), 1U);
  ASSERT_TRUE(rows.next());
  EXPECT_EQ(rows.cell(0), "1");
  EXPECT_EQ(rows.cells()[0], " 1 ");
  EXPECT_FALSE(rows.next());
  EXPECT_EQ(rows_of("'=b\n", {.header = NamedColumns::Options::Names::kTextCells}).names()[0], "=b");
}

TEST(NamedColumns, WithoutAHeaderAreNumberedAndLoseNoRow) {
  NamedColumns rows = rows_of("5,6\n", {.first_is_data = always});
  EXPECT_EQ(rows.names(), (std::vector<std::string>{"1", "2"}));
  ASSERT_TRUE(rows.next());
  EXPECT_EQ(rows.cell(rows.place_of("2")), "6");
}

TEST(NamedColumns, NameTheColumnThatIsMissingOrThereTwiceAndWhoAskedForIt) {
  const NamedColumns rows = rows_of("price,a,a\n1,2,3\n");
  EXPECT_EQ(fault([&] { rows.place_of("prise", {.by = "--bid", .hint = "; see the help"}); }),
            "f:1: found no column \"prise\" (--bid), expected one of \"price\", \"a\", \"a\" (did you mean "
            "\"price\"?); see the help");
  EXPECT_EQ(fault([&] { rows.place_of("a"); }),
            "f:1: found two columns \"a\" in the header, expected one of price, a, a");
}

TEST(NamedColumns, SayWhereARowOfAnotherWidthEnds) {
  NamedColumns rows = rows_of("a,b\n1\n1,2,3\n");
  ASSERT_TRUE(rows.next());
  EXPECT_EQ(fault([&] { rows.check_width(); }), "f:2:2: found 1 columns, expected 2 as in line 1");
  ASSERT_TRUE(rows.next());
  EXPECT_EQ(fault([&] { rows.check_width(); }), "f:3:5: found 3 columns, expected 2 as in line 1");
  EXPECT_EQ(fault([&] { rows_of(""); }), "f: found no rows, expected a header and rows");
}

}  // namespace named_columns_test
}  // namespace hannan::detail
