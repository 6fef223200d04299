// The verbs of a learner with a decision for every segment (docs/contexts.md).
#include <algorithm>
#include <utility>

#include "hannan/bidlog/price_floors.hpp"
#include "hannan/bidlog/segment_floors.hpp"
#include "hannan/contexts/context_values.hpp"
#include "hannan/runtime/pipe.hpp"

namespace hannan::detail {
namespace {

// The values of a key of `visited`, which are joined by "/".
std::vector<std::string> split_name(const std::string& name) {
  std::vector<std::string> values;
  for (std::size_t at = 0; !name.empty() && at <= name.size();) {
    const std::size_t end = std::min(name.find('/', at), name.size());
    values.push_back(name.substr(at, end - at));
    at = end + 1;
  }
  return values;
}

// The names of the slots, null being the pooled one; empty where none are given.
std::vector<std::string> slots_in(Fields& in) {
  std::vector<std::string> slots;
  const Json* given = in.maybe("slots");
  if (!given) return slots;
  const auto& list = to_list(*given, in.at("slots"));
  for (std::size_t i = 0; i < list.size(); ++i)
    slots.push_back(list[i].is_null() ? "*" : to_word(list[i], path_of(in.at("slots"), i)));
  return slots;
}

}  // namespace

ContextLearner& Pipe::context_learner_in(Fields& in) {
  ContextLearner* tree = learner_in(in).as<ContextLearner>();
  if (tree) return *tree;
  throw Error(Code::kUnavailable, "found a learner without columns, expected one with \"by\"", in.at("in"));
}

Json Pipe::segments(Fields& in) {
  ContextLearner& learner = context_learner_in(in);
  std::vector<std::string> under;
  if (const Json* given = in.maybe("under")) {
    const std::size_t size = to_list(*given, in.at("under")).size();
    std::size_t most = 0;
    for (const auto& order : learner.orders()) most = std::max(most, order.size());
    if (learner.orders().size() > 1) ++most;  // the number of the order
    read_context(*given, std::min(size, most), in.at("under"), under);
  }
  const auto limit = static_cast<std::uint64_t>(in.integer("limit", {0, 100'000'000}, 1000));
  in.done();
  auto listing = learner.segments(under, limit);
  return Json::object({{"segments", std::move(listing.list)}, {"complete", listing.complete}});
}

// Of the map of a learner, or of `visited`, an object from segment to its floors in money.
Json Pipe::floors(Fields& in) {
  // With a learner the columns are those of its map; with `visited`, as many as the deepest key has, and "" is the
  // root.
  SegmentFloorsRequest request;
  ContextLearner* learner = in.has("visited") ? nullptr : &context_learner_in(in);
  const double cap = in.number("cap", {1e-12, 1e12}, 1.0);
  request.slots = slots_in(in);
  std::vector<std::string> usual = learner ? learner->orders()[learner->map_order()] : std::vector<std::string>{};
  if (!request.slots.empty()) usual.emplace_back("bidder");
  request.fields = in.has("fields") ? in.words("fields") : usual;
  request.currency = in.word("currency", "USD");
  if (in.flag("drop_empty", false)) request.empty = SegmentFloorsRequest::Empty::kDrop;
  std::size_t columns = 0;
  if (learner) {
    const auto said = learner->game().money();
    if (!said || said->floors == Money::Floors::kNone)
      throw Error(
          Code::kUnavailable,
          "found \"" + std::string(learner->game().kind()) + "\", expected " + floor_kinds() + ": floors are reserves",
          in.at("in"));
    const ReserveInMoney money{*said, cap, in.at("in")};
    request.model = "hannan, segments of " + std::to_string(learner->rounds()) + " rounds";
    columns = learner->orders()[learner->map_order()].size();
    const Json map = learner->map();
    for (const Json& visited : map.as_array()) {
      SegmentFloor floor{to_words(visited.at("segment"), "segment"), {}};
      // Without the number of the order.
      if (learner->orders().size() > 1 && !floor.segment.empty()) floor.segment.erase(floor.segment.begin());
      for (const Json& reserve : visited.at("action").as_array())
        floor.floors.push_back(money.of(floor.floors.size(), reserve));
      request.visited.push_back(std::move(floor));
    }
  } else {
    Fields visited = in.fields("visited");
    for (const auto& [name, value] : in.need("visited").as_object()) {
      const std::string at = visited.at(name);
      SegmentFloor floor{split_name(name), {}};
      floor.floors = value.is_array() ? to_numbers(value, at) : std::vector<double>{to_number(value, at)};
      columns = std::max(columns, floor.segment.size());
      request.visited.push_back(std::move(floor));
    }
    std::sort(request.visited.begin(), request.visited.end(),
              [](const SegmentFloor& a, const SegmentFloor& b) { return a.segment < b.segment; });
    if (request.visited.empty() || !request.visited.front().segment.empty())
      throw Error(Code::kMissingField, "found no floors of the root, expected a field \"\"", visited.path());
  }
  in.done();
  // A learner's map needs a field for each of its columns; `visited` may leave the last fields unused.
  const std::size_t wanted = columns + (request.slots.empty() ? 0 : 1);
  if (learner ? request.fields.size() != wanted : request.fields.size() < wanted) {
    throw Error(Code::kOutOfRange,
                "found " + std::to_string(request.fields.size()) + " fields, expected " + std::to_string(wanted) +
                    ", one per column" + (request.slots.empty() ? "" : " and one for the bidder"),
                in.at("fields"));
  }
  const std::size_t floors = request.slots.empty() ? 1 : request.slots.size();
  for (const SegmentFloor& floor : request.visited) {
    if (floor.floors.size() == floors) continue;
    throw Error(Code::kOutOfRange,
                "found " + std::to_string(floor.floors.size()) + " floors for a segment, expected " +
                    std::to_string(floors) + ": give \"slots\", a name or null for each bidder",
                in.at("slots"));
  }
  return Json::object({{"floors", segment_floors(request).floors}});
}

}  // namespace hannan::detail
