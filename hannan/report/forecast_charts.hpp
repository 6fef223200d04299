// The charts of the page of a combined forecast.
#pragma once

#include <string>

#include "hannan/io/json.hpp"
#include "hannan/report/forecast_words.hpp"

namespace hannan::detail {

// "better", "worse", "keep" or "unsure", as the judgement in the result has it.
std::string forecast_state(const ForecastWords& words);

// Error avoided over time against what is done today.
Json avoided_chart(const ForecastWords& words);
// Combined against actual: the last rounds of the series with most rows, and the others in a closed part.
void write_actuals(Json& blocks, const ForecastWords& words);
// {"block":"bands",...}: how much of the combined forecast each model makes up, stacked (page/bands.js).
Json weights_bands(const ForecastWords& words);
// Errors by stretches of time, as a chart and a table; by series, horizon and hour in a closed part.
void write_groups(Json& blocks, const ForecastWords& words);
// Quantiles: how often the actual was below each.
void write_coverage(Json& blocks, const ForecastWords& words);

}  // namespace hannan::detail
