// Reserve prices as a price-floors file of Prebid, schema version 1 (docs/logs.md says how slots map to it).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "hannan/bidlog/facts.hpp"
#include "hannan/game/game.hpp"
#include "hannan/game/money.hpp"
#include "hannan/io/json.hpp"

namespace hannan::detail {

// A problem whose decisions may be floors.
struct FloorProblem {
  std::string kind;
  std::shared_ptr<const Money> money;  // null: it says nothing of it
  static FloorProblem of(const Game& game) { return {std::string(game.kind()), game.money()}; }
  std::size_t owners() const { return money->amounts.owners; }  // bidders
};

struct FloorsRequest {
  FloorProblem problem;
  const Json& action;  // reserves in 1..m
  const LogFacts& log;
  std::string field;      // of the schema: what a slot is to the ad server
  std::string model;      // model version
  double skip_share = 0;  // of auctions without floors, a whole percent
};
// Throws kUnavailable for problems without reserves, kUsage where it is not known what a bid of 1 stands for. A
// currency that was not stated is not written: the format allows it, and Prebid then takes the floors as USD.
Json price_floors(const FloorsRequest& request);

inline constexpr const char* kNoCurrencyStated = "no currency stated: Prebid takes these floors as USD";
// The model version, with a note in front where no currency was stated.
std::string with_currency_note(std::string model, const LogFacts& log);

// The same as schema version 2, which Prebid Server takes: its rules as the only one of modelGroups.
Json floors_of_schema_two(const Json& one);

// Throws kUnavailable for problems without reserves, kUsage where it is not known what a bid of 1 stands for or the log
// has another number of slots.
void check_floors(const FloorProblem& problem, const LogFacts& log);
// The kinds of problems with reserves, for messages.
std::string floor_kinds();
// What each slot is in a key: "*" for that of all bidders and for the first pooled one, which stands for all bidders
// without a rule of their own and has their highest bids; empty for the other pooled ones, which have no rule.
std::vector<std::string> slot_keys(const LogFacts& log, std::size_t bidders);

// A reserve of an action in money: a level of the cap, or a price of the list. kUnavailable at `at` where the auction
// has ceilings.
struct ReserveInMoney {
  const Money& money;
  double cap = 1;
  std::string at;
  double of(std::size_t bidder, const Json& reserve) const;
};

}  // namespace hannan::detail
