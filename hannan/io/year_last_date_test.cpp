#include "hannan/io/year_last_date.hpp"

#include <gtest/gtest.h>

namespace hannan::detail {
namespace year_last_date_test {

TEST(YearLastDate, ReadsThreeNumbersAndATime) {
  EXPECT_EQ(year_last_date("4/25/2003"), (YearLastDate{4, 25, 2003, -1}));
  EXPECT_EQ(year_last_date(" 25.04.2003 "), (YearLastDate{25, 4, 2003, -1}));
  EXPECT_EQ(year_last_date("25-4-2003 09:05"), (YearLastDate{25, 4, 2003, 9 * 3600 + 300}));
  EXPECT_EQ(year_last_date("4/5/2003 9:05:30 PM"), (YearLastDate{4, 5, 2003, 21 * 3600 + 330}));
  EXPECT_EQ(year_last_date("4/5/2003 12:00am"), (YearLastDate{4, 5, 2003, 0}));
  for (const char* text : {"", "4/25/03", "2003-04-25", "4/25-2003", "4/25/2003x", "4/25/2003 25:00", "4/25/2003 9:5",
                           "4/25/2003 13:00 PM", "123/4/2003", "4//2003", "4/25/20031", "1.5", "soon"})
    EXPECT_FALSE(year_last_date(text)) << text;
}

TEST(YearLastDate, IsWrittenSoThatTextIsInTheOrderOfTime) {
  EXPECT_EQ(iso_date({4, 5, 2003, -1}, DateOrder::kMonthFirst), "2003-04-05");
  EXPECT_EQ(iso_date({4, 5, 2003, -1}, DateOrder::kDayFirst), "2003-05-04");
  EXPECT_EQ(iso_date({4, 5, 2003, 9 * 3600 + 300}, DateOrder::kDayFirst), "2003-05-04 09:05:00");
  EXPECT_EQ(iso_date({4, 25, 2003, -1}, DateOrder::kDayFirst), "");  // no month 25
  EXPECT_EQ(iso_date({29, 2, 2003, -1}, DateOrder::kDayFirst), "");  // no leap year
  EXPECT_EQ(iso_date({29, 2, 2004, -1}, DateOrder::kDayFirst), "2004-02-29");
}

TEST(DateColumn, SaysWhichNumberIsTheDayByOneAboveTwelve) {
  DateColumn column;
  column.see({4, 12, 2003, -1});
  EXPECT_FALSE(column.order());
  EXPECT_FALSE(column.contradicts());
  column.see({4, 13, 2003, -1});
  EXPECT_EQ(column.order(), DateOrder::kMonthFirst);
  column.see({13, 4, 2003, -1});
  EXPECT_FALSE(column.order());
  EXPECT_TRUE(column.contradicts());
  DateColumn other;
  other.see({13, 4, 2003, -1});
  EXPECT_EQ(other.order(), DateOrder::kDayFirst);
}

}  // namespace year_last_date_test
}  // namespace hannan::detail
