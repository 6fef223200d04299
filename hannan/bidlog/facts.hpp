// What money and names a table of bids stands for: from the summary that `hannan convert` writes, or as stated.
#pragma once

#include <string>
#include <vector>

#include "hannan/io/json.hpp"

namespace hannan::detail {

struct LogFacts {
  double cap = 1;
  bool priced = false;             // the cap was stated: 1 is not only the default
  std::string currency;            // three letters; empty: not known
  std::vector<std::string> slots;  // empty: not known
  std::vector<std::string> rest;   // those of the slots that are pooled
  Json summary;                    // as it was written; null: there is none
};

// From a summary of `hannan convert`, which `at` names in messages. Throws kUsage where it is none.
LogFacts log_facts(Json summary, const std::string& at);

// The log has bids of bidders without a slot. They are in the outcomes, and no reserve holds for them.
bool has_others(const LogFacts& facts);

// Fills in the names of the slots from the header of the table at `table`. Throws kUsage, with `at`, where the facts
// have other names: then they are those of another table.
void match_names(LogFacts& facts, const std::vector<std::string>& header, const std::string& table,
                 const std::string& at);

}  // namespace hannan::detail
