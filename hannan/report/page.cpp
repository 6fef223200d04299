// One self-contained HTML file: data as JSON inside, parts of script and style embedded, a content security policy that
// allows no network. The same data give the same bytes.
#include "hannan/report/page.hpp"

#include <algorithm>
#include <utility>

#include "hannan/core/digest.hpp"
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

Json page_data(const std::string& title, Json sections) {
  return Json::object({{"report", 1},
                       {"program", std::string("hannan ") + kVersion},
                       {"title", title},
                       {"sections", std::move(sections)}});
}

std::string page_of(const Json& data, const std::string& title) {
  namespace parts = page_parts;
  std::string style, script;
  for (const std::string_view part : {parts::tokens, parts::base, parts::css, parts::cards}) style += part;
  for (const std::string_view part : {parts::text, parts::plot, parts::figure, parts::verdict, parts::gains,
                                      parts::bands, parts::tree, parts::script})
    script += part;
  const std::string json = replaced(dump(data), "<", "\\u003c");
  Digest digest;
  digest.add(json);
  // Scripts and styles are allowed by the nonce; it follows from the data, so the same data give the same page.
  return filled_page(parts::html, {{"@NONCE@", digest.hex()},
                                   {"@TITLE@", html_text(title)},
                                   {"@WINDOW@", html_text(window_title(data, title))},
                                   {"@ABOUT@", html_text(about_first(data))},
                                   {"@FIRST@", first_screen(data, title)},
                                   {"@STYLE@", style},
                                   {"@SCRIPT@", script},
                                   {"@DATA@", json}});
}

}  // namespace hannan::detail
