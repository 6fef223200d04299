// The rows of a log in another order: those of a round together, and the rounds by a column such as the time.
//
// A round stands where the least of its rows' cells in that column puts it; rounds with equal ones, and the rows of a
// round, keep the order of the log. Cells are compared as numbers where all of them are numbers, as dates where all are
// dates with the year last (year_last_date.hpp) and the column says which number is the day, else as text, which is the
// order of ISO 8601 times. The whole log is kept in memory until it has been read.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "hannan/bidlog/row.hpp"

namespace hannan::detail {

// Rows that are sorted at most; beyond is kTooLarge.
inline constexpr std::size_t kMostSortedRows = 10'000'000;

// `rows` fill LogRow::order. Throws what they throw, and kMalformed for a round without a cell to sort it by, or dates
// whose day and month cannot be told apart.
std::unique_ptr<LogRows> sorted_rows(std::unique_ptr<LogRows> rows, std::string name,
                                     std::size_t most = kMostSortedRows);

}  // namespace hannan::detail
