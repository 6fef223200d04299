// A CSV table with labels. A column is numeric until one cell is no number; then its texts are categories, numbered in
// the order of their text, so that the numbers do not depend on the order of rows. All cells are held as text until the
// end: memory O(cells), limited by kMostCells.
#include "hannan/io/labelled_table.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "hannan/core/error.hpp"
#include "hannan/io/named_columns.hpp"
#include "hannan/io/refused_cell.hpp"

namespace hannan::detail {

namespace {

// The spellings of a missing value that data sets use; matched as they stand, after blanks were cut off.
bool is_missing(std::string_view cell) {
  return cell.empty() || cell == "?" || cell == "NA" || cell == "NaN" || cell == "nan";
}

// None where the cell is no number; the place of the cell does not matter then.
std::optional<double> number_of(std::string_view cell) {
  try {
    return parse_number(cell, {});
  } catch (const Error&) {
    return std::nullopt;
  }
}

// A column while it is read: numbers as long as nothing speaks against it.
struct Gathered {
  std::vector<std::string> cells;
  std::vector<double> numbers;  // as long as it is numeric
  bool numeric = true;
  std::string missing_at;  // where the first missing cell stands
  std::size_t dates = 0;   // cells that are dates
  std::string date_at;     // where the first of them stands

  void take(std::string_view cell, const NamedColumns& rows, std::size_t column) {
    if (is_missing(cell)) {
      if (missing_at.empty()) missing_at = rows.where(column);
      cells.emplace_back("?");
      return;
    }
    cells.emplace_back(cell);
    if (looks_like_date(cell)) {
      if (dates++ == 0) date_at = rows.where(column);
    }
    if (!numeric) return;
    const auto number = number_of(cell);
    numeric = number.has_value();
    if (number) numbers.push_back(*number);
  }
};

// What labels are for: so many rows of a table, which is named in messages.
struct LabelledRows {
  std::size_t rows;
  const std::string& table;
};

// A file of one column has a header if it has one row more than the table; one of several has a header.
// Labels from a second file, row by row. A name of a column picks one of several and needs a header; without a name the
// file has one column.
std::vector<std::string> labels_of_file(const LabelFile& file, const LabelledRows& of) {
  const auto data = [](const NamedColumns::Cells&) { return true; };
  const bool named = !file.column.empty();
  NamedColumns rows(unzipped(file.open(), file.name), file.name,
                    {.first_is_data = named ? nullptr : +data, .no_rows = "found no label, expected one in every row"});
  const std::size_t place = named ? rows.place_of(file.column) : 0;
  std::vector<std::string> labels;
  while (rows.next()) {
    if (!named && rows.cells().size() != 1) {
      throw Error(Code::kColumnCount,
                  "found " + std::to_string(rows.cells().size()) +
                      " columns, expected one; with several, label=COLUMN says which one has the labels",
                  rows.where(0));
    }
    const auto label = place < rows.cells().size() ? rows.cell(place) : std::string_view();
    if (is_missing(label))
      throw Error(Code::kMalformed, "found no label, expected one in every row", rows.where(place));
    labels.emplace_back(label);
  }
  // One more than the rows: the first line is a name, since a label for every row is there without it.
  if (!named && labels.size() == of.rows + 1) labels.erase(labels.begin());
  if (labels.size() != of.rows) {
    throw Error(Code::kMalformed,
                "found " + std::to_string(labels.size()) + " labels, expected " + std::to_string(of.rows) +
                    ", one for each row of " + of.table,
                file.name);
  }
  return labels;
}

// One reading of a table: names, choice of columns, rows, then labels and columns are settled. Errors name the line and
// the column of the cell, so positions are kept until a column is known to be good.
class CsvTable {
 public:
  CsvTable(std::unique_ptr<ByteSource> source, const std::string& name, const LabelledCsv& options)
      : name_(name),
        options_(options),
        in_(unzipped(std::move(source), name), name,
            {.skip = options.skip,
             .first_is_data = options.header == LabelledCsv::Header::kNone
                                  ? +[](const NamedColumns::Cells&) { return true; }
                                  : nullptr,
             .no_rows = "found no row of data, expected at least one"}) {}

  LabelledTable read() {
    choose_columns();
    while (in_.next()) take_row();
    if (rows_ == 0) throw Error(Code::kEmpty, "found no row of data, expected at least one", name_);
    if (options_.labels) labels_ = labels_of_file(*options_.labels, {.rows = rows_, .table = name_});
    LabelledTable table;
    table.labels = two_labels(labels_, options_.positive, options_.labels ? options_.labels->name : name_);
    if (decided_) table.decisions = decisions_as_labels(table.labels);
    table.rows.assign(rows_, std::vector<double>(kept_.size()));
    for (std::size_t c = 0; c < kept_.size(); ++c) table.columns.push_back(settle(c, table));
    return table;
  }

 private:
  // kept_ has the places of the columns that are features, in the order of the file; gathered_[c] belongs to kept_[c].
  void choose_columns() {
    std::set<std::size_t> left_out;
    if (!options_.labels) left_out.insert(label_.emplace(in_.place_of(options_.label)));
    if (options_.decided) left_out.insert(decided_.emplace(in_.place_of(*options_.decided)));
    if (decided_ && decided_ == label_) {
      throw Error(Code::kUsage,
                  "found the column of the labels, expected another one: what was decided before they came",
                  *options_.decided);
    }
    for (const auto& column : options_.drop) left_out.insert(in_.place_of(column));
    for (std::size_t c = 0; c < in_.width(); ++c) {
      if (!left_out.contains(c)) kept_.push_back(c);
    }
    if (kept_.empty()) throw Error(Code::kEmpty, "found no column beside the label, expected at least one", name_);
    gathered_.resize(kept_.size());
  }

  // Checks everything that can be wrong with a single row, while its line is known.
  void take_row() {
    in_.check_width();
    ++rows_;
    if (label_) {
      const auto label = in_.cell(*label_);
      if (is_missing(label))
        throw Error(Code::kMalformed, "found no label, expected one in every row", in_.where(*label_));
      labels_.emplace_back(label);
    }
    if (decided_) {
      const auto decision = in_.cell(*decided_);
      if (is_missing(decision))
        throw Error(Code::kMalformed, "found no decision, expected one in every row", in_.where(*decided_));
      decisions_.emplace_back(decision);
      if (!decided_at_.contains(decisions_.back())) decided_at_[decisions_.back()] = in_.where(*decided_);
    }
    // Before the cells are kept: the limit bounds memory, not only the result.
    if (rows_ * in_.width() > LabelledTable::kMostCells) {
      throw Error(Code::kTooLarge, "found more than " + std::to_string(LabelledTable::kMostCells) + " cells",
                  in_.where(0));
    }
    for (std::size_t c = 0; c < kept_.size(); ++c) gathered_[c].take(in_.cell(kept_[c]), in_, kept_[c]);
  }

  // Each is one of the two labels, as text or as a number.
  std::vector<std::uint32_t> decisions_as_labels(const std::vector<std::uint32_t>& labels) const {
    std::array<std::string, 2> names;
    for (std::size_t i = 0; i < labels.size(); ++i) names[labels[i]] = labels_[i];
    const auto same = [](const std::string& a, const std::string& b) {
      const auto x = number_of(a);
      return a == b || (x && x == number_of(b));
    };
    std::vector<std::uint32_t> decisions;
    for (const std::string& text : decisions_) {
      if (!same(text, names[0]) && !same(text, names[1])) {
        throw Error(Code::kMalformed,
                    "found the decision \"" + text + "\", expected one of the labels \"" + names[0] + "\", \"" +
                        names[1] + "\"",
                    decided_at_.at(text));
      }
      decisions.push_back(same(text, names[1]) ? 1 : 0);
    }
    return decisions;
  }

  // Numbers into the rows, or the places of the categories in order of their text.
  LabelledTable::Column settle(std::size_t c, LabelledTable& table) {
    Gathered& from = gathered_[c];
    LabelledTable::Column column{.name = in_.names()[kept_[c]], .categories = {}};
    // Nothing but missing values: numeric only for want of a text, so it becomes one category.
    const bool all_missing = from.numbers.empty() && from.numeric;
    if (from.dates > 0 && from.dates == from.cells.size()) refuse_text_cell(from.cells[0], column.name, from.date_at);
    if (from.numeric && !all_missing) {
      if (!from.missing_at.empty()) {
        throw Error(Code::kNotANumber,
                    "found a missing value in the numeric column \"" + column.name +
                        "\", expected a number in every row; fill it in, or leave the column out with drop",
                    from.missing_at);
      }
      for (std::size_t i = 0; i < table.rows.size(); ++i) table.rows[i][c] = from.numbers[i];
    } else {
      std::map<std::string, std::size_t> places;
      for (const auto& cell : from.cells) places.emplace(cell, 0);
      for (auto& [text, place] : places) {
        place = column.categories.size();
        column.categories.push_back(text);
      }
      for (std::size_t i = 0; i < table.rows.size(); ++i)
        table.rows[i][c] = static_cast<double>(places.at(from.cells[i]));
    }
    from = {};  // its text is not needed any more
    return column;
  }

  const std::string& name_;
  const LabelledCsv& options_;
  NamedColumns in_;
  std::optional<std::size_t> label_;  // none: the labels are in another file
  std::size_t rows_ = 0;
  std::vector<std::size_t> kept_;
  std::vector<Gathered> gathered_;  // per kept column
  std::vector<std::string> labels_;
  std::optional<std::size_t> decided_;             // the column of what was decided
  std::vector<std::string> decisions_;             // per row
  std::map<std::string, std::string> decided_at_;  // where each of them stands first
};

}  // namespace

// The greater label is 1, as numbers where both are numbers and as text else, unless `positive` names it.
std::vector<std::uint32_t> two_labels(const std::vector<std::string>& found, const std::optional<std::string>& positive,
                                      const std::string& at) {
  const std::set<std::string> kinds(found.begin(), found.end());
  std::vector<std::string> two(kinds.begin(), kinds.end());
  if (two.size() != 2) {
    std::string all;
    for (std::size_t i = 0; i < std::min<std::size_t>(two.size(), 10); ++i)
      all += (i ? ", " : "") + ("\"" + two[i] + "\"");
    throw Error(Code::kMalformed,
                "found " + std::to_string(two.size()) + (two.size() == 1 ? " label, " : " labels, ") + all +
                    (two.size() > 10 ? " ..." : "") + ", expected exactly two",
                at);
  }
  const auto low = number_of(two[0]), high = number_of(two[1]);
  if (low && high && *low > *high) std::swap(two[0], two[1]);
  if (positive && *positive != two[0] && *positive != two[1]) {
    throw Error(
        Code::kUnknownName,
        "found positive \"" + *positive + "\", expected one of the labels \"" + two[0] + "\", \"" + two[1] + "\"", at);
  }
  const std::string& one = positive ? *positive : two[1];
  std::vector<std::uint32_t> labels;
  for (const auto& label : found) labels.push_back(label == one ? 1 : 0);
  return labels;
}

// The source may be compressed: it is unzipped on the way.
LabelledTable read_labelled_csv(std::unique_ptr<ByteSource> source, const std::string& name,
                                const LabelledCsv& options) {
  return CsvTable(std::move(source), name, options).read();
}

}  // namespace hannan::detail
