// What a reader of a comparison of forecasts should know before anything else: sentences, as a list.
//
//   a model equals the actual in 99 % of its rows      it was most likely made afterwards
//   a column lies wholly outside the actuals           it is a forecast of something else, or in another unit
//   a column counts the rows                           it is a number of the row, not a forecast
//   there is one model                                 nothing is combined
//   one row of 20 or more makes half of the summed error   a typing error, or everything else hardly counts
//   more than 1 % of the rows have no percentage       their actual is 0
//   a column of `by` has too few rounds for a value    below two for each model in the median: own weights lose
//   more rounds wait at the end than patience covers   the oldest are given up before their actuals come
#pragma once

#include "hannan/compare/forecast_players.hpp"
#include "hannan/forecasts/run.hpp"
#include "hannan/io/json.hpp"

namespace hannan::detail {

Json forecast_warnings(const ForecastRun& run, const JudgedForecasts& judged);

}  // namespace hannan::detail
