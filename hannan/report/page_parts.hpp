// The parts of a page of `hannan report`, as they were when the program was built: those of hannan/report/page/, and
// the chart library from its package (the build writes the source; cmake/report.cmake). Empty without HANNAN_REPORT.
#pragma once

#include <string_view>

namespace hannan::detail::page_parts {

// Named as the build names the parts.
// NOLINTBEGIN(readability-identifier-naming)
extern const std::string_view html, tokens, css, figure, sheet, verdict, gains, tree, script;
extern const std::string_view chart_css, chart_script, chart_licence;
// NOLINTEND(readability-identifier-naming)

}  // namespace hannan::detail::page_parts
