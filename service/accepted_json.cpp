// What the learner looks like after the group that the outcomes were committed with, which may hold others' outcomes
// too. All answers to a group say the same of it: it becomes text once (Published::standing_text).
#include "service/accepted_json.hpp"

#include <string_view>

#include "service/learner_figures.hpp"

namespace hannan::detail::service {
namespace {

Json counts_json(const Accepted::Part& part) {
  Json counts = Json::object({{"accepted", part.accepted}, {"duplicates", part.duplicates}});
  if (part.accepted > 0) counts.set("first", part.first).set("last", part.last);
  return counts;
}

Json each_json(const Accepted::Part& part) {
  const bool known = part.published->part.is_null();
  Json list = Json::array();
  for (const auto& one : part.each)
    list.push_back(
        Json::object({{"round", one.round}, {"loss", known ? Json(one.loss) : Json()}, {"duplicate", one.duplicate}}));
  return list;
}

// The fields of an object behind those of another; both are written on one line, and neither is empty.
void add_fields(std::string& text, std::string_view object) {
  text.back() = ',';
  text += object.substr(1);
}

}  // namespace

Json accepted_json(const Accepted::Part& part, Shown shown) {
  Json answer = counts_json(part);
  const Json standing = standing_json(*part.published);
  for (const auto& [name, value] : standing.as_object()) answer.set(name, value);
  if (shown == Shown::kEach) answer.set("each", each_json(part));
  return answer;
}

std::string accepted_text(const Accepted::Part& part, Shown shown, Repeatable repeatable) {
  std::string text = dump(counts_json(part));
  add_fields(text, part.published->standing_text);
  if (shown == Shown::kEach) add_fields(text, dump(Json::object({{"each", each_json(part)}})));
  if (repeatable == Repeatable::kNo) add_fields(text, dump(Json::object({{"repeatable", false}})));
  return text;
}

}  // namespace hannan::detail::service
