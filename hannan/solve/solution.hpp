// The solution of a robust decision as one JSON object, which anyone can check: `hannan verify` and docs/solve.md.
#pragma once

#include <functional>
#include <string>

#include "hannan/solve/read_scenarios.hpp"
#include "hannan/solve/solver.hpp"

namespace hannan::detail {

struct SolutionParts {
  const ScenarioSet& set;
  const SolveOptions& options;
  const Solved& solved;
  const Json& gain;     // gain_json (gain.hpp), or null
  std::string program;  // "hannan 0.4.0"
  Json money;           // {"currency", "unit"}: what a loss of 1 is in money; null: not known
  std::function<std::string(const Json& action)> name;  // for people; empty: actions have none
};
// With its digest at the end.
Json solution_json(const SolutionParts& parts);

// The fingerprint of an object without its field "digest".
std::string solution_digest(const Json& solution);

}  // namespace hannan::detail
