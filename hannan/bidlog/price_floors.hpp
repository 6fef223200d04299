// Reserve prices as a price-floors file of Prebid, schema version 1 (docs/logs.md says how slots map to it).
#pragma once

#include <string>

#include "hannan/bidlog/facts.hpp"
#include "hannan/io/json.hpp"

namespace hannan::detail {

struct FloorsRequest {
  std::string problem;  // its kind
  Json params;          // of the problem
  const Json& action;   // reserves in 1..m
  const LogFacts& log;
  std::string field;  // of the schema: what a slot is to the ad server
  std::string model;  // model version
};
// Throws kUnavailable for problems without reserves, kUsage where it is not known what a bid of 1 stands for.
Json price_floors(const FloorsRequest& request);

// A reserve of a vcg-reserves action in money: a level of the cap, or a price of the list. kUnavailable at `at` where
// the auction has ceilings.
struct ReserveInMoney {
  const Json& params;
  double cap = 1;
  std::string at;
  double of(std::size_t bidder, const Json& reserve) const;
};

}  // namespace hannan::detail
