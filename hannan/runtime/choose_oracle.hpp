// An oracle by its name, by "name:limit" where it has a work limit, "external:COMMAND", a program of the user's own, or
// "own:NAME", code of the user's own in this process.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "hannan/core/choose_named.hpp"
#include "hannan/problems/game_of.hpp"

namespace hannan::detail {

// The oracle of a problem; an empty name is its first. A program is started here. Throws kUnknownName and kUnavailable
// at `path`.
std::shared_ptr<const AnyOracle<Game>> choose_oracle(const std::shared_ptr<const Game>& problem,
                                                     const std::string& name, std::string_view path);

// The program of "external:COMMAND", started; null for every other name.
std::shared_ptr<const AnyOracle<Game>> chosen_program(const std::shared_ptr<const Game>& problem,
                                                      const std::string& name, std::string_view path);
// "name:limit" in two; the limit is none without a colon and 0 where it is no whole number above 0.
struct OracleName {
  std::string name;
  std::optional<std::uint64_t> limit;
};
OracleName split_oracle_name(const std::string& name);
// "found X, expected ...", for an oracle with another limit or none at all.
[[noreturn]] void refuse_limit(const std::string& found, const std::string& oracle, bool has_limit,
                               std::string_view path);

// The limit of the name applied to the oracle that was chosen by it.
template <class P>
std::shared_ptr<const AnyOracle<P>> with_limit(std::shared_ptr<const AnyOracle<P>> oracle, const std::string& name,
                                               std::string_view path) {
  const auto limit = split_oracle_name(name).limit;
  if (!limit) return oracle;
  auto limited = *limit > 0 ? oracle->limited(*limit) : nullptr;
  if (!limited) refuse_limit(name, oracle->name(), oracle->limited(1) != nullptr, path);
  return limited;
}

// The same for a learner, which knows the type of its problem.
template <class P>
std::shared_ptr<const AnyOracle<P>> choose_typed_oracle(const std::shared_ptr<const GameOf<P>>& game,
                                                        const std::string& name, std::string_view path) {
  if (auto program = chosen_program(game, name, path))
    return std::make_shared<TypedOracle<P>>(game->problem(), std::move(program));
  const auto own = split_oracle_name(name).name;
  return with_limit<P>(choose_named(P::oracles(game->problem()), own, path), name, path);
}

}  // namespace hannan::detail
