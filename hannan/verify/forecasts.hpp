// Checks the record of a run of forecasts from scratch: everything that was published, learned and certified is
// computed again from what the models said and what came (forecast_replay.hpp); the best mixture's value from its
// weights, its floor from the recorded slopes or the slope at its weights. The solver is neither repeated nor trusted.
//
// On trust: that forecasts were made before their actuals were known, and finished forecasts of the user's own.
#pragma once

#include <cstdint>
#include <string>

#include "hannan/verify/record_lines.hpp"

namespace hannan::detail {

struct VerifiedForecasts {
  std::uint64_t combiners = 0, rounds = 0, rows = 0;
  double total = 0, value = 0, floor = 0;  // of the best fixed mixture
};
// Throws kRejected at "name:line" with the field that does not agree, and what RecordLines throws.
VerifiedForecasts verify_forecasts(LineSource lines, const std::string& name);
// Whether a first line is the header of such a record.
bool is_forecast_record(const std::string& line);

}  // namespace hannan::detail
