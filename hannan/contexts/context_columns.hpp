// The columns of a context as --by names them, and the values that their cells stand for.
//
//   country            the cell as it is; bytes compare exactly
//   price[10;20;50]    the interval of a number: 0 below 10, 1 from 10 to below 20, ... 3 from 50 on
//   @hour, @weekday    of the column of times: 00 to 23; 1 (Monday) to 7
//
// A time is ISO 8601 (2026-11-15T09:30:00Z, 2026-11-15 09:30; the hour as written, whatever the zone), or a number of
// seconds since 1970, of milliseconds from 10^11 on. What is no number, or no time, has the value "" and is counted.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hannan::detail {

struct ContextColumn {
  enum class Kind { kPlain, kCuts, kHour, kWeekday };
  std::string text;    // as it was given: the name of the column in the learner's parameters
  std::string column;  // of the table; empty: that of the times
  Kind kind = Kind::kPlain;
  std::vector<double> cuts;
};

// Throws kOutOfRange for cuts that do not increase or more than 16 columns, kNotANumber for cuts that are no numbers,
// kUnknownName for a name with @ that does not exist; `at` is the flag. A column may be there more than once:
// check_orders (contexts/column_orders.hpp) says where not.
std::vector<ContextColumn> parse_context_columns(const std::vector<std::string>& by, const std::string& at);

// The value of a cell; none: it is no number, or no time.
std::optional<std::string> context_cell(const ContextColumn& column, std::string_view cell);

}  // namespace hannan::detail
