// A CSV table of finite numbers.
//
// The first row is a header when none of its cells is a number (NaN and infinities count as numbers here); a first row
// of words and numbers is an error, not a header, so that no row of data is ever dropped by mistake.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "hannan/io/named_columns.hpp"
#include "hannan/io/table.hpp"

namespace hannan::detail {

// What an empty cell is: refused, or the quiet NaN.
enum class EmptyCells { kRefused, kNan };
// The numbers in some columns of the row last read, into `row`. Throws kNotANumber, with the place of the cell.
void read_numbers(const NamedColumns& rows, std::span<const std::size_t> places, EmptyCells empty,
                  std::vector<double>& row);

class TableReader : public Table {
 public:
  // Reads up to the first row of numbers; kEmpty when there is none.
  TableReader(std::unique_ptr<ByteSource> source, const std::string& name, CsvOptions options = {});

  bool next(std::vector<double>& row) override;
  std::size_t columns() const override { return places_.size(); }
  const std::vector<std::string>& names() const override { return names_; }
  void allow_gaps() override { empty_ = EmptyCells::kNan; }
  bool has_header() const { return rows_.has_header(); }
  std::string where(std::size_t column) const override { return rows_.where(column); }

 private:
  NamedColumns rows_;
  std::vector<std::string> names_;   // empty without a header
  std::vector<std::size_t> places_;  // of all columns
  bool pending_ = false;             // the row has not been handed out
  EmptyCells empty_ = EmptyCells::kRefused;
};

}  // namespace hannan::detail
