// What the page of a comparison says of a portfolio: four numbers, the gain over time with what is certain and what was
// at risk, who played, what each way would have earned, and how sure that is. Words: docs/portfolio.md.
#pragma once

#include "hannan/report/compared.hpp"

namespace hannan::detail {

// All of a page that has one. The numbers are {"block":"four","figures":[[name, amount, note]]}.
Json portfolio_numbers(const ComparedPage& page);
Json portfolio_chart(const ComparedPage& page);
Json who_played_chart(const ComparedPage& page);
Json ways_table(const ComparedPage& page);
Json next_block(const ComparedPage& page);  // what is handed on
Json portfolio_certainty(const ComparedPage& page);

// "4 ways, one drawn each auction".
std::string drawn_words(const ComparedPage& page);
// "portfolio ended on": the likeliest way, as it is called inside a sentence.
std::string ended_on_words(const ComparedPage& page);

}  // namespace hannan::detail
