// The rows of a log in another order: those of a round together, and the rounds by a column such as the time.
//
// A round stands where the least of its rows' cells in that column puts it; rounds with equal ones, and the rows of a
// round, keep the order of the log. Cells are compared as numbers where all of them are numbers, as points in time
// where all are times (io/time_column.hpp: offsets count), else as text. The whole log is kept in memory until it has
// been read.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "hannan/bidlog/row.hpp"

namespace hannan::detail {

// Rows that are sorted at most; beyond is kTooLarge.
inline constexpr std::size_t kMostSortedRows = 10'000'000;

struct SortSetting {
  std::string name;   // of the log, for messages
  StatedTimes times;  // as stated
  std::size_t most = kMostSortedRows;
};
// `rows` fill LogRow::order. Throws what they throw, kMalformed for a round without a cell to sort it by and for cells
// of which only some are times, kTwoReadings where days and months, or zones, cannot be told apart.
std::unique_ptr<LogRows> sorted_rows(std::unique_ptr<LogRows> rows, SortSetting setting);

}  // namespace hannan::detail
