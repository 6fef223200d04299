// The dashboard as one HTML file that loads nothing: style and script inside it, allowed by their hashes alone.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "hannan/core/interval.hpp"

namespace hannan::detail::service {

// A learner as the page has it in its first bytes, for readers without scripts.
struct FirstRow {
  std::string name, status, why;
  std::uint64_t rounds = 0;
  std::optional<double> loss = 0;  // none: not seen
  std::optional<Interval> regret;  // a range where the best fixed choice is not proven
};
inline constexpr std::size_t kFirstRows = 200;

struct DashboardPage {
  std::string html;
  std::string policy;  // the header Content-Security-Policy that goes with it
};
enum class TokenEntry { kNone, kNeeded };
DashboardPage dashboard_page(std::span<const FirstRow> rows, TokenEntry tokens);

// "sha256-..." of a style or script, as a policy names it.
std::string policy_hash(std::string_view text);

}  // namespace hannan::detail::service
