// What a number of a certificate is called in texts and on pages; JSON and records have the names.
#pragma once

#include <string_view>

namespace hannan::detail {

// `exact` and `measured` are estimates as `run` is (docs/theory-run.md) and are told apart by what they are made from.
// The others go by their names.
constexpr std::string_view bound_words(std::string_view name) {
  if (name == "exact") return "estimated bound less what the noise in use is worth";
  if (name == "measured") return "estimated bound from the learner's own sums";
  return name;
}

}  // namespace hannan::detail
