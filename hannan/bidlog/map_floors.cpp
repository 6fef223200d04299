// The map of a report has an action for each visited segment; each becomes a rule of segment_floors.hpp in money, slot
// by slot. With several orders of columns the map is of one of them, whose number (from 1) is the first word of each
// path.
#include "hannan/bidlog/map_floors.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <set>
#include <utility>

#include "hannan/core/error.hpp"
#include "hannan/io/fields.hpp"

namespace hannan::detail {

std::vector<std::string> FloorFields::of(const std::vector<std::string>& columns, std::size_t bidders) const {
  std::vector<std::string> fields;
  for (const std::string& column : columns) {
    const auto named = of_column.find(column);
    fields.push_back(named == of_column.end() ? column : named->second);
  }
  if (bidders > 1) fields.push_back(of_slot);
  std::set<std::string> known;
  for (const std::string& field : fields) {
    if (known.insert(field).second) continue;
    throw Error(Code::kUsage,
                "found the field \"" + field + "\" twice, expected another one for each column" +
                    (bidders > 1 ? " and for the bidders" : ""),
                "--floors-field");
  }
  return fields;
}

FloorFields read_floor_fields(const std::vector<std::string>& texts, const ColumnOrders& orders) {
  FloorFields fields;
  const std::vector<std::string> columns = all_columns(orders);
  bool slot_given = false;
  for (const std::string& text : texts) {
    const std::size_t cut = text.rfind('=');
    const std::string column = text.substr(0, cut == std::string::npos ? 0 : cut);
    const std::string field = cut == std::string::npos ? text : text.substr(cut + 1);
    if (field.empty()) throw Error(Code::kUsage, "found \"" + text + "\", expected column=field", "--floors-field");
    if (cut == std::string::npos) {
      if (std::exchange(slot_given, true))
        throw Error(Code::kUsage, "found a second field for the bidders, \"" + text + "\", expected column=field",
                    "--floors-field");
      fields.of_slot = field;
      continue;
    }
    if (std::find(columns.begin(), columns.end(), column) == columns.end()) {
      throw Error(
          Code::kUnknownName,
          "found the column \"" + column + "\", expected one of --by" + (columns.empty() ? ", which is not given" : ""),
          "--floors-field");
    }
    if (!fields.of_column.emplace(column, field).second)
      throw Error(Code::kUsage, "found the column \"" + column + "\" twice, expected one field for it",
                  "--floors-field");
  }
  return fields;
}

std::size_t order_of_map(const Json& report) {
  const Json* orders = report.find("orders");
  if (!orders) return 0;
  for (const Json& visited : report.at("map").as_array()) {
    if (visited.at("segment").size() > 0)
      return static_cast<std::size_t>(std::strtoull(visited.at("segment")[0].as_string().c_str(), nullptr, 10)) - 1;
  }
  std::size_t best = 0;  // the root alone: any order has it
  for (std::size_t j = 1; j < orders->size(); ++j) {
    if ((*orders)[j].at("weight").as_number() > (*orders)[best].at("weight").as_number()) best = j;
  }
  return best;
}

SegmentFloors map_floors(const MapFloorsRequest& request) {
  check_floors(request.problem, request.log);
  const std::size_t bidders = request.problem.owners();
  const bool others = has_others(request.log);
  const std::size_t kinds = bidders + (others ? 1 : 0);
  const std::vector<std::string> keys = slot_keys(request.log, bidders);
  SegmentFloorsRequest rules;
  rules.fields = request.fields.of(request.orders[order_of_map(request.report)], kinds);
  if (kinds > 1)
    std::copy_if(keys.begin(), keys.end(), std::back_inserter(rules.slots),
                 [](const auto& key) { return !key.empty(); });
  if (others) rules.slots.emplace_back("*");
  rules.currency = request.log.currency;
  rules.model = request.model;
  rules.empty = request.empty;
  const ReserveInMoney money{*request.problem.money, request.log.cap, "--floors"};
  for (const Json& visited : request.report.at("map").as_array()) {
    SegmentFloor floor{to_words(visited.at("segment"), "segment"), {}};
    // Without the number of the order.
    if (request.orders.size() > 1 && !floor.segment.empty()) floor.segment.erase(floor.segment.begin());
    const Json& reserves = visited.at("action");
    for (std::size_t i = 0; i < bidders; ++i) {
      if (kinds == 1 || !keys[i].empty()) floor.floors.push_back(money.of(i, reserves[i]));
    }
    if (others) floor.floors.push_back(0);
    rules.visited.push_back(std::move(floor));
  }
  return segment_floors(rules);
}

}  // namespace hannan::detail
