// The record of a run of forecasts: for each horizon and level a header, a line for each round, and an end with totals,
// Deltas, certificates and the best fixed mixture (docs/record.md, forecasts). hannan/verify/forecasts.hpp checks it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "hannan/forecasts/run.hpp"

namespace hannan::detail {

// Of a run that was recorded (ForecastRun::record_rounds) and is finished.
std::string forecast_record(const ForecastRun& run, const ForecastTerms& terms);

// A combination that is told round by round, in whatever order actuals come, and its record: the header says
// "told":"lines", rounds are written when they are forecast, and each actual is a line of its own where it came,
// {"come": round, "row": row, "y": actual}, null where it never comes.
class ForecastLog {
 public:
  explicit ForecastLog(CombinerPlan plan);

  const CombinerRound& forecast(std::span<const ForecastRow> rows);
  void tell(std::uint64_t round, std::size_t row, double y);
  // All lines so far and the end, as if nothing more came. Costs a search for the best mixture.
  std::string record() const;

 private:
  struct Filled {
    std::uint64_t round;
    std::size_t row;
    std::vector<double> x;  // models, the mixture in the place of those that are missing
    double y, weight;
  };
  Combiner combiner_;
  std::string lines_;
  std::vector<Filled> rows_;           // with a forecast
  std::vector<std::size_t> first_of_;  // place in rows_ of the first row of a round
};

}  // namespace hannan::detail
