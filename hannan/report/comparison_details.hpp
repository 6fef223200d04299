// Below the first screen of a comparison: the decisions, and two closed parts, how sure the figures are, in sentences,
// and the technical details under the program's own names.
#pragma once

#include "hannan/report/blocks.hpp"
#include "hannan/report/compared.hpp"

namespace hannan::detail {

// A chart over dates where there are any, else over rounds; without a series.
PageChart chart_over_time(const ComparedPage& page);

void write_decisions(Json& blocks, const ComparedPage& page);      // of the learner, in money where they are prices
void write_all_decisions(Json& blocks, const ComparedPage& page);  // of learners and rivals
void write_player_segments(Json& blocks, const ComparedPage& page);
Json certainty_block(const ComparedPage& page);
Json technical_block(const ComparedPage& page);

}  // namespace hannan::detail
