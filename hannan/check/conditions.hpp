// The pipe's `conditions`: over all actions by one programme, or over the actions given by cutting planes.
//
// "gamma" is a maximum over actions. Those of a large problem cannot be gone through, and a maximum over a sample under
// that name would mislead; so the caller says which actions to look at. All rivals count for each of them, whatever
// their number, through one oracle call a cut.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "hannan/game/game.hpp"
#include "hannan/io/json.hpp"

namespace hannan::detail {

struct ConditionsQuery {
  std::string perturbation;
  const Json& outcomes;           // a list
  int sign = 0;                   // of s: 0 free, 1 non-negative, -1 non-positive
  const Json* actions = nullptr;  // a list: only these, by cutting planes; null: all of them
};

// Actions in a table: a programme over all of them takes some seconds.
inline constexpr std::uint64_t kMostConditionRows = 5000;

// A list of outcomes, at least one; "outcomes" is its place in messages.
std::vector<AnyOutcome> read_outcomes(const Game& problem, const Json& outcomes);

// Throws kUnavailable where all actions are asked for and there are more than 5000.
Json conditions(const std::shared_ptr<const Game>& problem, const ConditionsQuery& query);

}  // namespace hannan::detail
