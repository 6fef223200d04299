// Lists of actions from and to JSON, shared by the problems that can be restricted to some of their actions. Each
// vector is checked for its shape as it is read; repetitions are dropped by ActionList, so places are those of first
// occurrences.
#include "hannan/problems/action_list_codec.hpp"

#include <utility>

#include "hannan/core/error.hpp"
#include "hannan/io/fields.hpp"

namespace hannan::detail {

ActionList parse_action_list(const Json& json, const std::string& path, ActionList::Shape shape) {
  const auto& list = to_list(json, path);
  ActionList::expect_count(list.size(), path);
  std::vector<std::vector<int>> given;
  for (std::size_t k = 0; k < list.size(); ++k) {
    const auto numbers = to_integers(list[k], path_of(path, k), {0, shape.levels});
    given.emplace_back(numbers.begin(), numbers.end());
    ActionList::expect_shape(given.back(), shape, path_of(path, k));
  }
  return ActionList(given);
}

Json action_list_json(const ActionList& list) {
  Json json = Json::array();
  for (const auto& action : list.all()) json.push_back(Json(action.levels));
  return json;
}

PlacedVector listed_action(const ActionList& list, std::vector<int> levels, const Json& json, std::string_view path) {
  const auto place = list.find(levels);
  if (!place) {
    throw Error(Code::kBadAction, "found " + describe(json) + ", expected one of the listed actions",
                std::string(path));
  }
  return {*place, std::move(levels)};
}

}  // namespace hannan::detail
