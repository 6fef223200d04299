// Reserve prices as a price-floors file of Prebid, schema version 1 (docs/logs.md says how slots map to it).
#pragma once

#include <string>
#include <vector>

#include "hannan/engine/face.hpp"
#include "hannan/io/json.hpp"

namespace hannan::cli {

// What money and names a table of bids stands for: from the summary that `hannan convert` wrote, or from flags.
struct LogFacts {
  double cap = 1;
  std::string currency;            // three letters; empty: not known
  std::vector<std::string> slots;  // empty: not known
  std::string rest;                // name of the pooled slot, where there is one
  Json summary;                    // as it was written; null: there is none
};
// Throws kUsage where the file is none of `hannan convert`.
LogFacts read_log_facts(const std::string& path);

struct FloorsRequest {
  const ProblemFace& problem;
  const Json& action;        // reserves in 1..m
  const LogFacts& log;
  std::string model;         // model version
};
// Throws kUnavailable for problems without reserves.
Json price_floors(const FloorsRequest& request);

}  // namespace hannan::cli
