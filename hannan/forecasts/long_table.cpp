// A row per forecast: keys become rows, names of models columns, levels quantiles.
#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "hannan/core/error.hpp"
#include "hannan/core/printable.hpp"
#include "hannan/core/text.hpp"
#include "hannan/forecasts/table_reader.hpp"

namespace hannan::detail {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// One forecast, and the line it stands on.
struct Entry {
  std::size_t row, model, line;
  double level, value;
};

class LongRows {
 public:
  LongRows(const std::string& path, const ForecastColumns& columns, DecimalMark decimal)
      : columns_(columns),
        rows_(path),
        actual_(columns.truth.empty() ? place_of_actual(columns, rows_) : kNoColumn),
        keys_(columns_, rows_, actual_),
        numbers_(4) {
    for (const auto* needed : {&columns.timestamp, &columns.model, &columns.forecast}) {
      if (needed->empty())
        throw Error(Code::kMissingField, "found --format long, expected --timestamp, --model and --forecast too",
                    "--format");
    }
    truth_ = read_truth(columns);
    model_ = rows_.place(columns.model, "--model");
    value_ = rows_.place(columns.forecast, "--forecast");
    level_ = rows_.place(columns.level, "--level");
    std::vector<std::string_view> cells;
    while (rows_.next(cells)) add(cells, decimal);
  }

  const NumberCells& numbers() const { return numbers_; }

  ForecastTable table(const std::string& path) {
    const char* const names[] = {"forecast", "actual", "weight", "level"};
    for (std::size_t c = 0; c < 4; ++c) {
      if (const auto& column = numbers_.column(c); column.texts > 0)
        throw Error(Code::kNotANumber,
                    "found \"" + printable(column.text.cell) + "\" as " + names[c] + ", expected a number or nothing",
                    column.text.at);
    }
    ForecastTable made;
    if (models_.empty()) throw Error(Code::kMissingField, "found no forecast, expected some", path);
    std::set<double> levels;
    for (const Entry& entry : entries_) {
      if (!std::isnan(entry.level)) levels.insert(entry.level);
    }
    made.levels.assign(levels.begin(), levels.end());
    std::vector<std::size_t> place(models_.size());
    for (std::size_t k = 0; k < models_.size(); ++k) {
      const bool finished = std::ranges::find(columns_.own, models_[k]) != columns_.own.end();
      auto& list = finished ? made.columns : made.models;
      place[k] = list.size();
      list.push_back(models_[k]);
    }
    for (std::size_t k = 0; k < models_.size(); ++k) {
      if (std::ranges::find(columns_.own, models_[k]) != columns_.own.end()) place[k] += made.models.size();
    }
    made.x.assign(keys_.rows() * made.depth() * made.width(), kNone);
    std::vector<std::size_t> lines(made.x.size(), 0);
    for (const Entry& entry : entries_) {
      const auto q =
          made.levels.empty()
              ? 0
              : static_cast<std::size_t>(std::ranges::lower_bound(made.levels, entry.level) - made.levels.begin());
      const std::size_t at = (entry.row * made.depth() + q) * made.width() + place[entry.model];
      if (lines[at] > 0)
        throw Error(Code::kMalformed,
                    "found a second value of the model \"" + printable(models_[entry.model]) +
                        "\" for the key of line " + std::to_string(lines[at]) + ", expected one",
                    path + ":" + std::to_string(entry.line));
      lines[at] = entry.line;
      made.x[at] = entry.value;
    }
    keys_.finish(made, path);
    return made;
  }

 private:
  void add(const std::vector<std::string_view>& cells, DecimalMark decimal) {
    const auto number = [&](std::size_t c, std::size_t column) {
      return column == kNoColumn ? kNone
                                 : numbers_.read(c, cells[column], decimal, [&] { return rows_.where(column); });
    };
    const std::string model(trimmed(cells[model_]));
    if (std::ranges::find(columns_.drop, model) != columns_.drop.end()) return;
    if (!columns_.models.empty() &&
        std::ranges::none_of(columns_.models, [&](const std::string& pattern) { return matches(model, pattern); }))
      return;
    const auto [row, fresh] = index_.try_emplace(keys_.key(cells), keys_.rows());
    double y = number(1, actual_);
    if (const auto found = truth_.find(keys_.target(cells)); actual_ == kNoColumn && found != truth_.end())
      y = found->second;
    if (fresh) {
      const double weight = keys_.weight == kNoColumn ? 1 : number(2, keys_.weight);
      if (!(weight > 0))
        throw Error(Code::kOutOfRange, "found no weight above 0, expected one", rows_.where(keys_.weight));
      keys_.add(cells, rows_, y, weight);
    } else if (!std::isnan(y)) {
      double& known = keys_.y[row->second];
      if (!std::isnan(known) && known != y)
        throw Error(
            Code::kMalformed,
            "found the actual " + number_text(y) + " beside " + number_text(known) + " of the same key, expected one",
            rows_.where(actual_));
      known = y;
    }
    const auto [name, unknown] = names_.try_emplace(model, models_.size());
    if (unknown) models_.push_back(model);
    const double value = number(0, value_), level = number(3, level_);
    if (level_ != kNoColumn && !(level > 0 && level < 1))
      throw Error(Code::kOutOfRange,
                  "found the level \"" + printable(std::string(cells[level_])) + "\", expected one between 0 and 1",
                  rows_.where(level_));
    if (!std::isnan(value)) entries_.push_back({row->second, name->second, rows_.line(), level, value});
  }

  ForecastColumns columns_;
  NamedRows rows_;
  std::size_t actual_, model_ = 0, value_ = 0, level_ = kNoColumn;
  RowKeys keys_;
  NumberCells numbers_;  // forecast, actual, weight, level
  std::unordered_map<std::string, double> truth_;
  std::unordered_map<std::string, std::size_t> index_, names_;
  std::vector<std::string> models_;
  std::vector<Entry> entries_;
};

}  // namespace

ForecastTable read_long(const std::string& path, const ForecastColumns& columns) {
  const DecimalMark first = columns.decimal.value_or(DecimalMark::kPoint);
  LongRows rows(path, columns, first);
  if (columns.decimal || decimal_of(rows.numbers()) == first) return rows.table(path);
  ForecastColumns again = columns;
  again.decimal = decimal_of(rows.numbers());
  return LongRows(path, again, *again.decimal).table(path);
}

}  // namespace hannan::detail
