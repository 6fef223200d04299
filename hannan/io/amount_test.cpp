#include "hannan/io/amount.hpp"

#include <gtest/gtest.h>

#include "hannan/core/text.hpp"
#include "hannan/io/amount_column.hpp"
#include "hannan/io/currency_marks.hpp"

namespace hannan::detail {
namespace amount_test {

// The number, or "none".
std::string read(std::string_view cell, DecimalMark decimal) {
  double number = 0;
  return read_amount(cell, decimal, number) == Reading::kFinite ? number_text(number) : "none";
}
std::string point(std::string_view cell) { return read(cell, DecimalMark::kPoint); }
std::string comma(std::string_view cell) { return read(cell, DecimalMark::kComma); }

TEST(Amount, IsReadWithItsCurrencyBeforeOrBehind) {
  for (const char* cell :
       {"12.5", "$12.50", "$ 12.50", "12.50$", "12.50 USD", "USD 12.50", "usd12.5", "US$12.50", "+12.5", "€12.50",
        "12.50 €", "Fr. 12.50", "kr 12.50", "$12.50 USD", "12.50\xC2\xA0zł", "£12.5"})
    EXPECT_EQ(point(cell), "12.5") << cell;
  EXPECT_EQ(point("\x80 3"), "3");         // the euro sign of Windows-1252
  EXPECT_EQ(point("$12.50 EUR"), "none");  // two currencies
  EXPECT_EQ(point("12.50 apples"), "none");
}

TEST(Amount, HasGroupsOfOneKind) {
  for (const char* cell : {"1,234,567.5", "1 234 567.5",
                           "1\xC2\xA0"
                           "234\xE2\x80\xAF"
                           "567.5",
                           "1'234'567.5", "1’234’567.5", "12,34,567.5", "$1,234,567.50"})
    EXPECT_EQ(point(cell), "1234567.5") << cell;
  EXPECT_EQ(comma("1.234.567,5"), "1234567.5");
  EXPECT_EQ(comma("1 234,56"), "1234.56");
  EXPECT_EQ(comma("1.234"), "1234");
  EXPECT_EQ(comma("0,125"), "0.125");
  for (const char* cell : {"1,23", "1234,567", "0,125", "1,234 567", "1,2,3", "12,345,67", "1,,234", "1.2.3", ","})
    EXPECT_EQ(point(cell), "none") << cell;
  EXPECT_EQ(comma("0.125"), "none");  // no group begins with 0
  EXPECT_EQ(comma("12.5"), "none");
}

TEST(Amount, MayBeNegative) {
  for (const char* cell : {"-3", "3-", "(3)",
                           "\xE2\x88\x92"
                           "3",
                           "-$3", "$-3", "($3)", "$3-", "(3 USD)", "-3 EUR"})
    EXPECT_EQ(point(cell), "-3") << cell;
  for (const char* cell : {"--3", "(3", "3)", "-(3)", "-3-"}) EXPECT_EQ(point(cell), "none") << cell;
  EXPECT_EQ(point("12.-"), "12");
  EXPECT_EQ(comma("12,- €"), "12");
  EXPECT_EQ(point("$.50"), "0.5");
}

TEST(Amount, IsNotFoundInOtherText) {
  for (const char* cell : {"", "call me", "n/a", "nan", "inf", "12k", "5%", "2024-01-31", "1:30", "x1", "$", "1e"})
    EXPECT_EQ(point(cell), "none") << cell;
  EXPECT_EQ(point("1e3"), "1000");
}

TEST(CurrencyMarks, AgreeWhereTheyShareACode) {
  CurrencySet set;
  EXPECT_TRUE(set.narrow("$"));
  EXPECT_EQ(set.only(), "");
  EXPECT_FALSE(set.narrow("€"));
  EXPECT_TRUE(set.narrow("CAD"));
  EXPECT_EQ(set.only(), "CAD");
  EXPECT_FALSE(set.narrow("USD"));
  EXPECT_TRUE(set.narrow("$"));
}

AmountColumn column(const std::vector<std::string>& cells) {
  AmountColumn column;
  int line = 1;
  for (const std::string& cell : cells) {
    ++line;
    column.see(cell, [&] { return "log:" + std::to_string(line); });
  }
  return column;
}

TEST(AmountColumn, HasTheDecimalMarkThatItsCellsNeed) {
  EXPECT_EQ(column({"1", "2.50", "1.234"}).decimal(), DecimalMark::kPoint);
  EXPECT_EQ(column({"1,234", "1,234.5"}).decimal(), DecimalMark::kPoint);
  EXPECT_EQ(column({"1,234", "0,5"}).decimal(), DecimalMark::kComma);
  EXPECT_EQ(column({"1.234", "1.234.567"}).decimal(), DecimalMark::kComma);
  EXPECT_EQ(column({"1234", "1 234"}).decimal(), DecimalMark::kPoint);  // the same number with both
  EXPECT_EQ(column({}).decimal(), DecimalMark::kPoint);
}

TEST(AmountColumn, IsAskedAboutWhereNoCellSaysIt) {
  for (const auto& cells : {std::vector<std::string>{"950", "1,234"}, {"950", "1.234"}, {"$1,234"}})
    EXPECT_FALSE(column(cells).decimal()) << cells.back();
  EXPECT_EQ(column({"950", "1,234"}).example_of_two().at, "log:3");
}

TEST(AmountColumn, CountsWhatItCannotReadAndKeepsTheLargestAmount) {
  const AmountColumn found = column({"1.50", "", "NA", "call me", "2,50", "$1,000.00", "x"});
  EXPECT_EQ(found.decimal(), DecimalMark::kPoint);
  EXPECT_EQ(found.cells(), 5);
  EXPECT_EQ(found.unreadable(DecimalMark::kPoint), 3);
  EXPECT_EQ(found.largest(DecimalMark::kPoint), 1000);
  const auto examples = found.examples(DecimalMark::kPoint);
  ASSERT_EQ(examples.size(), 3);
  EXPECT_EQ(examples[0].at, "log:5");
  EXPECT_EQ(examples[0].cell, "call me");
}

}  // namespace amount_test
}  // namespace hannan::detail
