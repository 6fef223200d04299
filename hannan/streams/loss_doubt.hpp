// Tables that are taken for losses and look like something else: forecasts of one quantity, or numbers far outside
// [0,1]. They are asked about before anything is played, since the lowest column would win.
//
// A table looks like forecasts where a column is called as what came is (actual, target, observed, ...), or where
// values leave [0,1], at least 10 rows have a value, at least 80 % of the columns have a correlation of at least 0.8
// with the row medians, and the median range of a row is at most half of the median absolute row median. One column
// alone is no set of forecasts.
//
// Numbers are far outside where one is beyond [-1,2] and a tenth of them outside [0,1]: fewer are a fault of their
// rows, which is refused where it stands (H205).
//
// Cost: O(numbers), on the first rows alone (kMostLooked).
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hannan/core/error.hpp"
#include "hannan/core/problem.hpp"
#include "hannan/io/table.hpp"

namespace hannan::detail {

// Numbers of a table that are looked at. Rows of which fewer than 10 fit are known by their names alone.
inline constexpr std::size_t kMostLooked = 200'000;

// Why a table looks like forecasts: a column is called as what came is, or they rise and fall together.
enum class Recognised { kNamed, kAlike };
std::optional<Recognised> recognised_forecasts(std::span<const std::string> names, std::span<const double> numbers,
                                               std::size_t columns);

struct LossTable {
  std::string_view problem;            // its kind, for the message
  std::span<const std::string> names;  // of the columns; none: the table has none
  std::span<const double> numbers;     // of the first rows, one after the other; NaN: a cell that is empty
  LossRange range = LossRange::kUnitInterval;
};
// Throws kLooksLikeForecasts with the place `at`; rows have `columns` numbers.
void doubt_losses(const LossTable& table, std::size_t columns, const std::string& at);

// The first rows of a table that is opened for that; up to one that cannot be read, which whoever plays it refuses.
std::vector<double> first_rows(Table& table);

}  // namespace hannan::detail
