#include "hannan/io/written_time.hpp"

#include <gtest/gtest.h>

#include "hannan/core/error.hpp"

namespace hannan::detail {
namespace written_time_test {

// As the clocks of the zone show it.
std::string shown(std::string_view cell, const TimeWriting& writing = {}) {
  const auto time = zone_time(cell, writing);
  return time ? clock_text(time->shown, time->has_clock) : "none";
}

TEST(WrittenTime, IsTheSameInstantHoweverItIsWritten) {
  const TimeWriting days{.dates = DateOrder::kDayFirst};
  // 2026-11-15 09:30:00 in UTC is 1794735000 seconds after 1970.
  for (const char* cell :
       {"2026-11-15T09:30:00Z", "2026-11-15 09:30:00", "2026-11-15T09:30", "2026-11-15T11:30:00+02:00",
        "2026-11-15 04:30:00 -0500", "2026/11/15 09:30", "2026-11-15T09:30:00.000Z", "15.11.2026 09:30",
        "15/11/2026 9:30 AM", "15 Nov 2026 09:30", "Nov 15, 2026 9:30:00", "15-Nov-2026 09:30:00", "1794735000",
        "1794735000000", "15/Nov/2026:09:30:00 +0000", "2026-11-15 09:30 UTC"})
    EXPECT_EQ(shown(cell, days), "2026-11-15 09:30:00") << cell;
  for (const char* cell : {"2026-11-15", "20261115", "2026/11/15", "15.11.2026", "15-11-2026", "Nov 15, 2026"})
    EXPECT_EQ(shown(cell, days), "2026-11-15") << cell;
  EXPECT_EQ(shown("11/15/2026 9:30 PM", {.dates = DateOrder::kMonthFirst}), "2026-11-15 21:30:00");
}

TEST(WrittenTime, IsCountedInOneZone) {
  const TimeWriting east{.zone = 2 * 3600};
  EXPECT_EQ(shown("2026-11-15T23:30:00Z", east), "2026-11-16 01:30:00");
  EXPECT_EQ(shown("2026-11-15T23:30:00", east), "2026-11-15 23:30:00");
  EXPECT_EQ(shown("1794735000", east), "2026-11-15 11:30:00");
}

TEST(WrittenTime, OtherTextIsNone) {
  for (const char* cell : {"", "soon", "2024-13-01", "2024-02-30", "2024-01-01T24:00", "4/5/2003", "1:30", "x 1:30",
                           "2024-01-31-A", "1e30", "10.0.0.1"})
    EXPECT_EQ(shown(cell), "none") << cell;
}

TEST(WrittenTime, KnowsOffsetsAndNoNamesOfZones) {
  EXPECT_EQ(zone_seconds("UTC", "--zone"), 0);
  EXPECT_EQ(zone_seconds("+02:00", "--zone"), 7200);
  EXPECT_EQ(zone_seconds("-0530", "--zone"), -19800);
  EXPECT_EQ(zone_seconds("+2", "--zone"), 7200);
  EXPECT_EQ(zone_text(-19800), "-05:30");
  EXPECT_THROW(zone_seconds("Europe/Zurich", "--zone"), Error);
}

}  // namespace written_time_test
}  // namespace hannan::detail
