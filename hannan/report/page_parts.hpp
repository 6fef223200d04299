// The parts of a page of `hannan report`, as they were when the program was built (cmake/report.cmake writes the
// source).
#pragma once

#include <string_view>

namespace hannan::detail::page_parts {

// Named as the build names the parts.
// NOLINTBEGIN(readability-identifier-naming)
extern const std::string_view html, css, figure, verdict, gains, bands, tree, script;
// Of page/kit, which the dashboard of the service has too: styles, then elements and numbers, then charts.
extern const std::string_view tokens, base, cards, text, plot;
// NOLINTEND(readability-identifier-naming)

}  // namespace hannan::detail::page_parts
