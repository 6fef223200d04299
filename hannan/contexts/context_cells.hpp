// The context of one row after another: cells of the columns in, values out.
//
// Rows that follow each other mostly have the same cells: then nothing is computed again.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hannan/contexts/context_columns.hpp"
#include "hannan/contexts/context_values.hpp"

namespace hannan::detail {

class ContextCells {
 public:
  explicit ContextCells(std::vector<ContextColumn> columns)
      : columns_(std::move(columns)), raw_(columns_.size()), values_(columns_.size()) {}

  // cell(i) is that of column i, where(i) its place, for complaints. Throws kOutOfRange for a cell that is too long,
  // kNotANumber for one that is not UTF-8 or holds NUL; then the last row stands.
  template <class Cell, class Where>
  void read(const Cell& cell, const Where& where) {
    bool same = read_;
    for (std::size_t i = 0; i < columns_.size() && same; ++i) same = cell(i) == raw_[i];
    if (same) return;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (!value_objection(cell(i)).empty()) check_value(cell(i), where(i));
    }
    read_ = all_read_ = true;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      raw_[i] = cell(i);
      const auto value = context_cell(columns_[i], raw_[i]);
      all_read_ = all_read_ && value;
      values_[i] = value.value_or("");
    }
  }

  const std::vector<std::string>& raw() const { return raw_; }
  const std::vector<std::string>& values() const { return values_; }
  bool all_read() const { return all_read_; }  // no cell is "" for not being a number, or a time

 private:
  std::vector<ContextColumn> columns_;
  std::vector<std::string> raw_, values_;
  bool read_ = false;
  bool all_read_ = true;
};

}  // namespace hannan::detail
