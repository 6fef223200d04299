// Price floors for Prebid out of a decision: checks that the decision can be floors at all (reserves, forward, in
// money), and the file without segments. With segments: segment_floors.cpp.
#include "hannan/bidlog/price_floors.hpp"

#include <algorithm>
#include <cmath>

#include "hannan/bidlog/auctions.hpp"
#include "hannan/bidlog/segment_floors.hpp"
#include "hannan/core/error.hpp"
#include "hannan/problems/log_kinds.hpp"

namespace hannan::detail {

double ReserveInMoney::of(std::size_t bidder, const Json& reserve) const {
  if (money.floors != Money::Floors::kReserves)
    throw Error(Code::kUnavailable, "found a reverse auction, expected a forward one: floors are reserves", at);
  const Amounts& amounts = money.amounts;
  if (amounts.lists.empty()) return reserve.as_number() / amounts.levels * cap;
  return amounts.lists[bidder][static_cast<std::size_t>(reserve.as_number())];
}

std::string floor_kinds() {
  return log_kinds_text([](const LogUse& use) { return use.floors; });
}

void check_floors(const FloorProblem& problem, const LogFacts& log) {
  if (!problem.money || problem.money->floors == Money::Floors::kNone) {
    throw Error(Code::kUnavailable,
                "found \"" + problem.kind + "\", expected " + floor_kinds() + ": price floors are reserves",
                "--floors");
  }
  if (!log.priced && problem.money->amounts.levels > 0) {
    throw Error(
        Code::kUsage,
        "found neither --log nor --cap, expected one of them: floors are money, and one of these says what a bid "
        "of 1 stands for",
        "--floors");
  }
  const auto by_rank = [](const std::string& slot) { return slot.starts_with(kRankName); };
  if (log.slots.size() > 1 && std::all_of(log.slots.begin(), log.slots.end(), by_rank)) {
    throw Error(Code::kUnavailable,
                "found slots by rank, expected bidders: ranks are not known before the bids are; --slots identity or "
                "all makes prices that can be set",
                "--floors");
  }
  const std::size_t wanted = problem.owners();
  if (!log.slots.empty() && log.slots.size() != wanted) {
    throw Error(
        Code::kUsage,
        "found " + std::to_string(log.slots.size()) + " slots, expected " + std::to_string(wanted) + ", one per bidder",
        "--log");
  }
}

// The key of each bidder's rule: its name, "*" for the slot of all others, "" for further slots of others, which one
// rule cannot tell apart.
std::vector<std::string> slot_keys(const LogFacts& log, std::size_t bidders) {
  std::vector<std::string> keys;
  for (std::size_t i = 0; i < bidders; ++i) {
    const std::string name = log.slots.empty() ? std::to_string(i + 1) : log.slots[i];
    if (name == kAllBidders) {
      keys.emplace_back("*");
      continue;
    }
    const auto pooled = std::find(log.rest.begin(), log.rest.end(), name);
    if (pooled != log.rest.end()) {
      keys.push_back(pooled == log.rest.begin() ? "*" : "");
      continue;
    }
    std::string key = floor_key(name);
    if (key.empty() || std::find(keys.begin(), keys.end(), key) != keys.end()) key += "_" + std::to_string(i + 1);
    keys.push_back(std::move(key));
  }
  return keys;
}

Json price_floors(const FloorsRequest& request) {
  check_floors(request.problem, request.log);
  const LogFacts& log = request.log;
  const ReserveInMoney money{*request.problem.money, log.cap, "--floors"};
  const std::size_t bidders = request.action.size();
  const std::vector<std::string> keys = slot_keys(log, bidders);
  Json values = Json::object();
  double least = 0;
  for (std::size_t i = 0; i < bidders; ++i) {
    if (keys[i].empty()) continue;
    const double floor = rounded_floor(money.of(i, request.action[i]));
    least = i == 0 ? floor : std::min(least, floor);
    values.set(keys[i], floor);
  }
  // Bidders outside the table were never given a reserve: the decision says nothing of them, so they get none.
  if (has_others(log)) values.set("*", least = 0);
  Json floors =
      Json::object({{"floorsSchemaVersion", 1}, {"floorProvider", "hannan"}, {"modelVersion", request.model}});
  if (!log.currency.empty()) floors.set("currency", log.currency);
  floors.set("skipRate", std::round(100 * request.skip_share)).set("floorMin", least);
  floors.set("schema", Json::object({{"delimiter", "|"}, {"fields", Json::array({Json(request.field)})}}));
  return floors.set("values", std::move(values)).set("default", least);
}

std::string with_currency_note(std::string model, const LogFacts& log) {
  return log.currency.empty() ? kNoCurrencyStated + ("; " + model) : model;
}

// The same rules in the newer schema, as one model of full weight.
Json floors_of_schema_two(const Json& one) {
  Json group = Json::object({{"modelWeight", 100}});
  for (const char* name : {"modelVersion", "currency", "skipRate", "schema", "values", "default"}) {
    if (const Json* value = one.find(name)) group.set(name, *value);
  }
  Json two = Json::object({{"floorsSchemaVersion", 2}});
  for (const char* name : {"floorProvider", "currency", "skipRate", "floorMin"}) {
    if (const Json* value = one.find(name)) two.set(name, *value);
  }
  return two.set("modelGroups", Json::array({std::move(group)}));
}

}  // namespace hannan::detail
