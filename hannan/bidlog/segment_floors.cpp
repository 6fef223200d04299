// Floors of all segments as one file of Prebid's rules, "value|value|slot" with * for any value. A segment whose floor
// is that of the rule it would fall back to is left out, which makes files short: Prebid takes the most specific rule.
// Floors are rounded up, never down. Cost: O(segments * slots).
#include "hannan/bidlog/segment_floors.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <utility>

#include "hannan/core/error.hpp"
#include "hannan/core/small_letters.hpp"

namespace hannan::detail {
namespace {

std::string segment_text(const std::vector<std::string>& segment) { return dump(Json(segment)); }

// v_1|...|v_d|*|...|* over so many columns.
std::string segment_key(const std::vector<std::string>& segment, std::size_t columns) {
  std::string key;
  for (std::size_t i = 0; i < columns; ++i)
    key += (i > 0 ? "|" : "") + (i < segment.size() ? floor_key(segment[i]) : std::string("*"));
  return key;
}

bool has_empty(const std::vector<std::string>& segment) {
  return std::find(segment.begin(), segment.end(), "") != segment.end();
}

// The rules so far, in the order in which they were added.
class Rules {
 public:
  explicit Rules(const SegmentFloorsRequest& request)
      : request_(request), columns_(request.fields.size() - (request.slots.empty() ? 0 : 1)) {}

  void add(const SegmentFloor& visited) {
    const std::string key = segment_key(visited.segment, columns_);
    const auto [known, is_new] = named_.emplace(key, &visited);
    if (!is_new) {
      throw Error(Code::kUnavailable,
                  "found one rule, \"" + key + "\", for the segments " + segment_text(known->second->segment) +
                      " and " + segment_text(visited.segment) +
                      ", expected one each: rules are in lower case, with _ for | and *",
                  "floors");
    }
    if (request_.slots.empty()) {
      if (falls_back(visited)) return;
      put(key, visited.floors.front());
      return;
    }
    for (std::size_t i = 0; i < visited.floors.size(); ++i) {
      const std::string& name = request_.slots[i];
      const std::string slot = name == "*" ? name : floor_key(name);
      put(columns_ == 0 ? slot : key + "|" + slot, visited.floors[i]);
    }
  }
  std::size_t size() const { return fields_.size(); }
  double least() const { return least_; }
  Json take() { return Json::of_fields(std::move(fields_)); }

 private:
  // The rule of the segment above, or the one that it falls back to itself, has the same floor.
  bool falls_back(const SegmentFloor& visited) const {
    if (visited.segment.empty()) return false;
    const std::vector<std::string> above(visited.segment.begin(), visited.segment.end() - 1);
    const auto parent = named_.find(segment_key(above, columns_));
    return parent != named_.end() &&
           rounded_floor(parent->second->floors.front()) == rounded_floor(visited.floors.front());
  }
  void put(std::string key, double money) {
    const double floor = rounded_floor(money);
    least_ = fields_.empty() ? floor : std::min(least_, floor);
    fields_.emplace_back(std::move(key), Json(floor));
  }

  const SegmentFloorsRequest& request_;
  std::size_t columns_;
  Json::Object fields_;
  std::unordered_map<std::string, const SegmentFloor*> named_;  // also those whose rule is left out
  double least_ = 0;
};

// What a bid without any rule meets: the root's floor, for bidders its pooled slot's, or the least where there is none.
double default_floor(const SegmentFloorsRequest& request, const SegmentFloor& root) {
  const auto pooled = std::find(request.slots.begin(), request.slots.end(), "*");
  if (pooled != request.slots.end())
    return rounded_floor(root.floors[static_cast<std::size_t>(pooled - request.slots.begin())]);
  return rounded_floor(*std::min_element(root.floors.begin(), root.floors.end()));
}

}  // namespace

// As Prebid compares: small letters, and none of the characters that its rules give a meaning to.
std::string floor_key(std::string name) {
  for (char& c : name) {
    c = small_letter(c);
    if (c == '|' || c == '*') c = '_';
  }
  return name;
}

// Up to four decimals (docs/logs.md): a floor below the price of the decision would let bids through
// that it refuses. The 10^-6 of the last decimal keeps an exact price from going up by its rounding.
double rounded_floor(double money) { return std::ceil(money * 1e4 - 1e-6) / 1e4; }

SegmentFloors segment_floors(const SegmentFloorsRequest& request) {
  SegmentFloors made;
  Rules rules(request);
  for (const SegmentFloor& visited : request.visited) {
    if (!has_empty(visited.segment)) {
      rules.add(visited);
      continue;
    }
    if (request.empty == SegmentFloorsRequest::Empty::kRefuse) {
      throw Error(Code::kUnavailable,
                  "found the segment " + segment_text(visited.segment) +
                      " with an empty value, which no rule of Prebid can match; leave such segments out with "
                      "--floors-drop-empty, in the pipe \"drop_empty\":true",
                  "floors");
    }
    ++made.dropped;
  }
  made.rules = rules.size();
  made.floors = Json::object({{"floorsSchemaVersion", 1}, {"floorProvider", "hannan"}});
  if (!request.model.empty()) made.floors.set("modelVersion", request.model);
  if (!request.currency.empty()) made.floors.set("currency", request.currency);
  made.floors.set("skipRate", 0).set("floorMin", rules.least());
  made.floors.set("schema", Json::object({{"delimiter", "|"}, {"fields", Json(request.fields)}}));
  made.floors.set("values", rules.take()).set("default", default_floor(request, request.visited.front()));
  return made;
}

}  // namespace hannan::detail
