// Lists of actions as JSON: vectors of integers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "hannan/io/json.hpp"
#include "hannan/problems/action_list.hpp"

namespace hannan::detail {

// kOutOfRange where the list is empty or too long, or a vector has another shape.
ActionList parse_action_list(const Json& json, const std::string& path, ActionList::Shape shape);
Json action_list_json(const ActionList& list);

// The action of a given list with these levels, which were read from `json`; kBadAction where it is not listed.
PlacedVector listed_action(const ActionList& list, std::vector<int> levels, const Json& json, std::string_view path);

}  // namespace hannan::detail
