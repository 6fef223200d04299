// The bound to quote, from the JSON of a report. Kinds are ordered path < limit < mean; within path and mean the least
// value wins, and limits keep the first, as in certify/stated_bound.cpp.
#include "hannan/play/quoted_bound.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace hannan::detail {
namespace {

// The keys of docs/theory.md whose statement has no mean in it: a mixture's loss is its mean already, and off measures.
// Reports before version 0.4 state `holds` of means too, so the field alone does not tell.
bool on_every_path(std::string_view name, const Json& report) {
  constexpr std::array<std::string_view, 3> kMixtures{"hedge_fixed", "hedge_anytime", "adahedge"};
  if (name.starts_with("sleeping") || std::ranges::count(kMixtures, name) > 0) return true;
  const Json* params = report.find("params");
  const Json* estimator = params ? params->find("estimator") : nullptr;
  return name == "off" && estimator && *estimator == Json("realised");
}

}  // namespace

// Passed over: lower bounds, bounds on discounted regret, the limit where the noise was given (its proof draws it), and
// means of runs that say for what they hold. Reports of learners with nodes have no one regret to bound.
std::optional<QuotedBound> quoted_bound(const Json& report) {
  using Of = QuotedBound::Of;
  const Json* certificate = report.find("certificate");
  const Json* bounds = certificate ? certificate->find("bounds") : nullptr;
  const Json* params = report.find("params");
  const bool given = params && params->find("alpha");
  if (!bounds || !bounds->is_array() || report.find("nodes")) return std::nullopt;
  std::optional<QuotedBound> found;
  for (const Json& bound : bounds->as_array()) {
    const Json *name = bound.find("name"), *side = bound.find("side");
    const auto value = bound.find_number("value");
    if (!name || !name->is_string() || !value || !side || *side != Json("upper") || bound.find("discounted")) continue;
    const std::string& key = name->as_string();
    const bool path = on_every_path(key, report), limit = key == "limit" || key == "leaderless";
    if ((limit && given) || (!limit && !path && bound.find("says"))) continue;
    const Of of = path ? Of::kPath : limit ? Of::kLimit : Of::kMean;
    if (!found || of < found->of || (of == found->of && !limit && *value < found->value)) found = {key, *value, of};
  }
  return found;
}

std::string certainty_text(const Json& report) {
  return fmt::format("{:g} %", 100 * (1 - report.find_number("delta").value_or(0.05)));
}

}  // namespace hannan::detail
