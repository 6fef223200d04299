// What the wide and the long reader share: the roles of columns, the rows as they are read, and rounds by time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "hannan/contexts/context_columns.hpp"
#include "hannan/forecasts/named_rows.hpp"
#include "hannan/forecasts/number_cells.hpp"
#include "hannan/forecasts/table.hpp"

namespace hannan::detail {

// The columns of a row that are no numbers to forecast with: keys, values of `by`, the actual and the weight.
class RowKeys {
 public:
  // `actual` is a place in the table; npos: actuals come from elsewhere.
  RowKeys(const ForecastColumns& columns, const NamedRows& rows, std::size_t actual);

  bool has_role(std::size_t column) const;
  // The key of a row without its horizon, and with it.
  std::string target(const std::vector<std::string_view>& cells) const;
  std::string key(const std::vector<std::string_view>& cells) const;
  // Appends a row. The line it stands on is for messages.
  void add(const std::vector<std::string_view>& cells, const NamedRows& rows, double y, double weight);

  // Rounds by time, after the last row; moves the rows into the table.
  void finish(ForecastTable& table, const std::string& path);

  std::size_t rows() const { return y.size(); }
  std::vector<double> y, weights;
  std::vector<std::string> targets;  // of every row
  std::size_t actual, weight;        // places; npos: none

 private:
  void rounds_by_time(ForecastTable& table, const std::string& path);
  void set_horizons(ForecastTable& table, const std::vector<double>& times, const std::string& path);
  void refuse_doubles(const ForecastTable& table, const std::string& path) const;

  const ForecastColumns& columns_;
  std::size_t time_, round_, horizon_, issued_;
  std::vector<std::size_t> series_;
  std::vector<ContextColumn> by_;
  std::vector<std::size_t> by_places_;
  std::vector<std::string> key_names_, keys_, times_, rounds_, horizons_, values_;
  std::vector<std::size_t> lines_;
};

// Actuals by target, of a file of their own; empty: there is none.
std::unordered_map<std::string, double> read_truth(const ForecastColumns& columns);

ForecastTable read_wide(const std::string& path, const ForecastColumns& columns);
ForecastTable read_long(const std::string& path, const ForecastColumns& columns);
// The mark of decimals that a first reading has found. Throws kTwoReadings.
DecimalMark decimal_of(const NumberCells& cells);
// Where the table has its actuals. Throws kMissingField with the names that are there.
std::size_t place_of_actual(const ForecastColumns& columns, const NamedRows& rows);
// The column of times: the one that is stated, or the one column called date, time, timestamp, datetime or ds.
ForecastColumns with_times(ForecastColumns columns, const NamedRows& rows);

}  // namespace hannan::detail
