// The flags of `hannan run|compare|oracle forecasts`: how a table of forecasts is read and combined.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "flags.hpp"
#include "hannan/forecasts/run.hpp"
#include "hannan/forecasts/table.hpp"

namespace hannan::detail::cli {

struct ForecastFlags {
  std::string data;
  ForecastColumns columns;
  std::string format = "wide", decimal, members;
  std::string loss = "squared", unit;
  double clip = 0.001;
  std::uint64_t lag = 1, patience = 0;
  std::string predictions, weights, save;
  bool quiet = false, json = false;

  // Checked. Throws kUsage and what the names break.
  ForecastColumns read_columns() const;
  ForecastTerms terms() const;
};
void add_forecast_flags(Command& command, ForecastFlags& flags);
// Those that write files of a run.
void add_forecast_outputs(Command& command, ForecastFlags& flags);
// No output is the data, and no two are standard output; true: text is left out.
bool check_forecast_outputs(const ForecastFlags& flags, const std::string& out, const std::string& resume);
// Predictions, weights and state, as far as they are asked for; the state is that before finish().
void write_forecast_files(const ForecastFlags& flags, const ForecastRun& run, const Json& state);

}  // namespace hannan::detail::cli
