// Errors of a combined forecast by stretches of time, by series, by horizon and by hour: where it is better, and where
// not.
#pragma once

#include <string>

#include "hannan/compare/forecast_players.hpp"
#include "hannan/io/json.hpp"

namespace hannan::detail {

// [{by, rows: [{name, rows, combined, today, best, seconds}]}]: best is the error of the model of this name on the rows
// that it delivered, null where it delivered none; seconds is the time of the first row, where rounds have times. At
// most 50 rows each, the ones with most rows first; stretches of time in their order: months, or what gives 6 to 36 of
// them.
Json forecast_groups(const ForecastRun& run, const JudgedForecasts& judged, const ForecastLoss& loss,
                     const std::string& best_model);

}  // namespace hannan::detail
