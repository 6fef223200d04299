// The line of a round in a record of combined forecasts (docs/record.md, forecasts): what was said, what came or not,
// and what was made of it. The verifier needs nothing else. The order of fields is part of the format.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "hannan/forecasts/combiner.hpp"
#include "hannan/io/json.hpp"

namespace hannan::detail {

// What the round itself does not say of a row.
struct RecordedRow {
  double y = kNotDelivered;  // NaN: not known when the line is written
  bool never = false;        // known not to come
  std::span<const std::string> by;
};
// Right after the forecast of the round; `time` is its place among all rounds of the run.
Json recorded_round(const Combiner& combiner, const CombinerRound& made, std::uint64_t time,
                    std::span<const RecordedRow> rows);

}  // namespace hannan::detail
