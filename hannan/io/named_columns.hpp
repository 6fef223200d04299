// Rows of delimited text (csv.hpp) under their header: columns by name, and one sentence each for a column that is not
// there and for a row of another width. Tables of numbers, labelled tables, contexts and logs are all read through it.
//
// Without a header the columns are called 1, 2, 3, ...
//
// Cost: that of CsvReader; place_of() is linear in the columns.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "hannan/io/bytes.hpp"
#include "hannan/io/csv.hpp"

namespace hannan::detail {

class NamedColumns {
 public:
  using Cells = std::vector<std::string_view>;
  struct Options {
    CsvOptions csv;
    std::size_t skip = 0;  // rows to pass over before anything else
    // Whether the first row is data and there is no header; null: it is the header.
    bool (*first_is_data)(const Cells& first) = nullptr;
    // How names stand in the header: as they are, or as io/text_cell.hpp writes text.
    enum class Names { kPlain, kTextCells };
    Names header = Names::kPlain;
    const char* no_rows = "found no rows, expected a header and rows";  // the text of kEmpty
  };
  // `source` gives plain text (see unzipped()); `name` stands for the file in messages. Reads up to the header.
  NamedColumns(std::unique_ptr<ByteSource> source, std::string name, const Options& options);

  bool has_header() const { return header_; }
  const std::vector<std::string>& names() const { return names_; }
  std::size_t width() const { return names_.size(); }

  // The place of a column; `asked` says what asked for it, e.g. a flag, and `hint` what else may be wrong with the
  // header. A name that stands twice is as much of an error as one that is missing, kUnknownName: either column could
  // be meant.
  struct Asked {
    std::string_view by, hint;
  };
  std::size_t place_of(const std::string& column) const { return place_of(column, {}); }
  std::size_t place_of(const std::string& column, const Asked& asked) const;

  // The next row of any width; false at the end. The cells last until the next call.
  bool next();
  const Cells& cells() const { return cells_; }
  std::string_view cell(std::size_t column) const { return trimmed(cells_[column]); }
  // "3 columns, expected 2 as in line 1", and where the row leaves the width of the first one.
  bool has_width() const { return cells_.size() == names_.size(); }
  std::string other_width() const;
  std::string where_width_ends() const { return where(std::min(cells_.size(), names_.size())); }
  // Throws kColumnCount for a row of another width.
  void check_width() const;

  std::size_t line() const { return reader_.line(); }
  std::string where(std::size_t column) const { return reader_.where(column); }
  bool ended_with_newline() const { return reader_.ended_with_newline(); }

 private:
  CsvReader reader_;
  std::string name_;
  Cells cells_;
  bool header_ = true;
  bool pending_ = false;  // cells_ have not been handed out
  std::vector<std::string> names_;
  std::size_t first_line_ = 0;
};

}  // namespace hannan::detail
