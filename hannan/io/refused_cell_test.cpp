#include "hannan/io/refused_cell.hpp"

#include <gtest/gtest.h>

#include "hannan/core/error.hpp"

namespace hannan::detail {
namespace refused_cell_test {

TEST(RefusedCells, KnowsDatesFromOtherText) {
  for (const char* date :
       {"2024-01-31", "2024/1/3", "31.1.2024", "1/31/2024", " 2024-01-31 ", "2024-01-31 12:00", "2024-01-31T12:00:00Z"})
    EXPECT_TRUE(looks_like_date(date)) << date;
  for (const char* other : {"", "2024", "2024-01", "1.2.3", "2024-01.31", "2024-001-1", "20240131", "0.5", "1-2-3-4",
                            "monday", "2024-01-31x", "192.168.1.2024"})
    EXPECT_FALSE(looks_like_date(other)) << other;
}

std::string message(std::string_view cell, std::string_view column) {
  try {
    refuse_text_cell(cell, column, "x.csv:2:1");
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), Code::kNotANumber);
    EXPECT_EQ(e.at(), "x.csv:2:1");
    return e.message();
  }
}

TEST(RefusedCells, AreRefusedWithTheFlagsThatLeaveTheirColumnOut) {
  EXPECT_EQ(message("2024-01-31", "day"),
            "found a string \"2024-01-31\" in the column \"day\", expected a finite number; --timestamp day says that "
            "it holds dates, --drop day leaves it out");
  EXPECT_EQ(message("Rome", "city"),
            "found a string \"Rome\" in the column \"city\", expected a finite number; --drop city leaves it out");
  EXPECT_EQ(message("Rome", ""),
            "found a string \"Rome\", expected a finite number; a first row with the names of the columns lets --drop "
            "NAME leave one out");
  EXPECT_EQ(message("", "a"), "found an empty field in the column \"a\", expected a finite number");
  EXPECT_EQ(message("nan", ""), "found a string \"nan\", expected a finite number");
}

}  // namespace refused_cell_test
}  // namespace hannan::detail
