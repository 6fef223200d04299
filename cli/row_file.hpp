// Outcomes to a file that `hannan run` reads: rows of numbers as CSV with a header, JSON lines or .npy, by its
// name, and other outcomes as JSON lines.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "hannan/bidlog/rounds.hpp"
#include "hannan/io/json.hpp"
#include "output_file.hpp"

namespace hannan::detail::cli {

class RowFile {
 public:
  // "-" is standard output, as CSV. Throws kUsage for other endings and kCannotWrite; a failure leaves no half table
  // (output_file.hpp). Names are cells of text: see io/text_cell.hpp.
  RowFile(const std::string& path, const std::vector<std::string>& names) : RowFile(path, names, {}) {}
  // With the columns of a context, which come first. Throws kUnavailable for .npy, which holds numbers alone.
  RowFile(const std::string& path, const std::vector<std::string>& names, const std::vector<std::string>& by);

  void write(std::span<const double> row) { write(row, {}); }
  // JSON lines have the cells that the values are made of: they are read as cells.
  void write(std::span<const double> row, const LogContext& context);
  void close();
  std::uint64_t rows() const { return rows_; }

 private:
  enum class Kind { kCsv, kJsonLines, kNpy };
  static Kind kind_of(const std::string& path);
  static Kind with_context(Kind kind, const std::vector<std::string>& by);
  std::string npy_header() const;

  Kind kind_;
  WholeFile file_;
  std::size_t columns_;
  std::uint64_t rows_ = 0;
  std::string line_;
};

// Outcomes as JSON lines, where they are no rows of numbers; the same promises.
class JsonLinesFile {
 public:
  // "-" is standard output. Throws kUsage for other endings than .jsonl and .ndjson.
  explicit JsonLinesFile(const std::string& path);

  void write(const Json& outcome);
  void write(const Json& outcome, const LogContext& context);
  void close();
  std::uint64_t rows() const { return rows_; }

 private:
  WholeFile file_;
  std::uint64_t rows_ = 0;
};

}  // namespace hannan::detail::cli
