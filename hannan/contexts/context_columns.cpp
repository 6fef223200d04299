// Columns of contexts from --by and the values of their cells (context_columns.hpp). A value is text, so that contexts
// compare byte by byte: intervals become their number, hours two digits, weekdays 1 to 7.
#include "hannan/contexts/context_columns.hpp"

#include <algorithm>

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

// Values that are made of the day of a time, whose columns have one kind.
constexpr std::string_view kOfDay[] = {"@weekday", "@day", "@month"};

}  // namespace

// Names with @ are taken from the time of the row and name no column.
std::vector<ContextColumn> parse_context_columns(const std::vector<std::string>& by, const std::string& at) {
  std::vector<ContextColumn> columns;
  if (by.size() > kMostColumns) {
    throw Error(Code::kOutOfRange,
                "found " + std::to_string(by.size()) + " columns, expected at most " + std::to_string(kMostColumns),
                at);
  }
  for (const std::string& text : by) {
    ContextColumn column{.text = text, .column = text, .cuts = {}, .times = {}};
    if (text.starts_with('@')) {
      const bool of_day = std::find(std::begin(kOfDay), std::end(kOfDay), text) != std::end(kOfDay);
      if (!of_day && text != "@hour")
        throw Error(Code::kUnknownName, "found \"" + text + "\", expected @hour, @weekday, @day or @month", at);
      column.kind = of_day ? ContextColumn::Kind::kWeekday : ContextColumn::Kind::kHour;
      column.column.clear();
    } else {
      read_cuts(column, at);
    }
    columns.push_back(std::move(column));
  }
  return columns;
}

std::vector<ContextColumn> proposal_columns(const std::vector<std::string>& names) {
  std::vector<ContextColumn> columns;
  for (const std::string& name : names)
    columns.push_back({.text = name, .column = name, .cuts = {}, .times = {}, .use = ContextColumn::Use::kProposal});
  return columns;
}

// The segment value of a cell; none where a number or a time is expected and there is none, which the caller counts.
std::optional<std::string> context_cell(const ContextColumn& column, std::string_view cell) {
  using Kind = ContextColumn::Kind;
  if (column.kind == Kind::kPlain) return std::string(cell);
  if (column.kind == Kind::kCuts) {
    double number = 0;
    if (read_amount(cell, column.decimal, number) != Reading::kFinite) return std::nullopt;
    const auto above = std::upper_bound(column.cuts.begin(), column.cuts.end(), number);
    return std::to_string(above - column.cuts.begin());
  }
  const auto time = zone_time(cell, column.times);
  if (!time || (column.kind == Kind::kHour && !time->has_clock)) return std::nullopt;
  if (column.text == "@day") return clock_text(time->shown, false);
  if (column.text == "@month") return clock_text(time->shown, false).substr(0, 7);
  constexpr std::int64_t kDay = 86400;
  const std::int64_t seconds = time->shown.seconds;
  // Rounded down also before 1970, where the quotient of C++ rounds towards 0.
  const std::int64_t days = seconds / kDay - (seconds % kDay < 0 ? 1 : 0);
  const std::int64_t hour = (seconds - days * kDay) / 3600;
  if (column.kind == Kind::kHour) return (hour < 10 ? "0" : "") + std::to_string(hour);
  // 1970-01-01 was a Thursday.
  return std::to_string(1 + ((days + 3) % 7 + 7) % 7);
}

}  // namespace hannan::detail
