#include "hannan/contexts/context_columns.hpp"
#include "hannan/contexts/column_orders.hpp"

#include <gtest/gtest.h>

#include "hannan/core/error.hpp"

namespace hannan::detail {
namespace context_columns_test {

std::string value(const std::string& column, const std::string& cell) {
  return context_cell(parse_context_columns({column}, "--by")[0], cell).value_or("none");
}

TEST(ContextColumns, ACutIsTheFirstNumberOfItsInterval) {
  EXPECT_EQ(value("price[10;20;50]", "9.99"), "0");
  EXPECT_EQ(value("price[10;20;50]", "10"), "1");
  EXPECT_EQ(value("price[10;20;50]", "49"), "2");
  EXPECT_EQ(value("price[10;20;50]", " 50"), "3");
  EXPECT_EQ(value("price[10;20;50]", "-1e9"), "0");
  EXPECT_EQ(value("price[10;20;50]", ""), "none");
  EXPECT_EQ(value("price[10;20;50]", "nan"), "none");
}

TEST(ContextColumns, HoursAndWeekdaysOfTimes) {
  // 2024-02-29 was a Thursday, 1969-12-31 a Wednesday, 2000-01-01 a Saturday.
  EXPECT_EQ(value("@hour", "2024-02-29T07:15:00+02:00"), "05");
  EXPECT_EQ(value("@weekday", "2024-02-29T07:15:00+02:00"), "4");
  EXPECT_EQ(value("@weekday", "2024-02-29T01:15:00+02:00"), "3");
  EXPECT_EQ(value("@weekday", "20240229"), "4");
  ContextColumn east = parse_context_columns({"@hour"}, "--by")[0];
  east.times.zone = 2 * 3600;
  EXPECT_EQ(context_cell(east, "2024-02-29T07:15:00+02:00"), "07");
  EXPECT_EQ(context_cell(east, "2024-02-29T07:15:00Z"), "09");
  EXPECT_EQ(context_cell(east, "2024-02-29T07:15:00"), "07");  // what the clocks of the zone show
  EXPECT_EQ(context_cell(east, "1709190900"), "09");           // 07:15 in UTC
  EXPECT_EQ(value("@weekday", "2000-01-01 00:00"), "6");
  EXPECT_EQ(value("@day", "2024-02-29T23:15:00-02:00"), "2024-03-01");
  EXPECT_EQ(value("@month", "2024-02-29"), "2024-02");
  EXPECT_EQ(value("@month", "-1"), "1969-12");
  EXPECT_EQ(value("@hour", "-1"), "23");
  EXPECT_EQ(value("@weekday", "-1"), "3");
  EXPECT_EQ(value("@hour", "0"), "00");
  EXPECT_EQ(value("@weekday", "0"), "4");
  EXPECT_EQ(value("@hour", "1709190900000"), "07");  // milliseconds of 2024-02-29T07:15:00Z
  for (const char* bad : {"", "soon", "2024-13-01T00:00", "2024-01-01", "2024-01-01T24:00", "1e30"})
    EXPECT_EQ(value("@hour", bad), "none") << bad;
}

TEST(ContextColumns, ColumnsThatAreNoneAreRefused) {
  const auto code = [](const std::vector<std::string>& by) {
    try {
      parse_context_columns(by, "--by");
    } catch (const Error& e) {
      return e.code();
    }
    return Code::kInternal;
  };
  EXPECT_EQ(code({"a[2;1]"}), Code::kOutOfRange);
  EXPECT_EQ(code({"a[1;1]"}), Code::kOutOfRange);
  EXPECT_EQ(code({"a[]"}), Code::kNotANumber);
  EXPECT_EQ(code({"a[x]"}), Code::kNotANumber);
  EXPECT_EQ(code({"@year"}), Code::kUnknownName);
  EXPECT_EQ(code(std::vector<std::string>(17, "a")), Code::kOutOfRange);
}

TEST(ColumnOrders, OrdersThatAreNoneAreRefused) {
  const auto code = [](const ColumnOrders& orders) {
    try {
      check_orders(orders, "by");
    } catch (const Error& e) {
      return e.code();
    }
    return Code::kInternal;
  };
  EXPECT_EQ(code({{"a", "b"}, {"b"}}), Code::kInternal);  // nothing is wrong with these
  EXPECT_EQ(code({{"a", "a"}}), Code::kUnavailable);
  EXPECT_EQ(code({{"a", "b"}, {"a", "b"}}), Code::kUnavailable);
  EXPECT_EQ(code({{}}), Code::kOutOfRange);
  EXPECT_EQ(code({std::vector<std::string>(16, "a"), {"b"}}), Code::kOutOfRange);
}

}  // namespace context_columns_test
}  // namespace hannan::detail
