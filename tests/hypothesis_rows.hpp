// What the hypotheses of a class say, as rows of labels, for tests that compare whole classes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

#include "hannan/problems/classification/hypotheses.hpp"

namespace hannan::detail {

using LabelRow = std::vector<bool>;  // by point

inline LabelRow row_of(const Hypotheses& all, std::uint64_t code) {
  LabelRow row(all.points());
  for (std::size_t i = 0; i < row.size(); ++i) row[i] = all.says(code, i);
  return row;
}

inline std::set<LabelRow> rows_of(const Hypotheses& all) {
  std::set<LabelRow> rows;
  for (const auto code : all.first(1'000'000)) rows.insert(row_of(all, code));
  return rows;
}

}  // namespace hannan::detail
