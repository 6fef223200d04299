// An oracle by its name, by "name:limit" where it has a work limit, "external:COMMAND", a program of the user's own, or
// "own:NAME", code of the user's own in this process.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "hannan/game/game.hpp"

namespace hannan::detail {

// The oracle of a problem; an empty name is its first. A program is started here. Throws kUnknownName and kUnavailable
// at `path`.
std::shared_ptr<const GameOracle> choose_oracle(const std::shared_ptr<const Game>& problem, const std::string& name,
                                                std::string_view path);

// "name:limit" in two; the limit is none without a colon and 0 where it is no whole number above 0.
struct OracleName {
  std::string name;
  std::optional<std::uint64_t> limit;
};
OracleName split_oracle_name(const std::string& name);

// The limit of the name applied to the oracle that was chosen by it.
std::shared_ptr<const GameOracle> with_limit(std::shared_ptr<const GameOracle> oracle, const std::string& name,
                                             std::string_view path);

}  // namespace hannan::detail
