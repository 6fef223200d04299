// The files that the service carries with it, written into the program by cmake/embed.cmake.
#pragma once

#include <string_view>

namespace hannan::detail::service_parts {

extern const std::string_view openapi, dashboard;

}  // namespace hannan::detail::service_parts
