// Values that may be unknown, as JSON.
#pragma once

#include <optional>

#include "hannan/io/json.hpp"

namespace hannan::detail::service {

inline Json number_or_null(const std::optional<double>& value) { return value ? Json(*value) : Json(); }

}  // namespace hannan::detail::service
