// The LIBSVM format: "label index:value index:value ...", dense after reading.
//
// Rows grow to their largest index and are filled up with zeros at the end. Indices rise from 1, so index - 1 is the
// place and row.size() the last index seen. Memory is checked against the dense table before it is filled up.
#include <charconv>
#include <string_view>
#include <utility>

#include "hannan/core/error.hpp"
#include "hannan/io/csv.hpp"
#include "hannan/io/labelled_table.hpp"
#include "hannan/io/lines.hpp"

namespace hannan::detail {

namespace {

constexpr std::string_view kSpaces = " \t\r";

class LibsvmLine {
 public:
  LibsvmLine(std::string_view line, std::string where)
      : line_(line.substr(0, line.find('#'))), where_(std::move(where)) {}

  // The next word; empty at the end of the line.
  std::string_view word() {
    start_ = std::min(line_.find_first_not_of(kSpaces, next_), line_.size());
    next_ = std::min(line_.find_first_of(kSpaces, start_), line_.size());
    return line_.substr(start_, next_ - start_);
  }
  // "file:line:column" of the last word.
  std::string at() const { return where_ + ":" + std::to_string(start_ + 1); }

  // `last` is the index before it in the row: indices rise, so that a row is filled from left to right.
  std::pair<std::size_t, double> pair_of(std::string_view word, std::size_t last) const {
    const auto colon = word.find(':');
    std::size_t index = 0;
    const char* const end = word.data() + (colon == std::string_view::npos ? word.size() : colon);
    const auto read = std::from_chars(word.data(), end, index);
    if (colon == std::string_view::npos || read.ec != std::errc() || read.ptr != end) {
      throw Error(Code::kMalformed, "found \"" + std::string(word.substr(0, 40)) + "\", expected index:value", at());
    }
    if (index == 0) throw Error(Code::kMalformed, "found index 0, expected indices from 1 on", at());
    if (index <= last) {
      throw Error(
          Code::kMalformed,
          "found index " + std::to_string(index) + " after " + std::to_string(last) + ", expected ascending ones",
          at());
    }
    if (index > kMostColumns) {
      throw Error(Code::kTooLarge,
                  "found index " + std::to_string(index) + ", expected at most " + std::to_string(kMostColumns) +
                      ": the table is dense after reading",
                  at());
    }
    return {index, parse_number(word.substr(colon + 1), at())};
  }

 private:
  static constexpr std::size_t kMostColumns = 1'000'000;

  std::string_view line_;
  std::string where_;
  std::size_t start_ = 0;
  std::size_t next_ = 0;
};

}  // namespace

// Columns have no names and no categories. Comments begin with # and go to the end of the line.
LabelledTable read_libsvm(std::unique_ptr<ByteSource> source, const std::string& name,
                          const std::optional<std::string>& positive) {
  LineReader reader(unzipped(std::move(source), name), name);
  std::vector<std::string> labels;
  LabelledTable table;
  std::size_t width = 0;
  for (std::string_view text; reader.next(text);) {
    LibsvmLine line(text, reader.where());
    const auto label = line.word();
    if (label.empty()) continue;
    if (label.find(':') != std::string_view::npos) {
      throw Error(Code::kMalformed, "found \"" + std::string(label.substr(0, 40)) + "\", expected a label first",
                  line.at());
    }
    labels.emplace_back(label);
    auto& row = table.rows.emplace_back();
    for (auto word = line.word(); !word.empty(); word = line.word()) {
      const auto [index, value] = line.pair_of(word, row.size());
      row.resize(index, 0.0);
      row.back() = value;
    }
    width = std::max(width, row.size());
    // As dense as it will be: a single large index makes every row as wide.
    if (table.rows.size() * width > LabelledTable::kMostCells) {
      throw Error(Code::kTooLarge,
                  "found more than " + std::to_string(LabelledTable::kMostCells) +
                      " cells, most of them zeros perhaps: the table is dense after reading",
                  reader.where());
    }
  }
  if (labels.empty()) throw Error(Code::kEmpty, "found no row of data, expected at least one", name);
  if (width == 0) throw Error(Code::kEmpty, "found labels alone, expected at least one index:value", name);
  for (auto& row : table.rows) row.resize(width, 0.0);
  table.columns.resize(width);
  table.labels = two_labels(labels, positive, name);
  return table;
}

}  // namespace hannan::detail
