// Columns of numbers in a table of text: every cell is read with a decimal point while it is found how decimals are
// written; where that is a comma, the caller reads the table once more.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hannan/io/amount_column.hpp"

namespace hannan::detail {

class NumberCells {
 public:
  explicit NumberCells(std::size_t columns) : columns_(columns) {}

  struct Column {
    std::uint64_t numbers = 0, texts = 0;
    CellExample text{};  // the first that is no number
  };

  // NaN where nothing stands here, or no number; which of the two the column's counts say.
  template <class Where>
  double read(std::size_t column, std::string_view cell, DecimalMark decimal, const Where& where) {
    const std::string_view bare = trimmed(cell);
    if (nothing(bare)) return missing();
    Column& of = columns_[column];
    double number = 0;
    const Reading reading = read_amount(bare, decimal, number);
    if (reading == Reading::kNone) {
      // With the other mark it may be a number: then the table is read again.
      if (++of.texts == 1) of.text = {where(), std::string(bare.substr(0, 60))};
      if (is_amount(bare)) written_.see(bare, where);
      return missing();
    }
    if (reading == Reading::kUnbounded) refuse(bare, where());
    ++of.numbers;
    written_.see(bare, where);
    return number;
  }

  // None: two readings are possible. A point alone is a decimal point.
  std::optional<DecimalMark> decimal() const;
  const CellExample& example_of_two() const { return written_.example_of_two(); }
  const Column& column(std::size_t i) const { return columns_[i]; }

  static bool nothing(std::string_view bare);  // "", NA, N/A, NaN, null, ...

 private:
  static double missing();
  [[noreturn]] static void refuse(std::string_view cell, const std::string& at);

  std::vector<Column> columns_;
  AmountColumn written_;  // of all columns: they are written by one program
};

}  // namespace hannan::detail
