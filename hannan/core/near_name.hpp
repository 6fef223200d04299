// The known name that a mistyped one was probably meant to be.
//
// Names are compared without regard to case, with _ as -. The nearest one within a third of the letters wins, by the
// number of letters added, left out, changed or swapped with their neighbour; failing that, one that begins with what
// was typed, or holds it (from three letters on).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hannan::detail {

// Empty where no name is near.
std::string near_name(std::string_view found, std::span<const std::string> known);
// ` (did you mean "name"?)` to put behind a list of names; empty where no name is near.
std::string near_hint(std::string_view found, std::span<const std::string> known);
// The same for names in any list of rows.
template <class Rows, class Name>
std::string near_hint(std::string_view found, const Rows& rows, Name name_of) {
  std::vector<std::string> names;
  for (const auto& row : rows) names.emplace_back(row.*name_of);
  return near_hint(found, names);
}

}  // namespace hannan::detail
