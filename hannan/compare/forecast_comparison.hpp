// A combined forecast held against what is done today, in the unit of the data: the result of `hannan compare
// forecasts` as JSON, which texts and pages are made of (docs/forecasts.md).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hannan/compare/forecast_players.hpp"
#include "hannan/forecasts/run.hpp"
#include "hannan/io/json.hpp"

namespace hannan::detail {

struct ForecastComparison {
  const ForecastRun& run;  // finished
  const ForecastTerms& terms;
  std::string unit;
  std::uint64_t warm = 0;
  std::string source;  // the file
};
// Throws kEmpty where no row counts.
Json forecast_comparison(const ForecastComparison& of);

// The rows of a stream that have a loss, models that are missing replaced by the member: what F6 speaks of.
struct FilledRows {
  std::vector<double> x, y, weight;
};
FilledRows filled_rows(const ForecastRun& run, const ForecastStream& stream);

// Best model and best fixed mixture with its floor, in hindsight.
Json forecast_hindsight(const ForecastRun& run, const ForecastTerms& terms);

// A row per row of the table, in its order: keys, forecast (or a column for each level), actual, error, members;
// numbers with 12 significant digits.
std::string predictions_csv(const ForecastRun& run);
// A row per round: its time, the total weight of each model, of the median and of further columns.
std::string weights_csv(const ForecastRun& run);

// The first lines of a terminal.
std::string forecast_text(const Json& result, const std::string& predictions);

}  // namespace hannan::detail
