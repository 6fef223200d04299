#include "hannan/io/labelled_table.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "hannan/core/error.hpp"
#include "hannan/io/csv.hpp"

namespace hannan::detail {

namespace {

bool is_missing(std::string_view cell) {
  return cell.empty() || cell == "?" || cell == "NA" || cell == "NaN" || cell == "nan";
}

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

  void take(std::string_view cell, const CsvReader& reader, std::size_t column) {
    if (is_missing(cell)) {
      if (missing_at.empty()) missing_at = reader.where(column);
      cells.emplace_back("?");
      return;
    }
    cells.emplace_back(cell);
    if (!numeric) return;
    const auto number = number_of(cell);
    numeric = number.has_value();
    if (number) numbers.push_back(*number);
  }
};

class CsvTable {
 public:
  CsvTable(std::unique_ptr<ByteSource> source, const std::string& name, const LabelledCsv& options)
      : name_(name), options_(options), reader_(unzipped(std::move(source), name), name) {}

  LabelledTable read() {
    read_names();
    choose_columns();
    for (bool more = pending_ || reader_.next(cells_); more; more = reader_.next(cells_)) take_row();
    if (labels_.empty()) throw Error(Code::kEmpty, "found no row of data, expected at least one", name_);
    LabelledTable table;
    table.labels = two_labels(labels_, options_.positive, name_);
    table.rows.assign(labels_.size(), std::vector<double>(kept_.size()));
    for (std::size_t c = 0; c < kept_.size(); ++c) table.columns.push_back(settle(c, table));
    return table;
  }

 private:
  void read_names() {
    for (std::size_t i = 0; i <= options_.skip; ++i) {
      if (!reader_.next(cells_)) throw Error(Code::kEmpty, "found no row of data, expected at least one", name_);
    }
    pending_ = options_.header == LabelledCsv::Header::kNone;
    for (std::size_t c = 0; c < cells_.size(); ++c) {
      names_.emplace_back(pending_ ? std::to_string(c + 1) : std::string(trimmed(cells_[c])));
    }
    first_line_ = reader_.line();
  }

  std::size_t place_of(const std::string& column) const {
    const auto found = std::find(names_.begin(), names_.end(), column);
    const bool twice = found != names_.end() && std::find(found + 1, names_.end(), column) != names_.end();
    if (found != names_.end() && !twice) return static_cast<std::size_t>(found - names_.begin());
    std::string all;
    for (std::size_t c = 0; c < std::min<std::size_t>(names_.size(), 60); ++c) all += (c ? ", " : "") + names_[c];
    throw Error(
        Code::kUnknownName,
        (twice ? "found two columns \"" : "found no column \"") + column + "\" in the header, expected one of " + all,
        name_ + ":" + std::to_string(first_line_));
  }

  void choose_columns() {
    label_ = place_of(options_.label);
    std::set<std::size_t> left_out{label_};
    for (const auto& column : options_.drop) left_out.insert(place_of(column));
    for (std::size_t c = 0; c < names_.size(); ++c) {
      if (!left_out.contains(c)) kept_.push_back(c);
    }
    if (kept_.empty()) throw Error(Code::kEmpty, "found no column beside the label, expected at least one", name_);
    gathered_.resize(kept_.size());
  }

  void take_row() {
    if (cells_.size() != names_.size()) {
      throw Error(Code::kColumnCount,
                  "found " + std::to_string(cells_.size()) + " cells, expected " + std::to_string(names_.size()) +
                      " as in line " + std::to_string(first_line_),
                  reader_.where(cells_.size()));
    }
    const auto label = trimmed(cells_[label_]);
    if (is_missing(label))
      throw Error(Code::kMalformed, "found no label, expected one in every row", reader_.where(label_));
    labels_.emplace_back(label);
    if (labels_.size() * names_.size() > LabelledTable::kMostCells) {
      throw Error(Code::kTooLarge, "found more than " + std::to_string(LabelledTable::kMostCells) + " cells",
                  reader_.where(0));
    }
    for (std::size_t c = 0; c < kept_.size(); ++c) gathered_[c].take(trimmed(cells_[kept_[c]]), reader_, kept_[c]);
  }

  // Numbers into the rows, or the places of the categories in order of their text.
  LabelledTable::Column settle(std::size_t c, LabelledTable& table) {
    Gathered& from = gathered_[c];
    LabelledTable::Column column{.name = names_[kept_[c]], .categories = {}};
    const bool all_missing = from.numbers.empty() && from.numeric;
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
  std::size_t label_ = 0;
  std::vector<std::size_t> kept_;
  std::vector<Gathered> gathered_;  // per kept column
  std::vector<std::string> labels_;
};

}  // namespace

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

LabelledTable read_labelled_csv(std::unique_ptr<ByteSource> source, const std::string& name,
                                const LabelledCsv& options) {
  return CsvTable(std::move(source), name, options).read();
}

}  // namespace hannan::detail
