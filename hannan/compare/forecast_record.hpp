// The record of a run of forecasts: for each horizon and level a header, a line for each round, and an end with totals,
// Deltas, certificates and the best fixed mixture (docs/record.md, forecasts). hannan/verify/forecasts.hpp checks it.
#pragma once

#include <string>

#include "hannan/forecasts/run.hpp"

namespace hannan::detail {

// Of a run that was recorded (ForecastRun::record_rounds) and is finished.
std::string forecast_record(const ForecastRun& run, const ForecastTerms& terms);

}  // namespace hannan::detail
