// The five characters that have a meaning in HTML text and attributes; everything else passes as it is.
#include "hannan/io/html_text.hpp"

namespace hannan::detail {

std::string html_text(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

// Replaces marks of a page by texts, in one pass from left to right: a text that contains a mark itself is not looked
// at again.
std::string filled_page(std::string_view page, const std::vector<std::pair<std::string_view, std::string>>& texts) {
  std::string out;
  while (true) {
    std::size_t first = std::string_view::npos;
    const std::pair<std::string_view, std::string>* found = nullptr;
    for (const auto& text : texts) {
      if (const std::size_t at = page.find(text.first); at < first) {
        first = at;
        found = &text;
      }
    }
    out += page.substr(0, first);
    if (!found) return out;
    out += found->second;
    page.remove_prefix(first + found->first.size());
  }
}

}  // namespace hannan::detail
