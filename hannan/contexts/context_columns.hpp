// The columns of a context as --by names them, and the values that their cells stand for.
//
//   country            the cell as it is; bytes compare exactly
//   price[10;20;50]    the interval of a number (io/amount.hpp): 0 below 10, 1 from 10 to below 20, ... 3 from 50 on
//   @hour, @weekday    of the column of times: 00 to 23; 1 (Monday) to 7; also @day, 2024-03-17, and @month, 2024-03
//
// Times are read as io/written_time.hpp says; hours and days are those of the one zone that the run has. What is no
// number, or no time, has the value "" and is counted.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hannan/io/amount.hpp"
#include "hannan/io/written_time.hpp"

namespace hannan::detail {

struct ContextColumn {
  enum class Kind { kPlain, kCuts, kHour, kWeekday };  // kWeekday: of the day; @weekday, @day or @month by `text`
  // What a value is for: a segment, or what a strategy of a portfolio proposes, which no segment is told apart by.
  enum class Use { kSegment, kProposal };
  std::string text;    // as it was given: the name of the column in the learner's parameters
  std::string column;  // of the table; empty: that of the times
  Kind kind = Kind::kPlain;
  std::vector<double> cuts;
  DecimalMark decimal = DecimalMark::kPoint;  // of the numbers that are cut
  TimeWriting times;                          // of hours and weekdays, with their zone
  Use use = Use::kSegment;
  const char* flag() const { return use == Use::kProposal ? "--propose" : "--by"; }  // that names it
};

// Throws kOutOfRange for cuts that do not increase or more than 16 columns, kNotANumber for cuts that are no numbers,
// kUnknownName for a name with @ that does not exist; `at` is the flag. A column may be there more than once:
// check_orders (contexts/column_orders.hpp) says where not.
std::vector<ContextColumn> parse_context_columns(const std::vector<std::string>& by, const std::string& at);

// Columns of proposals: each the name of a column, whatever it looks like.
std::vector<ContextColumn> proposal_columns(const std::vector<std::string>& names);

// The value of a cell; none: it is no number, or no time.
std::optional<std::string> context_cell(const ContextColumn& column, std::string_view cell);

}  // namespace hannan::detail
