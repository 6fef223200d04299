// A request to solve, as the command line, the pipe and Python make it: checked, and answered with a solution.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hannan/io/fields.hpp"
#include "hannan/solve/read_scenarios.hpp"
#include "hannan/solve/solution.hpp"
#include "hannan/solve/solver.hpp"

namespace hannan::detail {

struct SolveRequest {
  const Json* scenarios = nullptr;   // a list; null: the problem's outcomes, unless there is a budget
  std::optional<double> cap, worst;  // at most one of these and `budget`
  std::optional<std::int64_t> budget;
  std::optional<std::vector<double>> base, rise;
  SolveOptions options;  // without the cap
  std::string oracle;    // empty: the problem's first
};

// Whether the outcomes of a problem are rows of costs in which its losses are linear: a budget is for those alone.
enum class Rows { kCosts, kOther };

// The fields of a request; others are the caller's. Throws what check_request throws, and for values out of range.
SolveRequest read_solve_request(Fields& in);
// Contradictions of the request itself (kUsage), and numbers out of range, whatever the problem. `prefix` stands before
// the names in messages: "" or "--".
void check_request(const SolveRequest& request, const std::string& prefix);
// The scenarios that the request names. Throws kUnavailable for a budget where rows are no costs.
ScenarioSet scenarios_of(const std::shared_ptr<const Game>& game, const SolveRequest& request, Rows rows);
// What the request makes of n scenarios. Throws kOutOfRange.
double cap_of(const SolveRequest& request, std::size_t scenarios, const std::string& prefix);

struct SolveCall {
  const ScenarioSet& set;
  const SolveRequest& request;
  std::string prefix;
  std::string program;
  SolveWatch watch;
  Json money;
  std::function<std::string(const Json& action)> name;
};
// The solution. Throws kUnavailable for actions that may be missing from a round.
Json answer_request(const std::shared_ptr<const Game>& game, const SolveCall& call);

}  // namespace hannan::detail
