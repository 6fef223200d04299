// Kinds of problems that are no line of problems/all.hpp: whoever embeds the library registers them in this process.
//
// The Python module does so for problems whose rules are Python objects. problem_kind() finds them after the built-in
// ones, so that states are loaded and records verified where the rules are. May be called from any thread.
#pragma once

#include <string_view>

#include "hannan/runtime/registry.hpp"

namespace hannan::detail {

// The kind of problems whose rules are Python objects. It is known by name everywhere, so that a process without the
// rules can say what is missing.
inline constexpr std::string_view kCustomKind = "custom";

// Once for a name; the row is kept until the process ends.
void register_kind(const ProblemKind& kind);
// Null where none is registered under the name.
const ProblemKind* own_kind(std::string_view name);

}  // namespace hannan::detail
