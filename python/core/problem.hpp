// A problem as Python holds it: JSON values in, plain Python values and arrays out.
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "arguments.hpp"
#include "hannan/runtime/any_problem.hpp"
#include "hannan/runtime/loss_rows.hpp"
#include "hannan/runtime/registry.hpp"
#include "hannan/streams/loss_doubt.hpp"
#include "outcomes.hpp"
#include "signals.hpp"
#include "values.hpp"

namespace hannan::detail::python {

class PyProblem {
 public:
  PyProblem(const std::string& kind, const py::dict& params)
      : problem_(make_problem(kind, to_json(params, "params"), "params")) {}
  explicit PyProblem(std::shared_ptr<AnyProblem> problem) : problem_(std::move(problem)) {}

  const std::shared_ptr<AnyProblem>& problem() const { return problem_; }
  std::string kind() const { return std::string(problem_->kind()); }
  py::object params() const { return from_json(problem_->params()); }
  py::object describe() const { return from_json(problem_->describe()); }
  std::size_t row_width() const { return problem_->row_width(); }
  // An outcome is a row with a number for every action, in the order of the actions.
  bool actions_are_columns() const {
    const auto rows = problem_kinds();  // a kind of this process is not among them
    return std::ranges::any_of(rows, [&](const auto& row) { return row.name == kind() && rows_are_losses(row); });
  }
  // Throws H213 where the rows are to be losses and look like something else.
  void doubt_losses(const std::vector<std::string>& names, const Rows& rows) const {
    const ArrayTable::View view = view_of(rows);
    if (!actions_are_columns() || view.columns != row_width()) return;
    const std::size_t most = std::min(view.rows, kMostLooked / std::max<std::size_t>(1, view.columns));
    detail::doubt_losses({.problem = problem_->kind(),
                          .names = names,
                          .numbers = std::span(view.numbers, most * view.columns),
                          .range = problem_->game().loss_range()},
                         view.columns, "outcomes");
  }
  py::object actions(std::uint64_t limit) const { return from_json(problem_->actions(limit)); }
  // Action and outcome as JSON values; errors name "action" or "outcome".
  double loss(const py::object& action, const py::object& outcome) const {
    return problem_->loss(to_json(action, "action"), to_json(outcome, "outcome")).loss;
  }
  double raw(const py::object& action, const py::object& outcome) const {
    return problem_->loss(to_json(action, "action"), to_json(outcome, "outcome")).raw;
  }
  py::array_t<double> losses(const py::object& outcome) const {
    const auto all = problem_->losses(to_json(outcome, "outcome"), "outcome");
    return py::array_t<double>(all.size(), all.data());
  }
  py::array_t<double> row(const std::string& perturbation, const py::object& action) const {
    const auto numbers = problem_->row(perturbation, to_json(action, "action"));
    return py::array_t<double>(numbers.size(), numbers.data());
  }
  // Outcomes to check the problem with, at most `limit`: all there are, where they are few.
  py::object outcomes(std::uint64_t limit) const {
    return from_json(problem_->listed_outcomes(std::string(), limit).outcomes);
  }
  py::object noise_size(const std::string& perturbation, const std::string& noise) const {
    const NoiseSize size = without_lock([&] { return problem_->noise_size(perturbation, noise); });
    return from_json(
        Json::object({{"M", size.value}, {"low", size.low}, {"high", size.high}, {"method", size.method}}));
  }

  struct BestQuery {
    py::object outcomes;
    py::object weights;  // None: each 1
    std::uint64_t keep = 1;
    std::string oracle;
  };
  // Searches run without the interpreter's lock; a signal ends them between two outcomes or inside the search.
  py::object best(const BestQuery& query) const {
    const Outcomes outcomes = outcomes_of(query.outcomes, problem_->game());
    const std::vector<double> weights = numbers_argument(query.weights, "weights");
    if (!query.weights.is_none() && weights.size() != outcomes.size())
      throw Error(Code::kColumnCount,
                  "found " + std::to_string(weights.size()) + " weights, expected one per outcome, " +
                      std::to_string(outcomes.size()),
                  "weights");
    const Json answer = without_lock([&] {
      const Game& game = problem_->game();
      Json data = Json::array();
      const auto source = outcomes.open(game);
      AnyOutcome y;
      for (std::size_t i = 0; source->next(y); ++i) {
        interruption_point();
        const double weight = weights.empty() ? 1.0 : weights[i];
        data.push_back(Json::object({{"weight", weight}, {"outcome", game.outcome_json(y)}}));
      }
      return problem_->best({.data = data, .oracle = query.oracle, .keep = query.keep});
    });
    return from_json(answer);
  }

  // What `hannan check` prints. Without outcomes, those that the problem lists itself.
  py::object check(const std::string& perturbation, const py::object& outcomes, const py::dict& options) const {
    Fields in(options_ = to_json(options, "options"), "options");
    CheckRequest request{.perturbation = perturbation};
    request.noise = in.word("noise", "laplace");
    request.pairs = static_cast<std::uint64_t>(in.integer("pairs", kNatural, 200));
    request.seed = static_cast<std::uint64_t>(in.integer("seed", kNatural, 0));
    request.c = in.number("c", 1.0);
    if (const Json* gamma = in.maybe("gamma")) request.claimed = to_number(*gamma, "gamma");
    if (const Json* rounds = in.maybe("rounds"))
      request.rounds = static_cast<std::uint64_t>(to_integer(*rounds, "rounds", kNatural));
    if (const Json* best = in.maybe("best")) request.best = to_number(*best, "best");
    const std::string oracle = in.word("oracle", "");
    const auto limit = static_cast<std::uint64_t>(in.integer("limit", kNatural, 5000));
    in.done();
    if (!outcomes.is_none()) request.outcomes = to_json(outcomes, "outcomes");
    return from_json(without_lock([&] {
      if (request.outcomes.is_null()) {
        OutcomeList list = problem_->listed_outcomes(perturbation, limit);
        request.outcomes = std::move(list.outcomes);
        request.every_outcome = list.all;
      }
      return problem_->check(std::move(request), oracle);
    }));
  }

 private:
  std::shared_ptr<AnyProblem> problem_;
  mutable Json options_;  // outlives the fields that are read from it
};

}  // namespace hannan::detail::python
