// A column per model: which columns are models, their levels, and the rows.
#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "hannan/core/error.hpp"
#include "hannan/core/near_name.hpp"
#include "hannan/core/printable.hpp"
#include "hannan/forecasts/table_reader.hpp"

namespace hannan::detail {
namespace {

// A column that may be one of forecasts.
struct Candidate {
  std::size_t place;
  std::string name;  // of the model
  double level;      // NaN: a point
  bool stated;       // by --models, --as-logged or own:
  bool finished;     // a combination that is no model
};

bool holds(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

// "NAME@0.9" as NAME and 0.9.
void split_level(Candidate& of, const std::string& separator) {
  const std::size_t at = separator.empty() ? std::string::npos : of.name.rfind(separator);
  double level = 0;
  if (at == std::string::npos || at == 0 ||
      read_number(of.name.substr(at + separator.size()), level) != Reading::kFinite)
    return;
  if (!(level > 0 && level < 1))
    throw Error(Code::kOutOfRange, "found the level of \"" + printable(of.name) + "\", expected one between 0 and 1",
                "header");
  of.name = of.name.substr(0, at);
  of.level = level;
}

std::vector<Candidate> candidates(const ForecastColumns& columns, const NamedRows& rows, const RowKeys& keys) {
  std::vector<Candidate> found;
  std::set<std::string> used;
  for (std::size_t i = 0; i < rows.names().size(); ++i) {
    const std::string& name = rows.names()[i];
    if (keys.has_role(i) || holds(columns.drop, name) || name.empty()) continue;
    Candidate one{.place = i,
                  .name = name,
                  .level = std::numeric_limits<double>::quiet_NaN(),
                  .stated = false,
                  .finished = false};
    split_level(one, columns.levels_after);
    bool listed = false;
    for (const std::string& pattern : columns.models) {
      if (!matches(name, pattern) && !matches(one.name, pattern)) continue;
      listed = true;
      used.insert(pattern);
    }
    const bool by = holds(columns.by, name) && !listed;
    const bool finished =
        holds(columns.own, one.name) || (one.name == columns.today && !columns.models.empty() && !listed);
    one.finished = finished;
    one.stated = listed || finished || one.name == columns.today;
    if (finished || listed || (columns.models.empty() && !by)) found.push_back(std::move(one));
  }
  for (const std::string& pattern : columns.models) {
    if (!used.contains(pattern))
      throw Error(Code::kUnknownName,
                  "found \"" + printable(pattern) + "\", which no column of " + rows.path() + " is called" +
                      near_hint(pattern, rows.names()),
                  "--models");
  }
  std::set<std::pair<std::string, double>> seen;
  for (const Candidate& one : found) {
    if (seen.insert({one.name, std::isnan(one.level) ? 0 : one.level}).second) continue;
    throw Error(Code::kMalformed,
                "found two columns \"" + printable(rows.names()[one.place]) + "\", expected one of each model",
                rows.path() + ":1");
  }
  return found;
}

// The table of the candidates that are forecasts; `raw` has a number for each candidate a row.
void assemble(ForecastTable& table, const std::vector<Candidate>& all, const std::vector<double>& raw,
              std::span<const unsigned char> kept) {
  std::set<double> levels;
  for (std::size_t c = 0; c < all.size(); ++c) {
    if (!kept[c]) continue;
    auto& names = all[c].finished ? table.columns : table.models;
    if (!holds(names, all[c].name)) names.push_back(all[c].name);
    if (!std::isnan(all[c].level)) levels.insert(all[c].level);
  }
  table.levels.assign(levels.begin(), levels.end());
  std::vector<std::size_t> target(all.size(), kNoColumn);
  for (std::size_t c = 0; c < all.size(); ++c) {
    if (!kept[c]) continue;
    if (!levels.empty() && std::isnan(all[c].level))
      throw Error(Code::kUnavailable,
                  "found \"" + printable(all[c].name) +
                      "\" without a level beside columns with one, expected all to be "
                      "quantiles; --drop leaves it out",
                  "header");
    const std::size_t q =
        levels.empty() ? 0
                       : static_cast<std::size_t>(std::ranges::find(table.levels, all[c].level) - table.levels.begin());
    const auto& names = all[c].finished ? table.columns : table.models;
    const auto k = static_cast<std::size_t>(std::ranges::find(names, all[c].name) - names.begin());
    target[c] = q * table.width() + k + (all[c].finished ? table.models.size() : 0);
  }
  const std::size_t rows = all.empty() ? 0 : raw.size() / all.size(), stride = table.depth() * table.width();
  table.x.assign(rows * stride, std::numeric_limits<double>::quiet_NaN());
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t c = 0; c < all.size(); ++c) {
      if (target[c] != kNoColumn) table.x[i * stride + target[c]] = raw[i * all.size() + c];
    }
  }
}

struct OneReading {
  ForecastTable table;
  std::optional<DecimalMark> other;  // decimals are written with this mark: read again
};

OneReading read_once_with(const std::string& path, const ForecastColumns& given, DecimalMark decimal) {
  NamedRows rows(path);
  const ForecastColumns columns = with_times(given, rows);
  const auto truth = read_truth(columns);
  const std::size_t actual = columns.truth.empty() ? place_of_actual(columns, rows) : kNoColumn;
  RowKeys keys(columns, rows, actual);
  const std::vector<Candidate> all = candidates(columns, rows, keys);
  const std::size_t C = all.size();
  NumberCells numbers(C + 2);  // candidates, the actual, the weight
  std::vector<double> raw;
  std::vector<std::string_view> cells;
  while (rows.next(cells)) {
    for (std::size_t c = 0; c < C; ++c)
      raw.push_back(numbers.read(c, cells[all[c].place], decimal, [&] { return rows.where(all[c].place); }));
    double y = std::numeric_limits<double>::quiet_NaN(), weight = 1;
    if (actual != kNoColumn) {
      y = numbers.read(C, cells[actual], decimal, [&] { return rows.where(actual); });
    } else if (const auto found = truth.find(keys.target(cells)); found != truth.end()) {
      y = found->second;
    }
    if (keys.weight != kNoColumn) {
      weight = numbers.read(C + 1, cells[keys.weight], decimal, [&] { return rows.where(keys.weight); });
      if (!(weight > 0))
        throw Error(
            Code::kOutOfRange,
            "found the weight \"" + printable(std::string(cells[keys.weight])) + "\", expected a number above 0",
            rows.where(keys.weight));
    }
    keys.add(cells, rows, y, weight);
  }
  if (keys.rows() == 0) throw Error(Code::kEmpty, "found a header and no row, expected rows", path);
  if (!given.decimal && decimal_of(numbers) != decimal) return {.table = {}, .other = decimal_of(numbers)};
  OneReading made;
  std::vector<unsigned char> kept;
  const auto refuse_text = [&](std::size_t c, const std::string& name) {
    const auto& column = numbers.column(c);
    if (column.texts > 0)
      throw Error(Code::kNotANumber,
                  "found \"" + printable(column.text.cell) + "\" in the column \"" + printable(name) +
                      "\", expected a number or nothing",
                  column.text.at);
  };
  std::string left;
  for (std::size_t c = 0; c < C; ++c) {
    const auto& column = numbers.column(c);
    const bool number = column.numbers > 0 || all[c].stated;
    if (number) refuse_text(c, all[c].name);
    kept.push_back(number ? 1 : 0);
    if (!number) left += (left.empty() ? "" : ", ") + all[c].name;
  }
  refuse_text(C, "actual");
  refuse_text(C + 1, columns.weight);
  if (!left.empty()) made.table.notes.push_back("columns without a number are no models: " + left);
  if (given.timestamp.empty() && !columns.timestamp.empty())
    made.table.notes.push_back("the times are those of the column \"" + columns.timestamp + "\"");
  assemble(made.table, all, raw, kept);
  if (made.table.models.empty())
    throw Error(Code::kMissingField, "found no column of forecasts beside the actual, expected one for each model",
                path);
  keys.finish(made.table, path);
  return made;
}

}  // namespace

ForecastTable read_wide(const std::string& path, const ForecastColumns& columns) {
  OneReading first = read_once_with(path, columns, columns.decimal.value_or(DecimalMark::kPoint));
  if (!first.other) return std::move(first.table);
  ForecastColumns again = columns;
  again.decimal = first.other;
  return std::move(read_once_with(path, again, *first.other).table);
}

}  // namespace hannan::detail
