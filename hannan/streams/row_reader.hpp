// Rows of numbers as outcomes of a problem: each number is held against its range before the problem reads the row.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "hannan/core/error.hpp"
#include "hannan/game/game.hpp"

namespace hannan::detail {

// How many numbers of the row are outside the range; what is no number is.
std::uint64_t count_outside(std::span<const double> row, Interval range);

class RowReader {
 public:
  explicit RowReader(const Game& game)
      : game_(game),
        width_(game.row_width()),
        range_(game.row_range()),
        gaps_(game.row_gaps()),
        hint_(game.row_gap_hint()),
        scalar_(width_ == 1 && range_.lo == 0 && range_.hi != 1) {}

  std::size_t width() const { return width_; }  // 0: a row is no outcome
  // Whether a table is to give empty cells as NaN: the problem takes them, or says more about them than a table can.
  bool wants_gaps() const { return gaps_ == RowGaps::kAllowed || !hint_.empty(); }

  // Throws kLossRange for a number outside, kNotANumber for an empty cell; where(j) says where number j stands, and
  // name(j) how its column is called, "" where it has no name.
  template <class Where>
  void check(std::span<const double> row, const Where& where) const {
    check(row, where, [](std::size_t) { return std::string(); });
  }
  template <class Where, class Name>
  void check(std::span<const double> row, const Where& where, const Name& name) const {
    const std::uint64_t outside = count_outside(row, range_);  // which ones is looked for only then
    for (std::size_t j = 0; j < row.size() && (outside > 0 || scalar_); ++j) {
      if (row[j] >= range_.lo && row[j] <= range_.hi && (!scalar_ || row[j] == std::floor(row[j]))) continue;
      if (std::isnan(row[j]) && gaps_ == RowGaps::kAllowed) continue;
      if (std::isnan(row[j]) && wants_gaps()) {
        const std::string column = name(j);
        throw Error(Code::kNotANumber,
                    "found an empty field" + (column.empty() ? "" : " in the column \"" + column + "\"") +
                        ", expected a finite number; " + std::string(hint_),
                    where(j));
      }
      throw Error(Code::kLossRange,
                  "found " + number_text(row[j]) + ", expected " + (scalar_ ? "a whole number" : "a number") + " in [" +
                      number_text(range_.lo) + "," + number_text(range_.hi) + "]",
                  where(j));
    }
  }
  void read(std::span<const double> row, AnyOutcome& into) const { game_.read_row(row, into); }

 private:
  const Game& game_;
  std::size_t width_;
  Interval range_;
  RowGaps gaps_;
  std::string_view hint_;
  bool scalar_;  // the outcome is an index, not a list
};

}  // namespace hannan::detail
