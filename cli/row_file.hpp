// Rows of numbers to a file that `hannan run` reads: CSV with a header, JSON lines or .npy, by its name.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <vector>

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

}  // namespace hannan::cli
