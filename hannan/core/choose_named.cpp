// The place of a name in a list, with the error that lists all names and the nearest one. O(names).
#include "hannan/core/choose_named.hpp"

#include "hannan/core/error.hpp"
#include "hannan/core/near_name.hpp"

namespace hannan::detail {

std::size_t place_of_name(std::span<const std::string> names, std::string_view name, std::string_view path) {
  if (name.empty()) return 0;
  std::string all;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == name) return i;
    all += (all.empty() ? "" : ", ") + names[i];
  }
  throw Error(Code::kUnknownName,
              "found \"" + std::string(name) + "\", expected one of " + all + near_hint(name, names),
              std::string(path));
}

}  // namespace hannan::detail
