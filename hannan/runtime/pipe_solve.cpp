// The verb `solve`: a mixture with a certified worst case over scenarios (docs/solve.md).
#include <string>

#include "hannan/problems/cost_rows.hpp"
#include "hannan/runtime/pipe.hpp"
#include "hannan/runtime/version.hpp"
#include "hannan/solve/solve_request.hpp"

namespace hannan::detail {

Json Pipe::solve(Fields& in) {
  const auto problem = problem_in(in);
  const SolveRequest request = read_solve_request(in);
  in.done();
  const Rows rows = has_cost_rows(problem->kind()) ? Rows::kCosts : Rows::kOther;
  const std::shared_ptr<const Game> game(problem, &problem->game());
  const ScenarioSet set = scenarios_of(game, request, rows);
  return answer_request(
      game, {.set = set, .request = request, .prefix = "", .program = std::string("hannan ") + kVersion, .watch = {}});
}

}  // namespace hannan::detail
