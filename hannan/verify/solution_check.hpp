// Checks a solution of `hannan solve` (docs/solve.md) from the file, and the data where its scenarios are rows of it.
//
// Shares no code with hannan/solve: no linear programme, its own losses, its own sort. `upper` is recomputed; `lower`
// is held against the least <q, F(x, .)> at the file's own q: over all actions where actions times scenarios are at
// most 10^8, otherwise by a new search of the problem's own oracle with four times the work. What a search can neither
// prove nor refute is on trust. A larger `upper` and a smaller `lower` claim less and are accepted.
#pragma once

#include <string>
#include <vector>

#include "hannan/io/json.hpp"
#include "hannan/verify/solution_scenarios.hpp"

namespace hannan::detail {

struct SolutionVerification {
  double lower = 0, upper = 0;
  bool open = false;
  std::size_t actions = 0, scenarios = 0;  // of the mixture; all of them
  double ln_actions = 0;                   // of the problem
  // For people: what was derived again; what rests on trust; what is only named.
  std::vector<std::string> checked, trusted, recorded;
};

// Is this a solution? `text` is the beginning of a file, or all of it.
bool is_solution(const Json& value);

// `rows` may be empty where scenarios are not rows of data. Throws kRejected, `at` being "name: field", where a value
// is not what it must be.
SolutionVerification verify_solution(const Json& solution, const std::string& name, const SolutionRows& rows);

}  // namespace hannan::detail
