// One of several things that have names, by its name.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hannan::detail {

// The place of a name in a list; an empty name is the first. Throws kUnknownName with the list, at `path`.
std::size_t place_of_name(std::span<const std::string> names, std::string_view name, std::string_view path);

template <class T>
std::shared_ptr<const T> choose_named(const std::vector<std::shared_ptr<const T>>& from, std::string_view name,
                                      std::string_view path) {
  std::vector<std::string> names;
  for (const auto& item : from) names.push_back(item->name());
  return from[place_of_name(names, name, path)];
}

}  // namespace hannan::detail
