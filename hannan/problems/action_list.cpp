#include "hannan/problems/action_list.hpp"

#include "hannan/core/error.hpp"
#include "hannan/io/fields.hpp"

namespace hannan {

ActionList::ActionList(const std::vector<std::vector<int>>& given) {
  for (const auto& levels : given) {
    if (places_.emplace(levels, actions_.size()).second) actions_.push_back({actions_.size(), levels});
  }
}

ActionList ActionList::parse(const Json& json, const std::string& path, Shape shape) {
  const auto& list = to_list(json, path);
  if (list.empty() || list.size() > kMaxGiven) {
    throw Error(Code::kOutOfRange,
                "found " + std::to_string(list.size()) + " actions, expected 1 to " + std::to_string(kMaxGiven), path);
  }
  std::vector<std::vector<int>> given;
  for (std::size_t k = 0; k < list.size(); ++k) {
    const auto numbers = to_integers(list[k], path_of(path, k), {0, shape.levels});
    if (numbers.size() != shape.width) {
      throw Error(Code::kOutOfRange,
                  "found " + std::to_string(numbers.size()) + " integers, expected " + std::to_string(shape.width),
                  path_of(path, k));
    }
    given.emplace_back(numbers.begin(), numbers.end());
  }
  return ActionList(given);
}

std::optional<std::uint64_t> ActionList::find(const std::vector<int>& levels) const {
  const auto at = places_.find(levels);
  return at == places_.end() ? std::nullopt : std::optional(at->second);
}

Json ActionList::json() const {
  Json list = Json::array();
  for (const auto& action : actions_) list.push_back(Json(action.levels));
  return list;
}

}  // namespace hannan
