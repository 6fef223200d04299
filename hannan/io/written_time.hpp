// A time or a date in a cell, as people and programs write it.
//
//   2026-11-15T09:30:00.25Z   2026-11-15 09:30 +02:00   2026/11/15   15.11.2026 09:30   11/15/2026 9:30 PM
//   15 Nov 2026   Nov 15, 2026 9:30   20261115   1794735000   1794735000000
//
// With the year last the column says which number is the day (year_last_date.hpp). Numbers: eight digits that are a day
// of the years 1900 to 2199 are that day, numbers from 10^11 on are milliseconds since 1970, others seconds;
// time_column.hpp asks where a column of them is none of these for sure.
//
// A time with an offset, or a number since 1970, is a point in time. One without is what the clocks of the zone show
// that the run has (--zone, UTC where it is not stated): all times of a run are counted in that one zone.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "hannan/io/year_last_date.hpp"

namespace hannan::detail {

// Since 1970-01-01 00:00, in UTC or on the clocks of a zone.
struct Instant {
  std::int64_t seconds = 0;
  int nanoseconds = 0;
  friend auto operator<=>(const Instant&, const Instant&) = default;
};

// How the times of a run are written.
struct TimeWriting {
  std::optional<DateOrder> dates;  // what comes first with the year last; none: not known
  enum class Numbers { kByDigits, kSeconds, kMilliseconds, kDays } numbers = Numbers::kByDigits;
  int zone = 0;  // seconds east of UTC: of times without an offset, and in which hours and days are counted
};

struct WrittenTime {
  Instant shown;              // as the text shows it
  std::optional<int> offset;  // seconds east of UTC; none: the text does not say it
  bool has_clock = false;     // not a date alone
};

// Nothing where it is no time.
std::optional<WrittenTime> written_time(std::string_view cell, const TimeWriting& writing);
// The same on the clocks of the zone.
std::optional<WrittenTime> zone_time(std::string_view cell, const TimeWriting& writing);

// The parts of a text before it is known what comes first.
struct TimeParts {
  enum class Form { kNone, kNumber, kYearFirst, kYearLast } form = Form::kNone;
  int digits = 0;       // of a number, before its decimal point
  bool day = false;     // of a number: its eight digits are a day
  YearLastDate date;    // with the year first `first` is the month and `second` the day
  int nanoseconds = 0;  // of the clock
  std::optional<int> offset;
};
TimeParts time_parts(std::string_view cell);

std::int64_t days_of(int year, int month, int day);            // since 1970-01-01, of the Gregorian calendar
std::string clock_text(const Instant& shown, bool has_clock);  // "2003-04-25 09:05:00", or the day alone

// "UTC", "Z", "+02:00", "-0530" or "+2" as seconds; kUnknownName at `at` for others: names such as Europe/Zurich are
// not known.
int zone_seconds(std::string_view text, const std::string& at);
std::string zone_text(int seconds);  // "UTC" or "+02:00"

}  // namespace hannan::detail
