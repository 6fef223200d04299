#include "hannan/bidlog/price_floors.hpp"

#include <algorithm>

#include "hannan/bidlog/segment_floors.hpp"
#include "hannan/core/error.hpp"

namespace hannan::detail {

double ReserveInMoney::of(std::size_t bidder, const Json& reserve) const {
  if (const Json* levels = params.find("levels")) return reserve.as_number() / levels->as_number() * cap;
  const Json* prices = params.find("prices");
  if (!prices)
    throw Error(Code::kUnavailable, "found a reverse auction, expected a forward one: floors are reserves", at);
  const Json& own = (*prices)[0].is_array() ? (*prices)[bidder] : *prices;
  return own[static_cast<std::size_t>(reserve.as_number())].as_number();
}

Json price_floors(const FloorsRequest& request) {
  if (request.problem != "vcg-reserves") {
    throw Error(Code::kUnavailable,
                "found \"" + request.problem + "\", expected vcg-reserves: price floors are reserves", "--floors");
  }
  const LogFacts& log = request.log;
  if (!log.priced && request.params.find("levels")) {
    throw Error(
        Code::kUsage,
        "found neither --log nor --cap, expected one of them: floors are money, and one of these says what a bid "
        "of 1 stands for",
        "--floors");
  }
  const ReserveInMoney money{request.params, log.cap, "--floors"};
  const std::size_t bidders = request.action.size();
  const double wanted = request.params.at("bidders").as_number();
  if (!log.slots.empty() && static_cast<double>(log.slots.size()) != wanted) {
    throw Error(
        Code::kUsage,
        "found " + std::to_string(log.slots.size()) + " slots, expected " + number_text(wanted) + ", one per bidder",
        "--log");
  }
  Json values = Json::object();
  double least = 0;
  for (std::size_t i = 0; i < bidders; ++i) {
    const std::string name = log.slots.empty() ? std::to_string(i + 1) : log.slots[i];
    // A pooled slot stands for all bidders without a rule of their own: the first such slot, which has their highest
    // bids, decides.
    const auto pooled = std::find(log.rest.begin(), log.rest.end(), name);
    if (pooled != log.rest.end() && pooled != log.rest.begin()) continue;
    std::string key = pooled != log.rest.end() ? "*" : floor_key(name);
    if (key.empty() || values.find(key)) key += "_" + std::to_string(i + 1);
    const double floor = rounded_floor(money.of(i, request.action[i]));
    least = i == 0 ? floor : std::min(least, floor);
    values.set(key, floor);
  }
  return Json::object({{"floorsSchemaVersion", 1},
                       {"floorProvider", "hannan"},
                       {"modelVersion", request.model},
                       {"currency", log.currency.empty() ? std::string("USD") : log.currency},
                       {"skipRate", 0},
                       {"floorMin", least},
                       {"schema", Json::object({{"delimiter", "|"}, {"fields", Json::array({Json(request.field)})}})},
                       {"values", std::move(values)},
                       {"default", least}});
}

}  // namespace hannan::detail
