// What a fuzz target lets through to a problem or a learner: nothing that starts a program, and nothing whose size
// is asked for by a number. A grid of 10^9 points is slow by right, and no fault.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

#include "hannan/io/json.hpp"

namespace hannan::detail::fuzz {

inline constexpr double kLargest = 5;

inline bool is_small(const Json& value) {
  if (value.is_number()) return std::abs(value.as_number()) <= kLargest;
  if (value.is_string()) {  // "1/3" is a number too
    return value.as_string().size() <= 4 || value.as_string().find_first_of("0123456789") == std::string::npos;
  }
  if (value.is_array()) {
    return value.size() <= static_cast<std::size_t>(kLargest) &&
           std::all_of(value.as_array().begin(), value.as_array().end(), is_small);
  }
  if (value.is_object()) {
    return std::all_of(value.as_object().begin(), value.as_object().end(),
                       [](const Json::Field& field) { return is_small(field.second); });
  }
  return true;
}

// "external:COMMAND" is an oracle, and COMMAND would be run.
inline bool starts_programs(const Json& value) { return dump(value).find("external") != std::string::npos; }

}  // namespace hannan::detail::fuzz
