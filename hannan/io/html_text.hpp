// Text inside HTML, SVG or an attribute of either: what came from data is text there, never markup.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hannan::detail {

// With & < > " and ' as entities, so that it may stand in an element and in an attribute with either kind of quotes.
std::string html_text(std::string_view text);

// A page with its marks replaced by texts, in one pass: what is put in is never searched for marks. A mark without a
// text stays. Costs the length of the page times the number of marks.
std::string filled_page(std::string_view page, const std::vector<std::pair<std::string_view, std::string>>& texts);

}  // namespace hannan::detail
