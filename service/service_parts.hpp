// The files that the service carries with it, written into the program by cmake/embed.cmake.
#pragma once

#include <string_view>

namespace hannan::detail::service_parts {

extern const std::string_view openapi;
// The dashboard: the page, its styles and its script in the order in which they are put together.
extern const std::string_view dashboard, tokens, style, list_style;
extern const std::string_view text, net, chart, bars, list, verdict, learner, details, check, frame;

}  // namespace hannan::detail::service_parts
