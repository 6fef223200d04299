#include "row_file.hpp"

#include <bit>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "hannan/core/error.hpp"
#include "hannan/io/csv.hpp"
#include "hannan/io/json.hpp"

namespace hannan::cli {
namespace {

// A name as a cell of a header. One that reads as a number would make the header a row of data.
std::string header_cell(const std::string& name) {
  double unused = 0;
  std::string text = read_number(name, unused) == Reading::kNone && !name.empty() ? name : "bidder " + name;
  if (text.find_first_of(",;\t\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

bool names_json_lines(const std::string& path) { return path.ends_with(".jsonl") || path.ends_with(".ndjson"); }

// Beside its place; moved there when it is complete.
std::FILE* open_beside(const std::string& path) {
  std::FILE* file = path == "-" ? stdout : std::fopen((path + ".new").c_str(), "wb");
  if (!file) throw Error(Code::kCannotWrite, std::strerror(errno), path);
  return file;
}

void put_into(std::FILE* file, std::string_view text, const std::string& path) {
  if (std::fwrite(text.data(), 1, text.size(), file) != text.size())
    throw Error(Code::kCannotWrite, std::strerror(errno), path);
}

void move_into_place(std::FILE* file, const std::string& path) {
  if (path == "-") {
    if (std::fflush(stdout) != 0) throw Error(Code::kCannotWrite, std::strerror(errno), "stdout");
    return;
  }
  if (std::fclose(file) != 0) throw Error(Code::kCannotWrite, std::strerror(errno), path);
  std::error_code failed;
  std::filesystem::rename(path + ".new", path, failed);
  if (failed) throw Error(Code::kCannotWrite, failed.message(), path);
}

void abandon(std::FILE* file, const std::string& path) {
  if (!file || path == "-") return;
  std::fclose(file);
  std::error_code ignored;
  std::filesystem::remove(path + ".new", ignored);
}

}  // namespace

RowFile::RowFile(const std::string& path, const std::vector<std::string>& names)
    : path_(path),
      kind_(names_json_lines(path)   ? Kind::kJsonLines
            : path.ends_with(".npy") ? Kind::kNpy
                                     : Kind::kCsv),
      columns_(names.size()) {
  if (kind_ == Kind::kCsv && path != "-" && !path.ends_with(".csv")) {
    throw Error(Code::kUsage, "found \"" + path + "\", expected a name that ends in .csv, .jsonl or .npy", "-o");
  }
  file_ = open_beside(path);
  if (kind_ == Kind::kNpy) put(npy_header());
  if (kind_ != Kind::kCsv) return;
  std::string header;
  for (const auto& name : names) header += (header.empty() ? "" : ",") + header_cell(name);
  put(header + "\n");
}

RowFile::~RowFile() { abandon(file_, path_); }

// 128 bytes, whatever the number of rows is: it is known at the end.
std::string RowFile::npy_header() const {
  constexpr std::size_t kBytes = 128;
  std::string text = "{'descr': '<f8', 'fortran_order': False, 'shape': (" + std::to_string(rows_) + ", " +
                     std::to_string(columns_) + "), }";
  text.resize(kBytes - 10 - 1, ' ');
  const auto length = static_cast<char>(kBytes - 10);
  return std::string("\x93NUMPY\x01", 7) + '\0' + length + '\0' + text + "\n";
}

void RowFile::put(std::string_view text) { put_into(file_, text, path_); }

void RowFile::write(std::span<const double> row) {
  ++rows_;
  line_.clear();
  if (kind_ == Kind::kNpy) {
    for (const double number : row) {
      const auto bits = std::bit_cast<std::uint64_t>(number);
      for (unsigned byte = 0; byte < 8; ++byte) line_ += static_cast<char>((bits >> (8 * byte)) & 0xFFU);
    }
    return put(line_);
  }
  if (kind_ == Kind::kJsonLines) line_ += '[';
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (i > 0) line_ += ',';
    line_ += number_text(row[i]);
  }
  line_ += kind_ == Kind::kJsonLines ? "]\n" : "\n";
  put(line_);
}

void RowFile::close() {
  if (kind_ == Kind::kNpy) {
    std::rewind(file_);
    put(npy_header());
  }
  move_into_place(std::exchange(file_, nullptr), path_);
}

JsonLinesFile::JsonLinesFile(const std::string& path) : path_(path) {
  if (path != "-" && !names_json_lines(path)) {
    throw Error(Code::kUsage,
                "found \"" + path + "\", expected a name that ends in .jsonl: these outcomes are no rows of numbers",
                "-o");
  }
  file_ = open_beside(path);
}

JsonLinesFile::~JsonLinesFile() { abandon(file_, path_); }

void JsonLinesFile::write(const Json& outcome) {
  ++rows_;
  put_into(file_, dump(outcome) + "\n", path_);
}

void JsonLinesFile::close() { move_into_place(std::exchange(file_, nullptr), path_); }

}  // namespace hannan::cli
