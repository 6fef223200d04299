// A date with the year last, taken from left to right; which number is the day is not decided here (DateColumn).
#include "hannan/io/year_last_date.hpp"

#include <fmt/format.h>

#include <chrono>

#include "hannan/core/small_letters.hpp"
#include "hannan/io/csv.hpp"

namespace hannan::detail {
namespace {

// Takes a number of `least` to `most` digits off the beginning; -1 where there is none.
int take_number(std::string_view& text, std::size_t least, std::size_t most) {
  std::size_t count = 0;
  int value = 0;
  // One digit more than allowed is read, so that a longer number is refused and not cut off; `most` is at most 4, no
  // overflow.
  while (count < text.size() && count <= most && text[count] >= '0' && text[count] <= '9')
    value = 10 * value + (text[count++] - '0');
  if (count < least || count > most) return -1;
  text.remove_prefix(count);
  return value;
}

bool take(std::string_view& text, char c) {
  if (text.empty() || text[0] != c) return false;
  text.remove_prefix(1);
  return true;
}

// Seconds of the day of 9:05, 09:05:30 or 9:05 PM; -1 where it is none of them.
int time_of_day(std::string_view text) {
  int hour = take_number(text, 1, 2);
  if (hour < 0 || !take(text, ':')) return -1;
  const int minute = take_number(text, 2, 2);
  const int second = take(text, ':') ? take_number(text, 2, 2) : 0;
  if (minute < 0 || minute > 59 || second < 0 || second > 59) return -1;
  take(text, ' ');
  if (const std::string half = small_letters(text); half == "am" || half == "pm") {
    if (hour < 1 || hour > 12) return -1;
    hour = hour % 12 + (half == "pm" ? 12 : 0);
    text = {};
  }
  return hour > 23 || !text.empty() ? -1 : 3600 * hour + 60 * minute + second;
}

}  // namespace

// Two numbers, a year of four digits, and perhaps a time; the same mark between all three. The numbers are not checked:
// whether a date exists depends on their order.
std::optional<YearLastDate> year_last_date(std::string_view text) {
  text = trimmed(text);
  YearLastDate date;
  date.first = take_number(text, 1, 2);
  if (date.first < 0 || text.empty() || (text[0] != '/' && text[0] != '.' && text[0] != '-')) return std::nullopt;
  const char between = text[0];
  text.remove_prefix(1);
  date.second = take_number(text, 1, 2);
  if (date.second < 0 || !take(text, between)) return std::nullopt;
  date.year = take_number(text, 4, 4);
  if (date.year < 0) return std::nullopt;
  if (text.empty()) return date;
  if (!take(text, ' ') && !take(text, 'T')) return std::nullopt;
  date.seconds = time_of_day(text);
  if (date.seconds < 0) return std::nullopt;
  return date;
}

// Empty where there is no such day.
std::string iso_date(const YearLastDate& date, DateOrder order) {
  const int day = order == DateOrder::kDayFirst ? date.first : date.second;
  const int month = order == DateOrder::kDayFirst ? date.second : date.first;
  const std::chrono::year_month_day known{std::chrono::year{date.year},
                                          std::chrono::month{static_cast<unsigned>(month)},
                                          std::chrono::day{static_cast<unsigned>(day)}};
  if (!known.ok()) return {};
  std::string text = fmt::format("{:04}-{:02}-{:02}", date.year, month, day);
  if (date.seconds >= 0)
    text += fmt::format(" {:02}:{:02}:{:02}", date.seconds / 3600, date.seconds / 60 % 60, date.seconds % 60);
  return text;
}

}  // namespace hannan::detail
