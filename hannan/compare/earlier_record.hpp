// The record of a run of forecasts that is to go on: its rounds, and its actuals as lines of their own where they came.
//
// A record of a table has the actuals beside the forecasts, and they are told by the lag. Once a run goes on they may
// come later than that, so the record becomes one of lines ("told":"lines", docs/record.md): before a round of time T
// come the actuals of rounds whose time is at most T - lag, in their order; behind the last round those that were known
// before the next one, and none that was told only to end the record. Everything is played again: the state must come
// out to the byte, or the record is of another run. Cost: that of the earlier run.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hannan/compare/forecast_comparison.hpp"
#include "hannan/forecasts/run.hpp"

namespace hannan::detail {

// Lines of the record for each stream of the run. `state` is what --save wrote, `run` was made from it and not played
// yet. Throws kBadState where the record is not that of the saved run, kMalformed where it is none.
std::vector<std::vector<std::string>> earlier_lines(const std::string& path, const Json& state, const ForecastRun& run);

// The rows with an actual of such lines, in their order.
FilledRows filled_rows_of(const std::vector<std::string>& lines, const CombinerPlan& plan);

}  // namespace hannan::detail
