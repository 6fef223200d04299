// The files that the service carries with it, written into the program by cmake/embed.cmake.
#pragma once

#include <string_view>

namespace hannan::detail::service_parts {

extern const std::string_view openapi;
// The dashboard: the page, its styles and its script; what it shares with reports is in hannan/report/page_parts.hpp.
extern const std::string_view dashboard, style, list_style;
extern const std::string_view net, bars, list, verdict, part, segments, portfolio, forecasts, learner, details, check,
    frame;

}  // namespace hannan::detail::service_parts
