// Outcomes to files by the ending of the name. An .npy file gets its header written again at the end, when the number
// of rows is known; the header has a fixed size for that.
#include "row_file.hpp"

#include <bit>

#include "hannan/core/error.hpp"
#include "hannan/io/csv.hpp"
#include "hannan/io/json.hpp"
#include "hannan/io/text_cell.hpp"

namespace hannan::detail::cli {
namespace {

// A name as a cell of a header. One that reads as a number would make the header a row of data.
std::string header_cell(const std::string& name) {
  double unused = 0;
  return text_cell(read_number(name, unused) == Reading::kNone && !name.empty() ? name : "bidder " + name);
}

bool names_json_lines(const std::string& path) { return path.ends_with(".jsonl") || path.ends_with(".ndjson"); }

const std::string& lines_path(const std::string& path) {
  if (path == "-" || names_json_lines(path)) return path;
  throw Error(Code::kUsage,
              "found \"" + path + "\", expected a name that ends in .jsonl: these outcomes are no rows of numbers",
              "-o");
}

}  // namespace

RowFile::Kind RowFile::kind_of(const std::string& path) {
  if (names_json_lines(path)) return Kind::kJsonLines;
  if (path == "-" || path.ends_with(".csv")) return Kind::kCsv;
  if (!path.ends_with(".npy"))
    throw Error(Code::kUsage, "found \"" + path + "\", expected a name that ends in .csv, .jsonl or .npy", "-o");
  if (!regular_or_none(path))
    throw Error(Code::kUsage, "found no regular file, expected one: .npy says at its start how many rows it has", path);
  return Kind::kNpy;
}

RowFile::RowFile(const std::string& path, const std::vector<std::string>& names, const std::vector<std::string>& by)
    : kind_(with_context(kind_of(path), by)), file_(path), columns_(names.size()) {
  if (kind_ == Kind::kNpy) file_.write(npy_header());
  if (kind_ != Kind::kCsv) return;
  std::string header;
  for (const auto& name : by) header += (header.empty() ? "" : ",") + text_cell(name);
  for (const auto& name : names) header += (header.empty() ? "" : ",") + header_cell(name);
  file_.write(header + "\n");
}

RowFile::Kind RowFile::with_context(Kind kind, const std::vector<std::string>& by) {
  if (kind == Kind::kNpy && !by.empty())
    throw Error(Code::kUnavailable, "found --by and .npy, which holds numbers alone, expected .csv or .jsonl", "-o");
  return kind;
}

// 128 bytes, whatever the number of rows is: it is known at the end.
std::string RowFile::npy_header() const {
  // 10 bytes of magic, version and length come first. The rest is padded with blanks up to a line end, as the format
  // asks: the length is the same for any number of rows, and two numbers of 20 digits fit.
  constexpr std::size_t kBytes = 128;
  std::string text = "{'descr': '<f8', 'fortran_order': False, 'shape': (" + std::to_string(rows_) + ", " +
                     std::to_string(columns_) + "), }";
  text.resize(kBytes - 10 - 1, ' ');
  const auto length = static_cast<char>(kBytes - 10);
  return std::string("\x93NUMPY\x01", 7) + '\0' + length + '\0' + text + "\n";
}

void RowFile::write(std::span<const double> row, const LogContext& context) {
  ++rows_;
  line_.clear();
  if (kind_ == Kind::kNpy) {
    for (const double number : row) {
      const auto bits = std::bit_cast<std::uint64_t>(number);
      for (unsigned byte = 0; byte < 8; ++byte) line_ += static_cast<char>((bits >> (8 * byte)) & 0xFFU);
    }
    return file_.write(line_);
  }
  const bool lines = kind_ == Kind::kJsonLines, told = !context.values.empty();
  if (lines) line_ += told ? "{\"context\":" + dump(Json(context.cells)) + ",\"outcome\":[" : "[";
  for (std::size_t i = 0; i < context.values.size() && !lines; ++i) line_ += text_cell(context.values[i]) + ",";
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (i > 0) line_ += ',';
    line_ += number_text(row[i]);
  }
  line_ += !lines ? "\n" : told ? "]}\n" : "]\n";
  file_.write(line_);
}

void RowFile::close() {
  if (kind_ == Kind::kNpy) file_.rewrite_start(npy_header());
  file_.commit();
}

JsonLinesFile::JsonLinesFile(const std::string& path) : file_(lines_path(path)) {}

void JsonLinesFile::write(const Json& outcome) {
  ++rows_;
  file_.write(dump(outcome) + "\n");
}

void JsonLinesFile::write(const Json& outcome, const LogContext& context) {
  write(context.cells.empty() ? outcome : Json::object({{"context", Json(context.cells)}, {"outcome", outcome}}));
}

void JsonLinesFile::close() { file_.commit(); }

}  // namespace hannan::detail::cli
