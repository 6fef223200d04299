#include "hannan/contexts/context_columns.hpp"

#include <algorithm>
#include <cmath>

#include "hannan/contexts/context_values.hpp"
#include "hannan/core/error.hpp"
#include "hannan/core/text.hpp"
#include "hannan/io/csv.hpp"

namespace hannan::detail {
namespace {

// "price[10;20;50]"; nothing where there are no brackets.
void read_cuts(ContextColumn& column, const std::string& at) {
  const std::size_t open = column.text.rfind('[');
  if (open == std::string::npos || open == 0 || !column.text.ends_with(']')) return;
  column.kind = ContextColumn::Kind::kCuts;
  column.column = column.text.substr(0, open);
  const std::string_view list = std::string_view(column.text).substr(open + 1, column.text.size() - open - 2);
  for (std::size_t from = 0; from <= list.size();) {
    const std::size_t end = std::min(list.find(';', from), list.size());
    const double cut = parse_number(list.substr(from, end - from), at);
    if (!column.cuts.empty() && !(cut > column.cuts.back())) {
      throw Error(Code::kOutOfRange,
                  "found the cut " + number_text(cut) + " after " + number_text(column.cuts.back()) + " in \"" +
                      column.text + "\", expected cuts that increase",
                  at);
    }
    column.cuts.push_back(cut);
    from = end + 1;
  }
}

struct Time {
  std::int64_t days = 0;  // since 1970-01-01
  int hour = 0;
};

// Days since 1970-01-01 of a date of the Gregorian calendar: whole years and months counted from a first of March.
std::int64_t days_of(std::int64_t year, int month, int day) {
  if (month <= 2) --year;
  const std::int64_t era = (year >= 0 ? year : year - 399) / 400;
  const std::int64_t of_era = year - era * 400;
  const std::int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

// Two digits at a place of the text, or -1.
int two_digits(std::string_view text, std::size_t at) {
  const auto digit = [&](std::size_t i) { return i < text.size() && text[i] >= '0' && text[i] <= '9'; };
  return digit(at) && digit(at + 1) ? (text[at] - '0') * 10 + (text[at + 1] - '0') : -1;
}

// 2026-11-15T09..., or with a space; the rest of it is not looked at.
std::optional<Time> iso_time(std::string_view text) {
  const int century = two_digits(text, 0), year = two_digits(text, 2), month = two_digits(text, 5),
            day = two_digits(text, 8), hour = two_digits(text, 11);
  if (text.size() < 13 || century < 0 || year < 0 || text[4] != '-' || text[7] != '-') return std::nullopt;
  if (month < 1 || month > 12 || day < 1 || day > 31 || hour < 0 || hour > 23) return std::nullopt;
  if (text[10] != 'T' && text[10] != ' ') return std::nullopt;
  return Time{days_of(century * 100 + year, month, day), hour};
}

std::optional<Time> time_of(std::string_view cell) {
  constexpr double kMilliseconds = 1e11;  // as seconds it would be the year 5138
  constexpr double kMost = 1e15;
  double number = 0;
  if (read_number(cell, number) != Reading::kFinite) return iso_time(trimmed(cell));
  if (std::abs(number) > kMost) return std::nullopt;
  const auto seconds =
      static_cast<std::int64_t>(std::floor(std::abs(number) >= kMilliseconds ? number / 1000 : number));
  std::int64_t days = seconds / 86400;
  if (seconds % 86400 < 0) --days;
  return Time{days, static_cast<int>((seconds - days * 86400) / 3600)};
}

}  // namespace

std::vector<ContextColumn> parse_context_columns(const std::vector<std::string>& by, const std::string& at) {
  std::vector<ContextColumn> columns;
  if (by.size() > kMostColumns) {
    throw Error(Code::kOutOfRange,
                "found " + std::to_string(by.size()) + " columns, expected at most " + std::to_string(kMostColumns),
                at);
  }
  for (const std::string& text : by) {
    ContextColumn column{.text = text, .column = text, .kind = ContextColumn::Kind::kPlain, .cuts = {}};
    if (text.starts_with('@')) {
      if (text != "@hour" && text != "@weekday")
        throw Error(Code::kUnknownName, "found \"" + text + "\", expected @hour or @weekday", at);
      column.kind = text == "@hour" ? ContextColumn::Kind::kHour : ContextColumn::Kind::kWeekday;
      column.column.clear();
    } else {
      read_cuts(column, at);
    }
    columns.push_back(std::move(column));
  }
  return columns;
}

std::optional<std::string> context_cell(const ContextColumn& column, std::string_view cell) {
  using Kind = ContextColumn::Kind;
  if (column.kind == Kind::kPlain) return std::string(cell);
  if (column.kind == Kind::kCuts) {
    double number = 0;
    if (read_number(cell, number) != Reading::kFinite) return std::nullopt;
    const auto above = std::upper_bound(column.cuts.begin(), column.cuts.end(), number);
    return std::to_string(above - column.cuts.begin());
  }
  const auto time = time_of(cell);
  if (!time) return std::nullopt;
  if (column.kind == Kind::kHour) return (time->hour < 10 ? "0" : "") + std::to_string(time->hour);
  // 1970-01-01 was a Thursday.
  return std::to_string(1 + ((time->days + 3) % 7 + 7) % 7);
}

}  // namespace hannan::detail
