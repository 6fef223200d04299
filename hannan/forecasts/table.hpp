// A table of forecasts and actuals as it is read from a file or made of a frame.
//
// Wide: a row is one quantity to forecast, a column a model (NAME@0.1 a quantile of it). Long: a row is one forecast of
// one model. Numbers are read as people write them (io/amount.hpp); an empty cell, NA, NaN or null is not delivered.
// Rows of one time are one round (docs/forecasts.md, input).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "hannan/io/amount.hpp"

namespace hannan::detail {

struct ForecastColumns {
  std::string actual;  // empty: the one column that is called so (actual_name.hpp)
  std::string timestamp;
  std::vector<std::string> series, drop, models;  // models: names or patterns with *; empty: all other numbers
  std::string weight, today, round;
  std::vector<std::string> own, by;
  std::string levels_after = "@";
  enum class Format { kWide, kLong } format = Format::kWide;
  std::string model, forecast, level;  // long
  std::string horizon, issued;
  std::string truth;  // a file of actuals with the same keys
  bool sort = false;  // rounds by time, in whatever order they stand
  std::optional<DecimalMark> decimal;
  std::string zone;
};

struct ForecastTable {
  std::vector<std::string> models, columns;  // columns: finished forecasts that are no models
  std::vector<double> levels;                // increasing; empty: points
  std::vector<std::string> key_names;        // time, series, horizon, as far as there are any
  std::vector<std::string> by;

  std::vector<double> x;                 // width() a level, levels or one a row; NaN: not delivered
  std::vector<double> y;                 // NaN: none
  std::vector<double> weight;            // empty: 1
  std::vector<std::string> keys;         // key_names.size() a row
  std::vector<std::string> values;       // by.size() a row
  std::vector<std::size_t> round;        // of a row: its place among all times, from 0
  std::vector<std::uint64_t> horizon;    // of a row, in rounds; empty: none is stated
  std::vector<std::string> round_names;  // the time of each round, or its number
  std::vector<double> round_times;       // the same as numbers that increase; empty: they are words
  std::vector<double> round_seconds;     // since 1970; empty: the rounds have no times
  // Rows whose actual came, or was known never to come, in the order in which that was told; each before the forecast
  // of round `before`. Empty: they are told by the lag.
  struct Told {
    std::size_t row, before;
  };
  std::vector<Told> told;
  std::vector<std::string> notes;  // what was taken for what, and what is left out

  std::size_t rows() const { return y.size(); }
  std::size_t width() const { return models.size() + columns.size(); }
  std::size_t depth() const { return levels.empty() ? 1 : levels.size(); }
  std::span<const double> forecasts(std::size_t row, std::size_t level) const {
    return {x.data() + (row * depth() + level) * width(), width()};
  }
  std::string key_text(std::size_t row) const;  // "2026-03-01, north"
};

// Throws what the format of the file breaks (kMalformed, kNotANumber with line and column), kMissingField where there
// is no actual or no model, kTwoReadings where the decimal mark is not known, kEmpty.
ForecastTable read_forecasts(const std::string& path, const ForecastColumns& columns);

// Does a name match a pattern, in which * stands for any letters?
bool matches(const std::string& name, const std::string& pattern);

}  // namespace hannan::detail
