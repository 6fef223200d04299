// A line of OpenRTB taken apart: request and responses, and what stands at a path, as text.
#pragma once

#include <string>
#include <string_view>

#include "hannan/core/text.hpp"
#include "hannan/io/json.hpp"

namespace hannan::detail {

inline constexpr const char* kDefaultCurrency = "USD";  // of the specification

// The request and the response of a line; null where it has none.
struct OpenRtbLine {
  const Json* request = nullptr;
  const Json* response = nullptr;  // or a list of them
};
OpenRtbLine parts_of_line(const Json& json);

// A string, a number, or the first of a list of them, as text.
std::string text_of(const Json* value);
// What stands at a dotted path, as text; "" where there is nothing. `imp` is what "imp" leads to.
std::string text_at(const Json& request, std::string_view path, const Json* imp);

}  // namespace hannan::detail
