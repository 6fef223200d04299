// The first screen of a comparison: what to do, one sentence with money and percent, warnings, and one chart.
//
// The state is that of hannan/compare/judgement.hpp. "keep" is shown as worse where even the upper end of its range
// is not above 0.
#pragma once

#include <string>

#include "hannan/report/compared.hpp"

namespace hannan::detail {

enum class PageState { kBetter, kWorse, kKeep, kUnsure };
PageState state_of(const ComparedPage& page);
const char* state_name(PageState state);  // "better", "worse", "keep", "unsure"

// {"block":"headline","state","advice","says":[{"text","strong"}],"lede","short","strip"}; the strip, the range against
// zero, only where there is a finite range.
Json headline_block(const ComparedPage& page);

// {"block":"warnings","serious","title","items":[{"what","text"}]}. Serious: more than 1 % of the log's money is not in
// the figures. The others: rows and auctions that were left out, dates, and that this is a replay.
void write_serious_warnings(Json& blocks, const ComparedPage& page);
Json all_warnings(const ComparedPage& page);   // the items, most serious first
Json data_warnings(const ComparedPage& page);  // the first of them, and how many more there are

}  // namespace hannan::detail
