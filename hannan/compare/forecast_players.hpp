// Everything that is held against a combined forecast, row by row: members, simple rules, models, and what is done
// today; and their losses by round (docs/forecasts.md, comparison).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "hannan/core/interval.hpp"
#include "hannan/forecasts/run.hpp"

namespace hannan::detail {

// One player over the rows that count and that it has a forecast for.
struct ForecastPlayer {
  std::string name;
  std::string role;            // "combined", "member", "rule", "model"
  std::vector<double> losses;  // of every judged round
  std::vector<double> today;   // of the same rows of today's forecast
  double weight = 0, total = 0, today_total = 0;
  std::uint64_t rows = 0;
};

struct JudgedForecasts {
  std::vector<std::size_t> rounds;      // of the table, those with a loss
  std::vector<ForecastPlayer> players;  // combined first, then today, then the others
  std::string today;                    // the name of what is done today
  std::vector<double> row_losses;       // of the combined forecast: a row of the table; NaN: it does not count
  std::vector<double> today_losses;
  std::uint64_t no_actual = 0, no_forecast = 0, zero_actual = 0, future = 0, counted = 0;
  double missing = 0;  // share of forecasts that were not delivered, over the rows that count
};
// The first `warm` rounds are learned from and not judged.
JudgedForecasts judged_forecasts(const ForecastRun& run, const ForecastTerms& terms, std::uint64_t warm);

// A mean loss as people read it: the root for squared loss.
double shown_error(const ForecastLoss& loss, double mean);
// How much less a player errs than today, in the unit, where it gains so much in sums of the loss.
double error_avoided(const ForecastLoss& loss, const ForecastPlayer& player, double gain);

}  // namespace hannan::detail
