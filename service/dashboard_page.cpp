// The page of the dashboard: parts embedded in the program, put together once. Its content security policy allows
// exactly this script and this style, by their SHA-256, and no other origin. A table of the learners stands in the page
// itself, for browsers without script.
#include "service/dashboard_page.hpp"

#include <fmt/format.h>

#include "hannan/core/sha256.hpp"
#include "hannan/io/html_text.hpp"
#include "hannan/report/page_parts.hpp"
#include "service/service_parts.hpp"

namespace hannan::detail::service {
namespace {

// What does not change between two requests.
struct Parts {
  std::string style, script, policy;
  Parts() {
    namespace files = service_parts;
    namespace kit = page_parts;
    for (const std::string_view part : {kit::tokens, kit::base, files::style, files::list_style, kit::cards})
      style += part;
    for (const std::string_view part :
         {kit::text, kit::plot, files::net, files::bars, files::list, files::verdict, files::part, files::segments,
          files::portfolio, files::forecasts, files::learner, files::details, files::check, files::frame})
      script += part;
    policy = fmt::format(
        "default-src 'none'; connect-src 'self'; script-src '{}'; style-src '{}'; img-src data:; base-uri 'none'; "
        "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
        policy_hash(script), policy_hash(style));
  }
};

std::string regret_text(const Interval& regret) {
  if (!(regret.lo < regret.hi)) return fmt::format("{:.2f}", regret.hi);
  return fmt::format("from {:.2f} to {:.2f}, not proven", regret.lo, regret.hi);
}

std::string first_text(std::span<const FirstRow> rows, TokenEntry tokens) {
  if (tokens == TokenEntry::kNeeded)
    return "<p>This service asks for a token, which needs the script of this page.</p>";
  if (rows.empty()) return "<p>No learner yet.</p>";
  std::string text =
      "<table><thead><tr><th scope=\"col\">Learner</th><th scope=\"col\">State</th><th scope=\"col\">Rounds</th>"
      "<th scope=\"col\">Loss</th><th scope=\"col\">Behind the best fixed choice</th></tr></thead><tbody>";
  for (const FirstRow& row : rows) {
    text += fmt::format(
        "<tr><th scope=\"row\"><a href=\"v1/learners/{0}\">{0}</a></th><td>{1}{2}</td><td>{3}</td><td>{4}</td>"
        "<td>{5}</td></tr>",
        html_text(row.name), html_text(row.status), row.why.empty() ? "" : ": " + html_text(row.why), row.rounds,
        row.loss ? fmt::format("{:.2f}", *row.loss) : "not seen", row.regret ? regret_text(*row.regret) : "not known");
  }
  return text + "</tbody></table>";
}

}  // namespace

std::string policy_hash(std::string_view text) {
  static constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const std::string hex = sha256(text);
  const auto digit = [&](std::size_t i) -> unsigned {
    if (i >= hex.size()) return 0;
    return hex[i] <= '9' ? static_cast<unsigned>(hex[i] - '0') : static_cast<unsigned>(hex[i] - 'a') + 10;
  };
  // Three hexadecimal digits are two letters of base 64; of the last group only the first.
  std::string out = "sha256-";
  for (std::size_t i = 0; i < hex.size(); i += 3) {
    const unsigned bits = digit(i) << 8U | digit(i + 1) << 4U | digit(i + 2);
    out += kLetters[bits >> 6U];
    out += kLetters[bits & 63U];
  }
  out.back() = '=';
  return out;
}

DashboardPage dashboard_page(std::span<const FirstRow> rows, TokenEntry tokens) {
  static const Parts parts;
  return {.html = filled_page(
              service_parts::dashboard,
              {{"@STYLE@", parts.style}, {"@SCRIPT@", parts.script}, {"@FIRST@", first_text(rows, tokens)}}),
          .policy = parts.policy};
}

}  // namespace hannan::detail::service
