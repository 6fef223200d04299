// The rows of a table with named columns as text, whatever file they stand in: CSV (io/named_columns.hpp), JSON lines,
// a row an object, or .npy, whose columns are called 0, 1, 2, ...; plain or gzipped. What a file is, its content says.
//
// JSON lines: the names are those of the first object; a name that a later one leaves out is an empty cell, one that it
// adds is refused. Numbers become the shortest text that gives them back.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace hannan::detail {

inline constexpr std::size_t kNoColumn = static_cast<std::size_t>(-1);

class NamedRows {
 public:
  // Throws kCannotRead, kEmpty, and kMissingField where the first row of a CSV holds numbers and no names.
  explicit NamedRows(const std::string& path);
  ~NamedRows();

  const std::vector<std::string>& names() const;
  // As many cells as names, valid until the next call; false at the end. kColumnCount, kMalformed, kNotJson.
  bool next(std::vector<std::string_view>& cells);
  std::string where(std::size_t column) const;  // of a cell of the last row
  std::size_t line() const;
  const std::string& path() const { return path_; }
  // kNoColumn for an empty name. Throws kUnknownName with the nearest name; `flag` says who asks.
  std::size_t place(const std::string& name, const std::string& flag) const;

  class Source;

 private:
  std::string path_;
  std::unique_ptr<Source> source_;
};

}  // namespace hannan::detail
