// An amount of money or a quantity in a cell, as people write it.
//
//   12.50   $12.50   12,50 €   USD 1,234.56   1.234,56   1 234,56   1'234.50   12,34,567   -3   3-   (3)   12.-
//
// That is: one sign or code of a currency before the number, behind it, or both where they agree; groups of three
// digits (or of two before the last three, with commas) with one kind of mark between them: comma, point, space,
// apostrophe; one decimal mark, point or comma, which is not that of the groups; a minus before or behind, as a hyphen
// or U+2212, or parentheses. No-break, narrow, thin and figure spaces are spaces. A first group is not 0: 0.125 has a
// decimal point.
//
// Which of the two decimal marks is meant a cell alone need not say (1,234): amount_column.hpp finds it from all cells
// of a column. Digits are read by std::from_chars after the other marks are taken out, so that an amount has the same
// bits however it is written.
#pragma once

#include <string>
#include <string_view>

#include "hannan/io/csv.hpp"

namespace hannan::detail {

enum class DecimalMark { kPoint, kComma };

// A cell taken apart: its number with the marks that are left, and what stands around it.
struct WrittenAmount {
  std::string
      number;  // digits, '.', ',', ' ' and '\'' alone, from the first digit or decimal mark on; empty: no amount
  bool negative = false;
  std::string mark, second_mark;  // of the currency, before and behind; empty: none
};
WrittenAmount take_apart(std::string_view cell);

// The number with this decimal mark; kNone where it cannot be read so, kUnbounded for NaN, infinities and what is
// beyond double.
Reading value_of(const WrittenAmount& amount, DecimalMark decimal, double& number);

// The same of a cell. Plain numbers (csv.hpp, read_number) take the short way.
Reading read_amount(std::string_view cell, DecimalMark decimal, double& number);

}  // namespace hannan::detail
