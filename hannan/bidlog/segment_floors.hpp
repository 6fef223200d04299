// Reserves of segments as one price-floors object of Prebid, schema version 1 (docs/contexts.md).
//
// A visited segment (v_1 .. v_d) of D fields is the rule v_1|...|v_d|*|...|*. Prebid takes the matching rule with the
// most exact fields, leftmost first; rules here are prefixes, so it takes that of the deepest visited segment.
// With a bidder field, the last one, a segment has a rule for every slot, because a bidder's rule of a coarser segment
// has fewer exact fields than the segment's pooled rule. Without one, a rule that equals the one it would fall back to
// is left out.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hannan/io/json.hpp"

namespace hannan::detail {

struct SegmentFloor {
  std::vector<std::string> segment;
  std::vector<double> floors;  // money; one, or one per slot
};

struct SegmentFloorsRequest {
  std::vector<SegmentFloor> visited;  // in order of their paths, the root first; of a segment all coarser ones too
  std::vector<std::string> fields;    // one per column, and the bidder's behind them where there are slots
  // The bidders' names, "*" for the pooled slot; empty: no bidder field.
  std::vector<std::string> slots;
  std::string currency;                                        // empty: not stated, and not written
  std::string model;                                           // model version; empty: none is written
  enum class Empty { kRefuse, kDrop } empty = Empty::kRefuse;  // what to do with a segment whose value is ""
};

struct SegmentFloors {
  Json floors;
  std::size_t rules = 0;
  std::size_t dropped = 0;  // segments with an empty value
};
// Throws kUnavailable where two segments have one key, and where a value is empty unless those are dropped.
SegmentFloors segment_floors(const SegmentFloorsRequest& request);

// A value, or a bidder's name, as it stands in a key: lower case, | and * as _.
std::string floor_key(std::string name);
// Four decimals, up: Prebid rounds to them, and a floor below the reserve would let bids through.
double rounded_floor(double money);

}  // namespace hannan::detail
