// Text inside HTML, SVG or an attribute of either: what came from data is text there, never markup.
#pragma once

#include <string>
#include <string_view>

namespace hannan::detail {

// With & < > " and ' as entities, so that it may stand in an element and in an attribute with either kind of quotes.
std::string html_text(std::string_view text);

}  // namespace hannan::detail
