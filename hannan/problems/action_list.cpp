// A given list of actions: repetitions are dropped, the first occurrence keeps its place. Looking one up costs O(log
// K).
#include "hannan/problems/action_list.hpp"

#include "hannan/core/expect.hpp"

namespace hannan::detail {

ActionList::ActionList(const std::vector<std::vector<int>>& given) {
  for (const auto& levels : given) {
    if (places_.emplace(levels, actions_.size()).second) actions_.push_back({actions_.size(), levels});
  }
}

std::optional<std::uint64_t> ActionList::find(const std::vector<int>& levels) const {
  const auto at = places_.find(levels);
  return at == places_.end() ? std::nullopt : std::optional(at->second);
}

void ActionList::expect_count(std::size_t count, const std::string& part) {
  if (count >= 1 && count <= kMaxGiven) return;
  throw Error(Code::kOutOfRange,
              "found " + std::to_string(count) + " actions, expected 1 to " + std::to_string(kMaxGiven), part);
}

void ActionList::expect_shape(const std::vector<int>& levels, Shape shape, const std::string& part) {
  if (levels.size() != shape.width) {
    throw Error(Code::kOutOfRange,
                "found " + std::to_string(levels.size()) + " integers, expected " + std::to_string(shape.width), part);
  }
  for (std::size_t i = 0; i < levels.size(); ++i) expect_whole(levels[i], {0, shape.levels}, path_of(part, i));
}

void ActionList::expect(Shape shape, const std::string& part) const {
  if (!given()) return;
  expect_count(actions_.size(), part);
  for (const auto& action : actions_) expect_shape(action.levels, shape, path_of(part, action.place));
}

}  // namespace hannan::detail
