// Outcomes that are rows of a table of numbers.
//
// A problem whose outcomes are rows offers row_width() (how many numbers; 0: none), outcome_from_row(row, y), which
// throws what is wrong with the row, and row_range() where the numbers may leave [0,1]. The functions here ask a
// problem and answer for one that offers nothing: no rows.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "hannan/core/error.hpp"
#include "hannan/core/interval.hpp"
#include "hannan/core/text.hpp"

namespace hannan::detail {

template <class P>
std::size_t row_width(const P& p) {
  if constexpr (requires { p.row_width(); }) {
    return p.row_width();
  } else {
    return 0;
  }
}

template <class P>
Interval row_range(const P& p) {
  if constexpr (requires { p.row_range(); }) {
    return p.row_range();
  } else {
    return kUnit;
  }
}

// What an empty cell of a row, a NaN, is to the problem: nothing, or a value that is missing. A problem to which it is
// something says so by row_gaps(); one that would allow it with other parameters says by row_gap_hint() which ones.
enum class RowGaps { kRefused, kAllowed };

template <class P>
RowGaps row_gaps(const P& p) {
  if constexpr (requires { p.row_gaps(); }) {
    return p.row_gaps();
  } else {
    return RowGaps::kRefused;
  }
}

template <class P>
std::string_view row_gap_hint(const P& p) {
  if constexpr (requires { p.row_gap_hint(); }) {
    return p.row_gap_hint();
  } else {
    return {};
  }
}

[[noreturn]] inline void refuse_row() {
  throw Error(Code::kUnavailable, "an outcome of this problem is no row of numbers", "outcome");
}

template <class P>
void outcome_from_row(const P& p, std::span<const double> row, typename P::Outcome& y) {
  if constexpr (requires { p.outcome_from_row(row, y); }) {
    p.outcome_from_row(row, y);
  } else {
    refuse_row();
  }
}

// A number of a row that stands for one of `count` things, 0 to count - 1; `path` is its place in messages.
inline std::uint64_t index_in_row(double number, std::uint64_t count, const std::string& path = "outcome") {
  if (number != std::trunc(number) || std::isinf(number))
    throw Error(Code::kWrongType, "found " + number_text(number) + ", expected an integer", path);
  if (number < 0 || number > static_cast<double>(count - 1)) {
    throw Error(Code::kOutOfRange,
                "found " + number_text(number) + ", expected an integer in 0.." + std::to_string(count - 1), path);
  }
  return static_cast<std::uint64_t>(number);
}

}  // namespace hannan::detail
