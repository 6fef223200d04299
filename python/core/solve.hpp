// Robust decisions as Python asks for them: rows with labels, scenarios, a budget; and solutions checked again.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "hannan/problems/cost_rows.hpp"
#include "hannan/runtime/registry.hpp"
#include "hannan/runtime/version.hpp"
#include "hannan/solve/solve_request.hpp"
#include "hannan/verify/solution_check.hpp"
#include "outcomes.hpp"
#include "problem.hpp"
#include "signals.hpp"
#include "values.hpp"

namespace hannan::detail::python {

// Rows and the labels of each; no rows: scenarios come from the options.
struct LabelledRows {
  py::object outcomes;                           // None: no rows
  std::vector<std::string> columns;              // of the labels; none: every row is a scenario
  std::vector<std::vector<std::string>> labels;  // one list a row

  Outcomes read(const Game& game) const {
    Outcomes rows = outcomes_of(outcomes, game);
    if (columns.empty()) return rows;
    if (labels.size() != rows.size())
      throw Error(Code::kColumnCount,
                  "found " + std::to_string(labels.size()) + " labels, expected one for every outcome, " +
                      std::to_string(rows.size()),
                  "group");
    rows.contexts = std::make_shared<std::vector<std::vector<std::string>>>(labels);
    return rows;
  }
};

// The solution as JSON text. Options are the fields of the pipe's `solve`, and `hold`.
inline std::string solve_problem(const PyProblem& problem, const LabelledRows& rows, const py::dict& options) {
  const Json given = to_json(options, "options");
  Fields in(given, "");
  const double hold = in.number("hold", {0, 1}, 0.0);
  const SolveRequest request = read_solve_request(in);
  in.done();
  if (hold > 0 && rows.columns.empty())
    throw Error(Code::kUsage, "found hold, expected group with it: the last rows of each group are held", "hold");
  const std::shared_ptr<const Game> game(problem.problem(), &problem.problem()->game());
  const bool by_rows = !rows.outcomes.is_none();
  if (by_rows && (request.scenarios || request.budget))
    throw Error(Code::kUsage, "found outcomes and scenarios or a budget, expected one of them", "outcomes");
  const Outcomes outcomes = by_rows ? rows.read(*game) : Outcomes{};
  return without_lock([&] {
    const auto set = [&] {
      if (!by_rows) {
        const bool costs = has_cost_rows(game->kind());
        return scenarios_of(game, request, costs ? detail::Rows::kCosts : detail::Rows::kOther);
      }
      RowScenarios made(game, {.group = rows.columns, .hold = hold});
      const auto source = outcomes.open(*game);
      AnyOutcome y;
      while (source->next(y)) {
        interruption_point();
        made.add(y, source->context());
      }
      return made.finish("outcomes");
    }();
    return dump(answer_request(
        game,
        {.set = set, .request = request, .prefix = "", .program = std::string("hannan ") + kVersion, .watch = {}}));
  });
}

// {"verified", "trusted", "checked", "lower", "upper"}; throws where the solution does not hold.
inline py::object verify_solved(const std::string& solution, const LabelledRows& rows) {
  const Json file = parse_json(solution);
  const Json& stated = file.at("problem");
  const std::shared_ptr<AnyProblem> made =
      make_problem(stated.at("kind").as_string(), stated.at("params"), "problem.params");
  const bool by_rows = !rows.outcomes.is_none();
  const Outcomes outcomes = by_rows ? rows.read(made->game()) : Outcomes{};
  return from_json(without_lock([&] {
    std::unique_ptr<Source> source;
    SolutionRows next;
    if (by_rows) {
      source = outcomes.open(made->game());
      next = [&](AnyOutcome& y, std::vector<std::string>& labels) {
        interruption_point();
        if (!source->next(y)) return false;
        labels.assign(source->context().begin(), source->context().end());
        return true;
      };
    }
    const SolutionVerification found = verify_solution(file, "solution", next);
    return Json::object({{"verified", found.trusted.empty()},
                         {"trusted", Json(found.trusted)},
                         {"checked", Json(found.checked)},
                         {"lower", found.lower},
                         {"upper", found.upper},
                         {"open", found.open}});
  }));
}

}  // namespace hannan::detail::python
