#include "service/accepted_json.hpp"

#include "service/learner_figures.hpp"

namespace hannan::detail::service {

// What the learner looks like after the group that the outcomes were committed with, which may hold others' outcomes
// too.
Json accepted_json(const Accepted::Part& part, Shown shown) {
  const Published& seen = *part.published;
  Json answer = Json::object({{"accepted", part.accepted}, {"duplicates", part.duplicates}});
  if (part.accepted > 0) {
    answer.set("first", part.first);
    answer.set("last", part.last);
  }
  answer.set("total", seen.seen_total());
  if (!seen.part.is_null()) answer.set("part", seen.part);
  add_best(answer, seen);
  if (seen.delayed) {
    answer.set("settled", seen.rounds);
    answer.set("open", seen.open);
  } else {
    answer.set("next", seen.decision);
  }
  if (shown == Shown::kSums) return answer;
  Json list = Json::array();
  for (const auto& one : part.each)
    list.push_back(Json::object(
        {{"round", one.round}, {"loss", seen.part.is_null() ? Json(one.loss) : Json()}, {"duplicate", one.duplicate}}));
  answer.set("each", std::move(list));
  return answer;
}

}  // namespace hannan::detail::service
