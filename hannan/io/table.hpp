// A table of finite numbers, read row by row: the common face of CSV (csv.hpp) and .npy (npy.hpp),
// either of them plain or gzipped. What a file is, its content says, not its name.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "hannan/io/bytes.hpp"

namespace hannan::detail {

class Table {
 public:
  virtual ~Table() = default;

  // Fills `row` with columns() finite numbers; false at the end of the table.
  virtual bool next(std::vector<double>& row) = 0;
  virtual std::size_t columns() const = 0;
  // One name per column, or nothing when the file gives none.
  virtual const std::vector<std::string>& names() const = 0;
  // "file:line:column" of a cell (from 0) of the last row: for text the line and the character column
  // where the cell starts, for .npy the row and the column, all counted from 1.
  virtual std::string where(std::size_t column) const = 0;
  // From here on a cell that is empty (in .npy: a NaN) is the quiet NaN; otherwise it is refused. Before the first row.
  virtual void allow_gaps() {}
};

// Throws kCannotRead, and whatever the format finds wrong with its first row.
std::unique_ptr<Table> open_table(const std::string& path);
// The same over bytes from elsewhere; `name` stands for the file in messages.
std::unique_ptr<Table> open_table(std::unique_ptr<ByteSource> source, const std::string& name);

}  // namespace hannan::detail
