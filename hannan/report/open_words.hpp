// The words of a first screen where the log itself leaves open what was or would have been earned: winners paid their
// own bids, gains are known only within limits, or a question about the log has not been answered.
#pragma once

#include <optional>
#include <string>

#include "hannan/report/compared.hpp"

namespace hannan::detail {

// Gains within limits: "between 155 USD less and 162 USD more", "at least 12 USD more". Only of a page that has them.
std::string limits_words(const ComparedPage& page);
// The same of the baseline's money: "-0.1 % to +0.2 %"; empty where that is not known.
std::string limits_shares(const ComparedPage& page);
// Why they are limits, one sentence.
std::string limits_reason(const ComparedPage& page);

// The headline of such a page as pieces of text; null where the log leaves nothing open, or something is recommended.
Json open_headline(const ComparedPage& page);
// The sentences below it; empty where there is nothing to add.
std::string open_lede(const ComparedPage& page);

}  // namespace hannan::detail
