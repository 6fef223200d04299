// Price floors of several learners in one file of Prebid: GET /v1/floors/{set}.json, whose rules PUT /v1/floors/{set}
// says.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "service/host.hpp"

namespace hannan::detail::service {

struct FloorRule {
  std::vector<std::string> key;  // a value for each field, "*" for any
  std::string learner, slot;     // whose reserve it is; no slot: that of the only bidder
};
struct FloorModel {
  std::uint64_t weight = 100;
  std::vector<FloorRule> rules;
};
struct FloorSet {
  std::vector<std::string> fields;
  std::vector<FloorModel> models;  // several: a file of schema 2 alone, each used for its share of auctions
  std::uint64_t skip_rate = 0;     // per cent of auctions without floors
  std::uint64_t max_age = 600;     // seconds
  bool is_public = false;

  Json json() const;
  std::vector<std::string> learners() const;  // each once, in order of their rules
};
// Throws what is wrong with it, with paths in the body.
FloorSet read_floor_set(const Json& body);

// A learner of another node: its file of schema 1, as that node answered.
struct FarFloors {
  Json one;  // null: there is no such learner, or it has no floors
  bool stale = false;
};
// Where the floors of a learner come from. Those that are in `far` are not asked for with `find`.
using FindEntry = std::function<EntryPointer(const std::string&)>;
struct FloorSources {
  FindEntry find;
  std::map<std::string, FarFloors> far;
};
// Throws where a learner has no floors, or no slot of that name, or another currency than the others.
void check_floor_set(const FloorSet& set, const FloorSources& from);

struct FloorsFile {
  Json json;
  bool stale = false;                // a learner is not up to date
  std::vector<std::string> missing;  // learners that were ended or no longer fit: their rules are left out
};
// Models without a rule are left out, and rules in another currency than the first that is left. kUndefined where no
// rule is left; kUnavailable for schema 1 where there are several models.
FloorsFile floors_of_set(const FloorSet& set, int schema, const FloorSources& from);

// What a learner's floors are good for: {"prebid_js","prebid_server","fields"}; null where it has none.
Json floors_offer(const LearnerConfig& config);

}  // namespace hannan::detail::service
