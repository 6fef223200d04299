// Checks of a constructor's arguments, for C++ callers who come without JSON: kOutOfRange, with the part's name.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hannan/core/error.hpp"
#include "hannan/core/interval.hpp"
#include "hannan/core/text.hpp"

namespace hannan::detail {

struct WholeRange {
  std::int64_t lo, hi;
};

inline void expect_whole(std::int64_t found, WholeRange range, const std::string& part) {
  if (found >= range.lo && found <= range.hi) return;
  throw Error(Code::kOutOfRange,
              "found " + std::to_string(found) + ", expected an integer in " + std::to_string(range.lo) + ".." +
                  std::to_string(range.hi),
              part);
}

inline void expect_number(double found, Interval range, const std::string& part) {
  if (found >= range.lo && found <= range.hi) return;
  throw Error(Code::kOutOfRange,
              "found " + (found == found ? number_text(found) : "a NaN") + ", expected a number in [" +
                  number_text(range.lo) + "," + number_text(range.hi) + "]",
              part);
}

inline void expect_numbers(const std::vector<double>& found, Interval range, const std::string& part) {
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (!(found[i] >= range.lo && found[i] <= range.hi)) expect_number(found[i], range, path_of(part, i));
  }
}

// Rows of one length, at least one row and column, every entry in the range.
inline void expect_table(const std::vector<std::vector<double>>& rows, Interval range, const std::string& part) {
  if (rows.empty() || rows[0].empty())
    throw Error(Code::kOutOfRange, "found an empty table, expected at least one row and column", part);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (rows[k].size() != rows[0].size()) {
      throw Error(Code::kOutOfRange,
                  "found a row of " + std::to_string(rows[k].size()) + " entries, expected " +
                      std::to_string(rows[0].size()) + " as in the first row",
                  path_of(part, k));
    }
    expect_numbers(rows[k], range, path_of(part, k));
  }
}

}  // namespace hannan::detail
