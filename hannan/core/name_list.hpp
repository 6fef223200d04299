// Names in a sentence: "a", "a and b", "a, b and c".
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace hannan::detail {

inline std::string name_list(std::span<const std::string_view> names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " and " : ", ";
    text += names[i];
  }
  return text;
}

}  // namespace hannan::detail
