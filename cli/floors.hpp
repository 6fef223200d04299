// Reserve prices as a price-floors file of Prebid, schema version 1 (docs/logs.md says how slots map to it).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "flags.hpp"
#include "hannan/io/json.hpp"
#include "hannan/runtime/any_problem.hpp"

namespace hannan::cli {

// What money and names a table of bids stands for: from the summary that `hannan convert` wrote, or from flags.
struct LogFacts {
  double cap = 1;
  bool priced = false;             // somebody said what a bid of 1 stands for
  std::string currency;            // three letters; empty: not known
  std::vector<std::string> slots;  // empty: not known
  std::vector<std::string> rest;   // those of the slots that are pooled
  Json summary;                    // as it was written; null: there is none
};

// From a summary of `hannan convert`, which `at` names in messages. Throws kUsage where it is none.
LogFacts log_facts(Json summary, const std::string& at);

struct MoneyFlags {
  std::string log, currency, floors, field = "bidder";
  std::optional<double> cap;
  // Throws kUsage where the file is none of `hannan convert`, kOutOfRange.
  LogFacts facts() const;
  // The same beside a table of bids, whose header has the names too; kUsage where it has others.
  LogFacts facts_of_table(const std::vector<std::string>& names, const std::string& path) const;
  // The same where the log itself is at hand.
  LogFacts facts(LogFacts of_log) const;
};
void add_money_flags(Command& command, MoneyFlags& flags);

struct FloorsRequest {
  const AnyProblem& problem;
  const Json& action;  // reserves in 1..m
  const LogFacts& log;
  std::string field;  // of the schema: what a slot is to the ad server
  std::string model;  // model version
};
// Throws kUnavailable for problems without reserves, kUsage where nobody said what a bid of 1 stands for.
Json price_floors(const FloorsRequest& request);

}  // namespace hannan::cli
