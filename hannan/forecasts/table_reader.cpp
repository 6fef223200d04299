// Roles of columns, keys of rows and rounds by time (table_reader.hpp).
#include "hannan/forecasts/table_reader.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <set>

#include "hannan/core/error.hpp"
#include "hannan/core/printable.hpp"
#include "hannan/core/small_letters.hpp"
#include "hannan/core/text.hpp"
#include "hannan/forecasts/actual_name.hpp"
#include "hannan/io/csv.hpp"
#include "hannan/io/time_column.hpp"

namespace hannan::detail {
namespace {

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < 12; ++i) text += (i ? ", " : "") + printable(names[i]);
  return text + (names.size() > 12 ? ", ..." : "");
}

StatedTimes stated_zone(const ForecastColumns& columns) {
  StatedTimes stated;
  if (!columns.zone.empty()) stated.zone = zone_seconds(columns.zone, "--zone");
  return stated;
}

double seconds_of(const Instant& at) { return static_cast<double>(at.seconds) + 1e-9 * at.nanoseconds; }

}  // namespace

ForecastColumns with_times(ForecastColumns columns, const NamedRows& rows) {
  if (!columns.timestamp.empty() || !columns.round.empty()) return columns;
  static const std::set<std::string> kNames{"date", "time", "timestamp", "datetime", "ds"};
  std::vector<std::string> found;
  for (const std::string& name : rows.names()) {
    const bool dropped = std::ranges::find(columns.drop, name) != columns.drop.end();
    if (!dropped && kNames.contains(small_letters(name))) found.push_back(name);
  }
  if (found.size() == 1) columns.timestamp = found.front();
  return columns;
}

std::size_t place_of_actual(const ForecastColumns& columns, const NamedRows& rows) {
  if (!columns.actual.empty()) return rows.place(columns.actual, "--actual");
  std::vector<std::string> found;
  const auto has_role = [&](const std::string& name) {
    for (const auto* one : {&columns.timestamp, &columns.weight, &columns.round, &columns.model, &columns.forecast,
                            &columns.level, &columns.horizon, &columns.issued, &columns.today}) {
      if (name == *one) return true;
    }
    for (const auto* list : {&columns.series, &columns.drop, &columns.models}) {
      if (std::ranges::find(*list, name) != list->end()) return true;
    }
    return false;
  };
  for (const std::string& name : rows.names()) {
    if (names_actual(name) && !has_role(name)) found.push_back(name);
  }
  if (found.size() == 1) return rows.place(found.front(), "--actual");
  throw Error(Code::kMissingField,
              (found.empty() ? "found no column that is called as what came is"
                             : "found several such columns (" + listed(found) + ")") +
                  std::string(", expected --actual NAME, one of ") + listed(rows.names()),
              rows.path());
}

DecimalMark decimal_of(const NumberCells& cells) {
  if (const auto decimal = cells.decimal()) return *decimal;
  const CellExample& two = cells.example_of_two();
  throw Error(Code::kTwoReadings,
              "found \"" + printable(two.cell) +
                  "\", which may have a decimal mark or a mark between groups of digits, and no cell of the table that "
                  "says which, expected --decimal point or --decimal comma",
              two.at);
}

RowKeys::RowKeys(const ForecastColumns& columns, const NamedRows& rows, std::size_t actual_place)
    : actual(actual_place),
      weight(rows.place(columns.weight, "--weight")),
      columns_(columns),
      time_(rows.place(columns.timestamp, "--timestamp")),
      round_(rows.place(columns.round, "--round")),
      horizon_(rows.place(columns.horizon, "--horizon")),
      issued_(rows.place(columns.issued, "--issued")),
      by_(parse_context_columns(columns.by, "--by")) {
  for (const std::string& name : columns.series) series_.push_back(rows.place(name, "--series"));
  const int zone = columns.zone.empty() ? 0 : zone_seconds(columns.zone, "--zone");
  for (ContextColumn& column : by_) {
    column.times.zone = zone;
    if (columns.decimal) column.decimal = *columns.decimal;
    by_places_.push_back(column.column.empty() ? time_ : rows.place(column.column, "--by"));
    if (by_places_.back() == kNoColumn)
      throw Error(Code::kMissingField, "found " + column.text + ", expected --timestamp too", "--by");
  }
  if (round_ != kNoColumn && time_ == kNoColumn) key_names_.push_back(columns.round);
  if (time_ != kNoColumn) key_names_.push_back(columns.timestamp);
  key_names_.insert(key_names_.end(), columns.series.begin(), columns.series.end());
  for (const std::size_t more : {horizon_, issued_}) {
    if (more != kNoColumn) key_names_.push_back(rows.names()[more]);
  }
}

bool RowKeys::has_role(std::size_t column) const {
  return column == time_ || column == round_ || column == horizon_ || column == issued_ || column == actual ||
         column == weight || std::ranges::find(series_, column) != series_.end();
}

std::string RowKeys::target(const std::vector<std::string_view>& cells) const {
  std::string text;
  const auto add_cell = [&](std::size_t column) {
    if (column != kNoColumn) text += std::string(trimmed(cells[column])) + '\n';
  };
  if (time_ == kNoColumn) add_cell(round_);
  add_cell(time_);
  for (const std::size_t column : series_) add_cell(column);
  return text;
}

std::string RowKeys::key(const std::vector<std::string_view>& cells) const {
  std::string text = target(cells);
  for (const std::size_t column : {horizon_, issued_}) {
    if (column != kNoColumn) text += std::string(trimmed(cells[column])) + '\n';
  }
  return text;
}

void RowKeys::add(const std::vector<std::string_view>& cells, const NamedRows& rows, double actual_y,
                  double row_weight) {
  const auto cell = [&](std::size_t column) { return std::string(trimmed(cells[column])); };
  if (round_ != kNoColumn && time_ == kNoColumn) keys_.push_back(cell(round_));
  if (time_ != kNoColumn) keys_.push_back(cell(time_));
  for (const std::size_t column : series_) keys_.push_back(cell(column));
  for (const std::size_t column : {horizon_, issued_}) {
    if (column != kNoColumn) keys_.push_back(cell(column));
  }
  if (time_ != kNoColumn) times_.push_back(cell(time_));
  if (round_ != kNoColumn) rounds_.push_back(cell(round_));
  if (horizon_ != kNoColumn || issued_ != kNoColumn)
    horizons_.push_back(cell(horizon_ != kNoColumn ? horizon_ : issued_));
  for (std::size_t b = 0; b < by_.size(); ++b)
    values_.push_back(context_cell(by_[b], trimmed(cells[by_places_[b]])).value_or(""));
  targets.push_back(target(cells));
  y.push_back(actual_y);
  if (weight != kNoColumn) weights.push_back(row_weight);
  lines_.push_back(rows.line());
}

// Numbers of steps, or times of issue: then the steps are the times of the table that lie between.
void RowKeys::set_horizons(ForecastTable& table, const std::vector<double>& times, const std::string& path) {
  if (horizons_.empty()) return;
  TimeColumn written;
  std::optional<TimeWriting> writing;
  if (issued_ != kNoColumn && horizon_ == kNoColumn) {
    for (std::size_t i = 0; i < rows(); ++i)
      written.see(horizons_[i], [&] { return path + ":" + std::to_string(lines_[i]); });
    writing = written.writing(stated_zone(columns_));
  }
  // Times of issue before the first time of the table stand for the times that it does not show.
  std::vector<double> earlier;
  for (std::size_t i = 0; writing && !times.empty() && i < rows(); ++i) {
    const auto issued = zone_time(horizons_[i], *writing);
    if (issued && seconds_of(issued->shown) < times.front()) earlier.push_back(seconds_of(issued->shown));
  }
  std::ranges::sort(earlier);
  earlier.erase(std::unique(earlier.begin(), earlier.end()), earlier.end());
  for (std::size_t i = 0; i < rows(); ++i) {
    const std::string at = path + ":" + std::to_string(lines_[i]);
    double steps = 0;
    if (!writing) {
      steps = parse_number(horizons_[i], at);
    } else {
      const auto issued = zone_time(horizons_[i], *writing);
      if (!issued || times.empty())
        throw Error(Code::kNotANumber, "found \"" + printable(horizons_[i]) + "\", expected a time, beside --timestamp",
                    at);
      const double shown = seconds_of(issued->shown);
      const auto known = std::ranges::upper_bound(times, shown) - times.begin();
      const auto between = earlier.end() - std::ranges::upper_bound(earlier, shown);
      steps = static_cast<double>(table.round[i]) - static_cast<double>(known) + 1 + static_cast<double>(between);
    }
    if (!(steps >= 1 && steps <= 1e6 && steps == std::floor(steps)))
      throw Error(Code::kOutOfRange,
                  "found the horizon \"" + printable(horizons_[i]) + "\", expected a whole number of rounds from 1 on",
                  at);
    table.horizon.push_back(static_cast<std::uint64_t>(steps));
  }
}

void RowKeys::rounds_by_time(ForecastTable& table, const std::string& path) {
  const std::vector<std::string>& cells = rounds_.empty() ? times_ : rounds_;
  table.round.resize(rows());
  if (cells.empty()) {
    std::iota(table.round.begin(), table.round.end(), std::size_t{0});
    for (std::size_t i = 0; i < rows(); ++i) table.round_names.push_back(std::to_string(i + 1));
    return;
  }
  const auto at = [&](std::size_t i) { return path + ":" + std::to_string(lines_[i]); };
  TimeColumn written;
  for (std::size_t i = 0; i < rows(); ++i) written.see(cells[i], [&] { return at(i); });
  const TimeColumn::Sense sense = rounds_.empty() ? written.sense() : TimeColumn::Sense::kText;
  std::vector<double> times;  // of every row
  if (sense == TimeColumn::Sense::kTimes) {
    const StatedTimes stated = stated_zone(columns_);
    written.need_one_zone(stated);
    const TimeWriting writing = written.writing(stated);
    for (std::size_t i = 0; i < rows(); ++i) {
      const auto time = zone_time(cells[i], writing);
      if (!time) throw Error(Code::kMalformed, "found \"" + printable(cells[i]) + "\", expected a time", at(i));
      times.push_back(seconds_of(time->shown));
    }
  } else if (sense == TimeColumn::Sense::kNumbers) {
    for (std::size_t i = 0; i < rows(); ++i) times.push_back(parse_number(cells[i], at(i)));
  } else {
    std::unordered_map<std::string, std::size_t> seen;
    for (std::size_t i = 0; i < rows(); ++i) {
      const auto [found, fresh] = seen.try_emplace(cells[i], table.round_names.size());
      if (fresh) table.round_names.push_back(cells[i]);
      table.round[i] = found->second;
    }
    return set_horizons(table, {}, path);
  }
  const bool any_order = columns_.sort || columns_.format == ForecastColumns::Format::kLong;
  for (std::size_t i = 1; i < rows() && !any_order; ++i) {
    if (times[i] < times[i - 1])
      throw Error(Code::kMalformed,
                  "found \"" + printable(cells[i]) + "\" after \"" + printable(cells[i - 1]) +
                      "\", expected times that do not go back; --sort puts rows in order of time",
                  at(i));
  }
  std::vector<double> distinct = times;
  std::ranges::sort(distinct);
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  table.round_names.resize(distinct.size());
  for (std::size_t i = 0; i < rows(); ++i) {
    table.round[i] = static_cast<std::size_t>(std::ranges::lower_bound(distinct, times[i]) - distinct.begin());
    table.round_names[table.round[i]] = cells[i];
  }
  table.round_times = distinct;
  if (sense == TimeColumn::Sense::kTimes) table.round_seconds = distinct;
  set_horizons(table, distinct, path);
}

void RowKeys::refuse_doubles(const ForecastTable& table, const std::string& path) const {
  if (key_names_.empty() || columns_.format == ForecastColumns::Format::kLong) return;
  std::vector<std::size_t> order(rows());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return std::pair(table.round[i], i); });
  std::map<std::string, std::size_t> seen;
  for (std::size_t n = 0; n < order.size(); ++n) {
    const std::size_t i = order[n];
    const bool alone = (n == 0 || table.round[order[n - 1]] != table.round[i]) &&
                       (n + 1 == order.size() || table.round[order[n + 1]] != table.round[i]);
    if (n > 0 && table.round[order[n - 1]] != table.round[i]) seen.clear();
    if (alone) continue;
    std::string key;
    for (std::size_t c = 0; c < key_names_.size(); ++c) key += keys_[i * key_names_.size() + c] + '\n';
    const auto [found, fresh] = seen.try_emplace(key, i);
    if (fresh) continue;
    throw Error(
        Code::kMalformed,
        "found the key of line " + std::to_string(lines_[found->second]) +
            " once more, expected one row for each; --series names the columns that tell rows of one time apart",
        path + ":" + std::to_string(lines_[i]));
  }
}

void RowKeys::finish(ForecastTable& table, const std::string& path) {
  if (rows() == 0) throw Error(Code::kEmpty, "found a header and no row, expected rows", path);
  rounds_by_time(table, path);
  refuse_doubles(table, path);
  table.key_names = key_names_;
  table.by = columns_.by;
  table.keys = std::move(keys_);
  table.values = std::move(values_);
  table.y = std::move(y);
  table.weight = std::move(weights);
}

std::unordered_map<std::string, double> read_truth(const ForecastColumns& columns) {
  std::unordered_map<std::string, double> truth;
  if (columns.truth.empty()) return truth;
  for (std::optional<DecimalMark> decimal = columns.decimal;;) {
    truth.clear();
    NamedRows rows(columns.truth);
    ForecastColumns keys_only = columns;
    keys_only.weight.clear();
    keys_only.by.clear();
    keys_only.horizon.clear();
    keys_only.issued.clear();
    const std::size_t actual = place_of_actual(columns, rows);
    const RowKeys keys(keys_only, rows, actual);
    NumberCells numbers(1);
    std::vector<std::string_view> cells;
    const DecimalMark read_with = decimal.value_or(DecimalMark::kPoint);
    while (rows.next(cells)) {
      const double y = numbers.read(0, cells[actual], read_with, [&] { return rows.where(actual); });
      if (std::isnan(y)) continue;
      if (const auto [at, fresh] = truth.try_emplace(keys.target(cells), y); !fresh && at->second != y)
        throw Error(Code::kMalformed, "found a second actual of one key, expected one", rows.where(actual));
    }
    if (!decimal && decimal_of(numbers) == DecimalMark::kComma) {
      decimal = DecimalMark::kComma;
      continue;
    }
    if (const auto& column = numbers.column(0); column.texts > 0)
      throw Error(Code::kNotANumber, "found \"" + printable(column.text.cell) + "\", expected a number",
                  column.text.at);
    return truth;
  }
}

std::string ForecastTable::key_text(std::size_t row) const {
  if (key_names.empty()) return "row " + std::to_string(row + 1);
  std::string text;
  for (std::size_t c = 0; c < key_names.size(); ++c) text += (c ? ", " : "") + keys[row * key_names.size() + c];
  return text;
}

ForecastTable read_forecasts(const std::string& path, const ForecastColumns& columns) {
  return columns.format == ForecastColumns::Format::kLong ? read_long(path, columns) : read_wide(path, columns);
}

bool matches(const std::string& name, const std::string& pattern) {
  // Greedy with one place to go back to: the last star.
  std::size_t n = 0, p = 0, star = std::string::npos, from = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      from = n;
    } else if (p < pattern.size() && pattern[p] == name[n]) {
      ++n;
      ++p;
    } else if (star != std::string::npos) {
      p = star + 1;
      n = ++from;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace hannan::detail
