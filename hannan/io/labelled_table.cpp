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
#include "hannan/core/near_name.hpp"
#include "hannan/io/csv.hpp"
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

  void take(std::string_view cell, const CsvReader& reader, std::size_t column) {
    if (is_missing(cell)) {
      if (missing_at.empty()) missing_at = reader.where(column);
      cells.emplace_back("?");
      return;
    }
    cells.emplace_back(cell);
    if (looks_like_date(cell)) {
      if (dates++ == 0) date_at = reader.where(column);
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
  CsvReader reader(unzipped(file.open(), file.name), file.name);
  std::vector<std::string_view> cells;
  std::vector<std::string> labels;
  std::optional<std::size_t> place;
  if (!file.column.empty() && reader.next(cells)) {
    std::vector<std::string> names;
    for (const auto cell : cells) names.emplace_back(trimmed(cell));
    const auto found = std::ranges::find(names, file.column);
    if (found == names.end()) {
      std::string all;
      for (const auto& name : names) all += (all.empty() ? "" : ", ") + name;
      throw Error(Code::kUnknownName,
                  "found no column \"" + file.column + "\" in the header, expected one of " + all +
                      near_hint(file.column, names),
                  file.name);
    }
    place = static_cast<std::size_t>(found - names.begin());
  }
  while (reader.next(cells)) {
    if (!place && cells.size() != 1) {
      throw Error(Code::kColumnCount,
                  "found " + std::to_string(cells.size()) +
                      " columns, expected one; with several, label=COLUMN says which one has the labels",
                  reader.where(0));
    }
    const std::size_t column = place.value_or(0);
    const auto label = column < cells.size() ? trimmed(cells[column]) : std::string_view();
    if (is_missing(label))
      throw Error(Code::kMalformed, "found no label, expected one in every row", reader.where(column));
    labels.emplace_back(label);
  }
  // One more than the rows: the first line is a name, since a label for every row is there without it.
  if (!place && labels.size() == of.rows + 1) labels.erase(labels.begin());
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
      : name_(name), options_(options), reader_(unzipped(std::move(source), name), name) {}

  LabelledTable read() {
    read_names();
    choose_columns();
    for (bool more = pending_ || reader_.next(cells_); more; more = reader_.next(cells_)) take_row();
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
  void read_names() {
    // After the loop cells_ is the header, or the first row where there is none.
    for (std::size_t i = 0; i <= options_.skip; ++i) {
      if (!reader_.next(cells_)) throw Error(Code::kEmpty, "found no row of data, expected at least one", name_);
    }
    pending_ = options_.header == LabelledCsv::Header::kNone;
    for (std::size_t c = 0; c < cells_.size(); ++c) {
      names_.emplace_back(pending_ ? std::to_string(c + 1) : std::string(trimmed(cells_[c])));
    }
    first_line_ = reader_.line();
  }

  // The place of a column by its name. A name that stands twice is as much of an error as one that is missing: either
  // column could be meant.
  std::size_t place_of(const std::string& column) const {
    const auto found = std::find(names_.begin(), names_.end(), column);
    const bool twice = found != names_.end() && std::find(found + 1, names_.end(), column) != names_.end();
    if (found != names_.end() && !twice) return static_cast<std::size_t>(found - names_.begin());
    std::string all;
    for (std::size_t c = 0; c < std::min<std::size_t>(names_.size(), 60); ++c) all += (c ? ", " : "") + names_[c];
    throw Error(Code::kUnknownName,
                (twice ? "found two columns \"" : "found no column \"") + column +
                    "\" in the header, expected one of " + all + (twice ? "" : near_hint(column, names_)),
                name_ + ":" + std::to_string(first_line_));
  }

  // kept_ has the places of the columns that are features, in the order of the file; gathered_[c] belongs to kept_[c].
  void choose_columns() {
    std::set<std::size_t> left_out;
    if (!options_.labels) left_out.insert(label_.emplace(place_of(options_.label)));
    if (options_.decided) left_out.insert(decided_.emplace(place_of(*options_.decided)));
    if (decided_ && decided_ == label_) {
      throw Error(Code::kUsage,
                  "found the column of the labels, expected another one: what was decided before they came",
                  *options_.decided);
    }
    for (const auto& column : options_.drop) left_out.insert(place_of(column));
    for (std::size_t c = 0; c < names_.size(); ++c) {
      if (!left_out.contains(c)) kept_.push_back(c);
    }
    if (kept_.empty()) throw Error(Code::kEmpty, "found no column beside the label, expected at least one", name_);
    gathered_.resize(kept_.size());
  }

  // Checks everything that can be wrong with a single row, while its line is known.
  void take_row() {
    if (cells_.size() != names_.size()) {
      throw Error(Code::kColumnCount,
                  "found " + std::to_string(cells_.size()) + " cells, expected " + std::to_string(names_.size()) +
                      " as in line " + std::to_string(first_line_),
                  reader_.where(cells_.size()));
    }
    ++rows_;
    if (label_) {
      const auto label = trimmed(cells_[*label_]);
      if (is_missing(label))
        throw Error(Code::kMalformed, "found no label, expected one in every row", reader_.where(*label_));
      labels_.emplace_back(label);
    }
    if (decided_) {
      const auto decision = trimmed(cells_[*decided_]);
      if (is_missing(decision))
        throw Error(Code::kMalformed, "found no decision, expected one in every row", reader_.where(*decided_));
      decisions_.emplace_back(decision);
      if (!decided_at_.contains(decisions_.back())) decided_at_[decisions_.back()] = reader_.where(*decided_);
    }
    // Before the cells are kept: the limit bounds memory, not only the result.
    if (rows_ * names_.size() > LabelledTable::kMostCells) {
      throw Error(Code::kTooLarge, "found more than " + std::to_string(LabelledTable::kMostCells) + " cells",
                  reader_.where(0));
    }
    for (std::size_t c = 0; c < kept_.size(); ++c) gathered_[c].take(trimmed(cells_[kept_[c]]), reader_, kept_[c]);
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
    LabelledTable::Column column{.name = names_[kept_[c]], .categories = {}};
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
  CsvReader reader_;
  std::vector<std::string_view> cells_;  // of the row last read
  bool pending_ = false;                 // cells_ are data already
  std::vector<std::string> names_;
  std::size_t first_line_ = 0;
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
