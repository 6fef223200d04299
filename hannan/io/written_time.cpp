// A text of a time is taken apart from its end: the offset, the fraction of a second, the clock, then the date.
//
// Days are counted by std::chrono in the Gregorian calendar, seconds from there; no time zone database and no clock of
// the machine is asked. A form is accepted only if all of the text is explained.
#include "hannan/io/written_time.hpp"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <cmath>

#include "hannan/core/digit.hpp"
#include "hannan/core/error.hpp"
#include "hannan/core/small_letters.hpp"
#include "hannan/io/csv.hpp"

namespace hannan::detail {
namespace {

constexpr std::int64_t kDay = 86400;

// The number of `digits` digits at a place, or -1.
int number_at(std::string_view text, std::size_t at, std::size_t digits) {
  if (at + digits > text.size()) return -1;
  int value = 0;
  for (std::size_t i = at; i < at + digits; ++i) {
    if (!is_digit(text[i])) return -1;
    value = 10 * value + (text[i] - '0');
  }
  return value;
}

bool is_day(int year, int month, int day) {
  return month >= 1 && day >= 1 &&
         std::chrono::year_month_day{std::chrono::year{year}, std::chrono::month{static_cast<unsigned>(month)},
                                     std::chrono::day{static_cast<unsigned>(day)}}
             .ok();
}

// "+02:00", "-0530", "+02", "+2" as seconds.
std::optional<int> offset_of(std::string_view text) {
  if (text.size() < 2 || (text[0] != '+' && text[0] != '-')) return std::nullopt;
  const std::size_t colon = text.find(':');
  const std::size_t hour_digits = colon != std::string_view::npos ? colon - 1
                                  : text.size() >= 4              ? text.size() - 3
                                                                  : text.size() - 1;
  if (hour_digits < 1 || hour_digits > 2) return std::nullopt;
  const int hours = number_at(text, 1, hour_digits);
  const std::string_view rest = text.substr(1 + hour_digits + (colon == std::string_view::npos ? 0 : 1));
  const int minutes = rest.empty() && colon == std::string_view::npos ? 0
                      : rest.size() == 2                              ? number_at(rest, 0, 2)
                                                                      : -1;
  if (hours < 0 || hours > 14 || minutes < 0 || minutes > 59) return std::nullopt;
  return (text[0] == '-' ? -1 : 1) * (3600 * hours + 60 * minutes);
}

// Takes the offset behind a clock off the text.
std::optional<int> take_offset(std::string_view& text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  for (const std::string_view name : {"Z", "z", "UTC", "GMT"}) {
    if (!text.ends_with(name)) continue;
    text = trimmed(text.substr(0, text.size() - name.size()));
    return 0;
  }
  const std::size_t sign = text.find_first_of("+-", colon);
  if (sign == std::string_view::npos) return std::nullopt;
  const auto offset = offset_of(text.substr(sign));
  if (offset) text = trimmed(text.substr(0, sign));
  return offset;
}

// Takes a fraction of a second off: digits behind a point or a comma that follows the seconds, before AM or PM.
// Digits beyond the ninth count nothing: scale is 0 there.
int take_fraction(std::string_view text, std::string& without) {
  without = text;
  const std::size_t last = text.rfind(':');
  if (last == std::string_view::npos || number_at(text, last + 1, 2) < 0 || last + 3 >= text.size()) return 0;
  if (text[last + 3] != '.' && text[last + 3] != ',') return 0;
  std::size_t end = last + 4;
  int nanoseconds = 0, scale = 100'000'000;
  for (; end < text.size() && is_digit(text[end]); ++end, scale /= 10) nanoseconds += (text[end] - '0') * scale;
  if (end == last + 4) return 0;
  without = std::string(text.substr(0, last + 3)) + std::string(text.substr(end));
  return nanoseconds;
}

// "15 Nov 2026", "15-Nov-2026", "15/Nov/2026", "Nov 15, 2026" with the number of the month; other text as it is. The
// result has the year first.
std::string without_month_name(std::string_view date) {
  static constexpr std::array<std::string_view, 12> kMonths{"jan", "feb", "mar", "apr", "may", "jun",
                                                            "jul", "aug", "sep", "oct", "nov", "dec"};
  std::array<std::string, 3> words;
  std::size_t count = 0;
  for (const char c : date) {
    const bool between = c == ' ' || c == '-' || c == '/' || c == ',' || c == '.';
    if (between) {
      if (count < 3 && !words[count].empty()) ++count;
      continue;
    }
    if (count == 3) return std::string(date);
    words[count] += c;
  }
  if (count < 3 && !words[count].empty()) ++count;
  if (count != 3) return std::string(date);
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::size_t month = 0; month < kMonths.size(); ++month) {
      const std::string& day = words[1 - i];
      if (words[i].size() < 3 || !small_letters(words[i]).starts_with(kMonths[month])) continue;
      if (words[2].size() != 4 || day.size() > 2) return std::string(date);
      return fmt::format("{}-{:02}-{:0>2}", words[2], month + 1, day);
    }
  }
  return std::string(date);
}

// Takes the date with the year first off the beginning; false where there is none.
bool take_year_first(std::string_view& text, YearLastDate& date) {
  date.year = number_at(text, 0, 4);
  if (date.year < 0 || text.size() < 8) return false;
  const char between = text[4];
  if (between != '-' && between != '/' && between != '.') return false;
  const std::size_t second = text.find(between, 5);
  if (second == std::string_view::npos || second < 6 || second > 7) return false;
  date.first = number_at(text, 5, second - 5);
  const std::size_t digits = second + 2 < text.size() && is_digit(text[second + 2]) ? 2 : 1;
  date.second = number_at(text, second + 1, digits);
  text.remove_prefix(std::min(second + 1 + digits, text.size()));
  return date.first >= 0 && date.second >= 0 && is_day(date.year, date.first, date.second);
}

// A date with the year last in front of its clock lets year_last_date read the clock of any date.
int clock_seconds(std::string_view clock) {
  if (clock.size() == 2)
    return number_at(clock, 0, 2) < 0 || number_at(clock, 0, 2) > 23 ? -1 : 3600 * number_at(clock, 0, 2);
  const auto read = year_last_date("1.1.2000 " + std::string(clock));
  return read ? read->seconds : -1;
}

// A cell that is nothing but a number: seconds, milliseconds or a day written as 20261115. Which of them is decided for
// a whole column, so that only what the digits allow is noted here.
TimeParts number_parts(std::string_view text) {
  TimeParts parts;
  double number = 0;
  if (text.find_first_not_of("0123456789.-") != std::string_view::npos || read_number(text, number) != Reading::kFinite)
    return parts;
  parts.form = TimeParts::Form::kNumber;
  parts.digits = static_cast<int>(std::min(text.find('.'), text.size()) - (text[0] == '-' ? 1 : 0));
  const int year = number_at(text, 0, 4);
  parts.day = text.size() == 8 && parts.digits == 8 && year >= 1900 && year < 2200 &&
              is_day(year, number_at(text, 4, 2), number_at(text, 6, 2));
  return parts;
}

// Seconds, or milliseconds where that is stated or the number is too large for seconds of this age. Rounded down, so
// that the fraction is in [0,1).
Instant since_1970(std::string_view text, const TimeWriting& writing, const TimeParts& parts) {
  using Numbers = TimeWriting::Numbers;
  double number = 0;
  read_number(text, number);
  constexpr double kMilliseconds = 1e11;  // as seconds it would be the year 5138
  const bool by_size = writing.numbers == Numbers::kByDigits || writing.numbers == Numbers::kDays;
  if (parts.day && by_size)
    return {days_of(number_at(text, 0, 4), number_at(text, 4, 2), number_at(text, 6, 2)) * kDay, 0};
  if (writing.numbers == Numbers::kMilliseconds || (by_size && std::abs(number) >= kMilliseconds)) number /= 1000;
  const double whole = std::floor(number);
  return {static_cast<std::int64_t>(whole), static_cast<int>((number - whole) * 1e9)};
}

}  // namespace

// Days since 1970-01-01, negative before it. The date must exist (is_day).
std::int64_t days_of(int year, int month, int day) {
  return std::chrono::sys_days{std::chrono::year{year} / month / day}.time_since_epoch().count();
}

TimeParts time_parts(std::string_view cell) {
  std::string_view text = trimmed(cell);
  if (text.size() < 1 || text.size() > 60) return {};
  if (TimeParts number = number_parts(text); number.form != TimeParts::Form::kNone) return number;
  TimeParts parts;
  parts.offset = take_offset(text);
  std::string held;
  parts.nanoseconds = take_fraction(text, held);
  // held is the text without offset and fraction. clock = index of the first digit of the hour, or held.size() where
  // there is no clock; "2026-11-15T09" has 13 characters and its hour from place 11 on.
  // The clock begins with the digits before the first colon.
  std::size_t clock = held.find(':');
  if (clock != std::string::npos && clock > 0 && !is_digit(held[clock - 1])) return {};
  if (clock == std::string::npos) {
    clock = held.size() == 13 && (held[10] == 'T' || held[10] == ' ') ? 11 : held.size();
  } else {
    if (clock > 4 && held.find('/') != std::string::npos && number_at(held, clock - 4, 4) >= 0)
      held[clock] = ' ', clock = held.find(':', clock);  // 15/Nov/2026:09:30:00
    while (clock != std::string::npos && clock > 0 && is_digit(held[clock - 1])) --clock;
    if (clock == std::string::npos) return {};
  }
  std::string_view date = held, hours;
  if (clock < held.size()) {
    hours = date.substr(clock);
    if (clock == 0 || (held[clock - 1] != ' ' && held[clock - 1] != 'T')) return {};
    date = trimmed(date.substr(0, clock - 1));
    if (date.ends_with(',')) date.remove_suffix(1);
  }
  const std::string named = without_month_name(date);
  date = named;
  const int seconds = hours.empty() ? -1 : clock_seconds(hours);
  if (!hours.empty() && seconds < 0) return {};
  if (take_year_first(date, parts.date)) {
    if (!date.empty()) return {};
    parts.form = TimeParts::Form::kYearFirst;
  } else if (const auto last = year_last_date(named)) {
    parts.date = *last;
    parts.form = TimeParts::Form::kYearLast;
  }
  parts.date.seconds = seconds;
  return parts;
}

// One cell under the reading of its column. None where the cell is no time, or a date with the year last whose order of
// day and month is not known.
std::optional<WrittenTime> written_time(std::string_view cell, const TimeWriting& writing) {
  const TimeParts parts = time_parts(cell);
  if (parts.form == TimeParts::Form::kNone) return std::nullopt;
  if (parts.form == TimeParts::Form::kNumber) {
    constexpr double kMost = 1e15;
    double number = 0;
    read_number(cell, number);
    if (std::abs(number) > kMost) return std::nullopt;
    const bool days = parts.day && (writing.numbers == TimeWriting::Numbers::kByDigits ||
                                    writing.numbers == TimeWriting::Numbers::kDays);
    return WrittenTime{since_1970(trimmed(cell), writing, parts), days ? std::nullopt : std::optional(0), !days};
  }
  YearLastDate date = parts.date;
  if (parts.form == TimeParts::Form::kYearLast) {
    if (!writing.dates) return std::nullopt;
    if (*writing.dates == DateOrder::kDayFirst) std::swap(date.first, date.second);
    if (!is_day(date.year, date.first, date.second)) return std::nullopt;
  }
  return WrittenTime{
      {days_of(date.year, date.first, date.second) * kDay + std::max(date.seconds, 0), parts.nanoseconds},
      parts.offset,
      date.seconds >= 0};
}

// In the zone that is asked for; a time without an offset is taken to be in that zone already.
std::optional<WrittenTime> zone_time(std::string_view cell, const TimeWriting& writing) {
  auto time = written_time(cell, writing);
  if (time && time->offset) time->shown.seconds += writing.zone - *time->offset;
  return time;
}

// Days are rounded down, also before 1970: seconds is in [0, kDay).
std::string clock_text(const Instant& shown, bool has_clock) {
  const std::int64_t days = shown.seconds / kDay - (shown.seconds % kDay < 0 ? 1 : 0);
  const std::chrono::year_month_day date{std::chrono::sys_days{std::chrono::days{days}}};
  std::string text = fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()),
                                 static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
  const std::int64_t seconds = shown.seconds - days * kDay;
  if (has_clock) text += fmt::format(" {:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
  return text;
}

// Only fixed offsets: a named zone would need a database that changes from year to year, and records would no longer
// verify.
int zone_seconds(std::string_view text, const std::string& at) {
  const std::string small = small_letters(trimmed(text));
  if (small.empty() || small == "utc" || small == "z" || small == "gmt") return 0;
  if (const auto offset = offset_of(trimmed(text))) return *offset;
  throw Error(Code::kUnknownName,
              "found \"" + std::string(text) +
                  "\", expected UTC or an offset such as +02:00: names of zones, whose offset changes in the year, are "
                  "not known; write times with their offsets",
              at);
}

std::string zone_text(int seconds) {
  if (seconds == 0) return "UTC";
  const int size = seconds < 0 ? -seconds : seconds;
  return fmt::format("{}{:02}:{:02}", seconds < 0 ? '-' : '+', size / 3600, size / 60 % 60);
}

}  // namespace hannan::detail
