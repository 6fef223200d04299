// A CSV file with a header in which some columns are the context of a row and the others its numbers. Values as
// io/text_cell.hpp writes them are read back.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hannan/contexts/context_columns.hpp"
#include "hannan/io/bytes.hpp"
#include "hannan/io/number_table.hpp"

namespace hannan::detail {

// The times of the rows that were read, as the file writes them.
struct SeenTimes {
  std::string first, last;
  void add(std::string_view time) {
    if (first.empty()) first = time;
    last = time;
  }
};

struct ContextRequest {
  std::vector<ContextColumn> columns;
  std::string time;                 // the column of times, of @hour and @weekday too; it is no number of the row
  std::vector<std::string> drop;    // columns that are left out
  std::shared_ptr<SeenTimes> seen;  // is filled where there is a column of times; may be null
};

class ContextTable final : public Table {
 public:
  // Reads the header. Without columns of a context it is a table with some columns left out. Throws kEmpty,
  // kUnknownName for a column that it lacks or has twice, kUnavailable for .npy, kUsage for @hour or @weekday without a
  // column of times.
  ContextTable(std::unique_ptr<ByteSource> source, const std::string& name, ContextRequest request);

  bool next(std::vector<double>& row) override;
  std::size_t columns() const override { return places_.size(); }
  const std::vector<std::string>& names() const override { return names_; }
  std::string where(std::size_t column) const override {
    return rows_.where(column < places_.size() ? places_[column] : rows_.width());
  }

  void allow_gaps() override { empty_ = EmptyCells::kNan; }

  // Of the last row.
  std::span<const std::string> context() const { return context_; }
  std::uint64_t not_numbers() const { return not_numbers_; }  // rows with a cell that is no number, or no time

 private:
  ContextRequest request_;
  NamedColumns rows_;
  std::vector<std::size_t> context_at_;  // places of the context's columns
  std::vector<std::size_t> places_;      // of the numbers
  std::vector<std::string> names_;       // likewise
  std::optional<std::size_t> time_at_;   // place of the times
  std::vector<std::string> context_;
  std::uint64_t not_numbers_ = 0;
  EmptyCells empty_ = EmptyCells::kRefused;
};

}  // namespace hannan::detail
