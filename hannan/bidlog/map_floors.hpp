// The decisions of a learner by segment as price floors of Prebid (docs/contexts.md): the map of its report, in money,
// as the rules of segment_floors.hpp.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "hannan/bidlog/facts.hpp"
#include "hannan/bidlog/price_floors.hpp"
#include "hannan/bidlog/segment_floors.hpp"
#include "hannan/contexts/column_orders.hpp"
#include "hannan/io/json.hpp"

namespace hannan::detail {

// What the columns and the bidders are to the ad server.
struct FloorFields {
  std::map<std::string, std::string> of_column;  // the others have the column's name
  std::string of_slot = "bidder";
  // The fields of an order of columns, the bidder's last where there are several, others among them. Throws kUsage
  // where two are one.
  std::vector<std::string> of(const std::vector<std::string>& columns, std::size_t bidders) const;
};
// "column=field", parted at the last =, or "field", that of the bidders. Throws kUsage; kUnknownName for a column that
// no order has.
FloorFields read_floor_fields(const std::vector<std::string>& texts, const ColumnOrders& orders);

struct MapFloorsRequest {
  FloorProblem problem;
  const Json& report;  // of the learner: map, and orders where there are several
  const ColumnOrders& orders;
  const LogFacts& log;
  const FloorFields& fields;
  std::string model;  // model version
  SegmentFloorsRequest::Empty empty = SegmentFloorsRequest::Empty::kRefuse;
};
// Throws what check_floors (price_floors.hpp) and segment_floors throw.
SegmentFloors map_floors(const MapFloorsRequest& request);
// The order of columns whose segments are in the map.
std::size_t order_of_map(const Json& report);

// What Prebid.js needs for those of the fields that it does not know itself: the setting additionalSchemaFields, with a
// function for each. Empty where it knows all of them. Prebid compares what a function returns in lower case, and takes
// an empty string for a value without a rule.
std::string floor_functions(const std::vector<std::string>& fields, const std::vector<std::string>& columns,
                            int zone = 0);

}  // namespace hannan::detail
