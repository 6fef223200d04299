// A table of cases with a column that labels them: numbers, categories, and one of two labels a row.
//
// CSV as in csv.hpp, plain or gzipped. The first row names the columns unless the options say otherwise;
// without names the columns are called 1, 2, 3 ... A column whose cells are all numbers is numeric; one with
// any other text in it is categorical, its cells (spaces around them taken off) being the categories in order
// of their text. A missing cell (empty, ?, NA, NaN) is the category "?" there; in a column that is numeric
// otherwise it is an error (kNotANumber), because no number can be made up for it.
//
// The labels may be in a CSV file of their own, with a header or without: as many rows as the table has.
//
// A column of dates is refused (kNotANumber): as a category each would be one of its own.
//
// The labels must be exactly two. Label 1 is the one that the options name, else the last of the two: the
// larger number where both are numbers, else the later text.
//
// A column may say what was decided in each row, by one of the two labels; it is no feature.
//
// LIBSVM: a line is a label and pairs index:value, the indices from 1 on and ascending; what is not given
// is 0; text from # on is a comment. All columns are numeric.
//
// Cost: one pass over the file, the table in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hannan/io/bytes.hpp"

namespace hannan::detail {

struct LabelledTable {
  static constexpr std::size_t kMostCells = 50'000'000;

  struct Column {
    std::string name;                     // empty: the format has none
    std::vector<std::string> categories;  // empty: numbers
  };
  std::vector<Column> columns;
  std::vector<std::vector<double>> rows;  // per row and column a number, or the place of the category
  std::vector<std::uint32_t> labels;      // per row, 0 or 1
  std::vector<std::uint32_t> decisions;   // likewise what was decided; empty: no such column
};

// Labels in a file of their own: row i of it is that of row i of the table.
struct LabelFile {
  std::string name;    // for messages
  std::string column;  // of the labels; empty: the file has one column
  std::function<std::unique_ptr<ByteSource>()> open;
};

struct LabelledCsv {
  enum class Header { kFirstRow, kNone };

  std::string label;  // the column that labels; without meaning where `labels` are given
  std::optional<LabelFile> labels;
  std::optional<std::string> positive;  // the label that counts as 1
  std::optional<std::string> decided;   // the column of what was decided: labels, one in every row
  std::vector<std::string> drop;        // columns to leave out
  std::size_t skip = 0;                 // rows to pass over before anything else
  Header header = Header::kFirstRow;
};

// `name` stands for the file in messages. kEmpty without a row or a column, kColumnCount for a ragged row,
// kUnknownName for a column that does not exist or is there twice, kMalformed for other than two labels.
LabelledTable read_labelled_csv(std::unique_ptr<ByteSource> source, const std::string& name,
                                const LabelledCsv& options);

// kMalformed for indices that do not ascend from 1, kNotANumber, kEmpty, and kMalformed for the labels.
LabelledTable read_libsvm(std::unique_ptr<ByteSource> source, const std::string& name,
                          const std::optional<std::string>& positive);

// Which of the two labels every row has.
std::vector<std::uint32_t> two_labels(const std::vector<std::string>& found, const std::optional<std::string>& positive,
                                      const std::string& at);

}  // namespace hannan::detail
