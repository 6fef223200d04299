#include "hannan/report/page.hpp"

#include <algorithm>
#include <utility>

#include "hannan/core/digest.hpp"
#include "hannan/core/error.hpp"
#include "hannan/io/html_text.hpp"
#include "hannan/report/page_parts.hpp"
#include "hannan/runtime/version.hpp"

namespace hannan::detail {
namespace {

std::string replaced(std::string_view text, std::string_view from, std::string_view to) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t next = std::min(text.find(from, at), text.size());
    out += text.substr(at, next - at);
    if (next < text.size()) out += to;
    at = next + (next < text.size() ? from.size() : 0);
  }
  return out;
}

// What would end a script element can only stand in a string or a comment of the script, where the escaped form
// means the same. A source map is no part of the page.
std::string script_text(std::string_view script) {
  return replaced(replaced(replaced(script, "</script", "<\\/script"), "<!--", "<\\!--"),
                  "# sourceMappingURL=", " without ");
}

// The headline of the first section, or null.
const Json* headline_of(const Json& data) {
  const Json& sections = data.at("sections");
  if (sections.size() == 0) return nullptr;
  for (const Json& block : sections[0].at("blocks").as_array()) {
    if (block.at("block") == Json("headline")) return &block;
  }
  return nullptr;
}

// What is read where scripts do not run: what to do, the sentence, the serious warnings. Scripts write it anew.
std::string first_screen(const Json& data, const std::string& title) {
  const Json* headline = headline_of(data);
  if (!headline) return "<h1>" + html_text(title) + "</h1>";
  std::string says;
  for (const Json& piece : headline->at("says").as_array()) says += piece.at("text").as_string();
  std::string html;
  for (const Json& block : data.at("sections")[0].at("blocks").as_array()) {
    if (!block.find("serious")) continue;
    html += "<p><b>" + html_text(block.at("title").as_string()) + "</b></p>";
    for (const Json& item : block.at("items").as_array())
      html += "<p>" + html_text(item.at("text").as_string()) + "</p>";
  }
  return html + "<p>" + html_text(headline->at("advice").as_string()) + "</p><h1>" + html_text(says) + "</h1><p>" +
         html_text(headline->at("lede").as_string()) + "</p>";
}

// "Use learned prices: +1,643 USD (+23.0 %) · Reserve prices for site-a".
std::string window_title(const Json& data, const std::string& title) {
  const Json* headline = headline_of(data);
  const std::string words = headline ? headline->at("short").as_string() : std::string();
  return words.empty() ? title : words + " · " + title;
}

std::string about_first(const Json& data) {
  const Json& sections = data.at("sections");
  const Json* about = sections.size() > 0 ? sections[0].find("about") : nullptr;
  return about ? about->as_string() : std::string();
}

}  // namespace

bool has_page_parts() { return !page_parts::html.empty(); }

void need_page_parts() {
  if (has_page_parts()) return;
  throw Error(
      Code::kUnavailable,
      "this program was built without the charts of its pages: install the package libjs-dygraphs and build with "
      "-DHANNAN_REPORT=ON, or use --json",
      "hannan report");
}

Json page_data(const std::string& title, Json sections) {
  return Json::object({{"report", 1},
                       {"program", std::string("hannan ") + kVersion},
                       {"title", title},
                       {"sections", std::move(sections)}});
}

std::string page_of(const Json& data, const std::string& title) {
  need_page_parts();
  const std::string json = replaced(dump(data), "<", "\\u003c");
  Digest digest;
  digest.add(json);
  // Scripts and styles are allowed by this value; it follows from the data, so the same data give the same page.
  const std::string nonce = digest.hex();
  const std::pair<std::string_view, std::string> values[] = {
      {"@NONCE@", nonce},
      {"@TITLE@", html_text(title)},
      {"@WINDOW@", html_text(window_title(data, title))},
      {"@ABOUT@", html_text(about_first(data))},
      {"@FIRST@", first_screen(data, title)},
      {"@TOKENS@", std::string(page_parts::tokens)},
      {"@CSS@", std::string(page_parts::css)},
      {"@CHART_CSS@", replaced(page_parts::chart_css, "# sourceMappingURL=", " without ")},
      {"@CHART_LICENCE@", script_text(page_parts::chart_licence)},
      {"@CHART_SCRIPT@", script_text(page_parts::chart_script)},
      {"@FIGURE@", script_text(page_parts::figure)},
      {"@SHEET@", script_text(page_parts::sheet)},
      {"@VERDICT@", script_text(page_parts::verdict)},
      {"@GAINS@", script_text(page_parts::gains)},
      {"@TREE@", script_text(page_parts::tree)},
      {"@SCRIPT@", script_text(page_parts::script)},
      {"@DATA@", json}};
  // One pass over the template: what is put in is never looked at again.
  std::string out;
  std::string_view rest = page_parts::html;
  while (!rest.empty()) {
    std::size_t first = std::string_view::npos;
    const std::pair<std::string_view, std::string>* found = nullptr;
    for (const auto& value : values) {
      if (const std::size_t at = rest.find(value.first); at < first) {
        first = at;
        found = &value;
      }
    }
    out += rest.substr(0, first);
    if (!found) break;
    out += found->second;
    rest.remove_prefix(first + found->first.size());
  }
  return out;
}

}  // namespace hannan::detail
