// Values that may be unknown, as JSON.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "hannan/core/error.hpp"
#include "hannan/core/interval.hpp"
#include "hannan/io/fields.hpp"
#include "hannan/io/json.hpp"

namespace hannan::detail::service {

// [lo, hi].
inline Json range_or_null(const std::optional<Interval>& range) {
  return range ? Json::array({Json(range->lo), Json(range->hi)}) : Json();
}
// Back again; throws kBadState where it is neither null nor two numbers.
inline std::optional<Interval> to_range(const Json& json, std::string_view path) {
  if (json.is_null()) return std::nullopt;
  if (!json.is_array() || json.size() != 2)
    throw Error(Code::kBadState, "found something else, expected two numbers or null", std::string(path));
  return Interval{to_number(json[0], path), to_number(json[1], path)};
}

}  // namespace hannan::detail::service
