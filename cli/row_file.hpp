// Outcomes to a file that `hannan run` reads: rows of numbers as CSV with a header, JSON lines or .npy, by its
// name, and other outcomes as JSON lines.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "hannan/io/json.hpp"

namespace hannan::cli {

class RowFile {
 public:
  // "-" is standard output, as CSV. Throws kUsage for other endings and kCannotWrite. A file is written
  // beside its place and takes it when it is complete, so that a failure leaves no half table.
  RowFile(const std::string& path, const std::vector<std::string>& names);
  ~RowFile();
  RowFile(const RowFile&) = delete;
  RowFile& operator=(const RowFile&) = delete;

  void write(std::span<const double> row);
  void close();
  std::uint64_t rows() const { return rows_; }

 private:
  enum class Kind { kCsv, kJsonLines, kNpy };
  void put(std::string_view text);
  std::string npy_header() const;

  std::string path_;
  Kind kind_;
  std::size_t columns_;
  std::uint64_t rows_ = 0;
  std::FILE* file_ = nullptr;
  std::string line_;
};

// Outcomes as JSON lines, where they are no rows of numbers; the same promises.
class JsonLinesFile {
 public:
  // "-" is standard output. Throws kUsage for other endings than .jsonl and .ndjson.
  explicit JsonLinesFile(const std::string& path);
  ~JsonLinesFile();
  JsonLinesFile(const JsonLinesFile&) = delete;
  JsonLinesFile& operator=(const JsonLinesFile&) = delete;

  void write(const Json& outcome);
  void close();
  std::uint64_t rows() const { return rows_; }

 private:
  std::string path_;
  std::uint64_t rows_ = 0;
  std::FILE* file_ = nullptr;
};

}  // namespace hannan::cli
