// The pipe's `conditions`: over all actions by the full programme, over given ones by cutting planes.
#include "hannan/check/conditions.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "hannan/certify/cutting_planes.hpp"
#include "hannan/certify/implementability.hpp"
#include "hannan/core/choose_named.hpp"
#include "hannan/core/error.hpp"
#include "hannan/io/fields.hpp"

namespace hannan::detail {
namespace {

// As the protocol writes it: 0 free, 1 non-negative, -1 non-positive.
HedgeSign hedge_sign_of(int sign) {
  return sign > 0 ? HedgeSign::kNonNegative : sign < 0 ? HedgeSign::kNonPositive : HedgeSign::kMixed;
}

// Data sets of reward problems are of rewards, 1 - loss.
ConditionTables in_rewards(const ConditionTables& tables) {
  ConditionTables out = tables;
  for (auto& row : out.losses) {
    for (double& entry : row) entry = 1 - entry;
  }
  return out;
}

class Conditions {
 public:
  Conditions(const std::shared_ptr<const Game>& problem, const ConditionsQuery& query)
      : problem_(problem), query_(query), ys_(read_outcomes(*problem, query.outcomes)) {}

  // Exact, by the full programme over the table of all actions and the outcomes given.
  Json of_all() {
    const auto count = problem_->action_count();
    if (!count || *count > kMostConditionRows) {
      throw Error(Code::kUnavailable,
                  "the conditions are checked over all actions, and there are more than " +
                      std::to_string(kMostConditionRows) + "; say which \"actions\" to check",
                  "in");
    }
    const auto xs = problem_->first_actions(kMostConditionRows);
    const auto matrix = choose_named(problem_->perturbations(), query_.perturbation, "perturbation");
    ConditionTables tables;
    for (const auto& x : xs) {
      std::vector<double> row(matrix->columns()), losses(ys_.size());
      matrix->row(x, row);
      for (std::size_t y = 0; y < ys_.size(); ++y) losses[y] = problem_->loss(x, ys_[y]);
      tables.gamma_rows.push_back(std::move(row));
      tables.losses.push_back(std::move(losses));
    }
    const GammaResult result = exact_gamma(tables, {.sign = hedge_sign_of(query_.sign)});
    Json witness;
    if (result.witness) witness = witness_json(xs[result.witness->action], result.witness->outcome, result.witness->s);
    const ConditionTables data = problem_->form() == Form::kReward ? in_rewards(tables) : tables;
    return Json::object(
        {{"gamma", result.gamma},
         {"witness", std::move(witness)},
         {"delta", admissibility(tables.gamma_rows)},
         {"implementable", implement(data, {.sign = 1, .weights = Weights::kAnySign}).every_column},
         {"negatively_implementable", implement(data, {.sign = -1, .weights = Weights::kNonNegative}).every_column}});
  }

  // Of the actions asked for; what holds of all of them only is null.
  Json of_some() {
    std::vector<AnyAction> xs;
    const auto& given = to_list(*query_.actions, "actions");
    for (std::size_t i = 0; i < given.size(); ++i)
      xs.push_back(problem_->parse_action(given[i], path_of("actions", i)));
    if (xs.empty()) throw Error(Code::kOutOfRange, "found no action, expected at least one", "actions");
    const auto matrix = choose_named(problem_->perturbations(), query_.perturbation, "perturbation");
    const auto oracles = problem_->oracles();
    const auto oracle = std::find_if(oracles.begin(), oracles.end(),
                                     [&](const auto& o) { return CuttingPlanes<Game>::serves(*o, *matrix); });
    if (oracle == oracles.end()) {
      throw Error(Code::kUnavailable, "no oracle takes noise of both signs through \"" + matrix->name() + "\"",
                  "actions");
    }
    std::vector<CutPair<Game>> pairs;
    for (const auto& x : xs) {
      for (std::size_t y = 0; y < ys_.size(); ++y) pairs.push_back({x, y});
    }
    CuttingPlanes<Game> planes(
        {.problem = problem_, .oracle = *oracle, .matrix = matrix, .sign = hedge_sign_of(query_.sign)});
    const auto found = planes.gamma(pairs, ys_);
    Json witness;
    if (found.witness) witness = witness_json(found.witness->action, found.witness->outcome, found.witness->s);
    return Json::object({{"gamma", found.low == found.high ? Json(found.low) : Json()},
                         {"low", found.low},
                         {"high", found.high},
                         {"witness", std::move(witness)},
                         {"delta", nullptr},
                         {"implementable", nullptr},
                         {"negatively_implementable", nullptr},
                         {"oracle_calls", found.calls}});
  }

 private:
  Json witness_json(const AnyAction& x, std::size_t y, const std::vector<double>& s) const {
    return Json::object({{"action", problem_->action_json(x)},
                         {"outcome", problem_->outcome_json(ys_[y])},
                         {"s", s.empty() ? Json() : Json(s)}});
  }

  const std::shared_ptr<const Game>& problem_;
  const ConditionsQuery& query_;
  std::vector<AnyOutcome> ys_;
};

}  // namespace

// At least one: conditions over no outcome would hold of anything.
std::vector<AnyOutcome> read_outcomes(const Game& problem, const Json& outcomes) {
  std::vector<AnyOutcome> ys;
  const auto& list = to_list(outcomes, "outcomes");
  for (std::size_t i = 0; i < list.size(); ++i)
    problem.read_outcome(list[i], path_of("outcomes", i), ys.emplace_back());
  if (ys.empty()) throw Error(Code::kOutOfRange, "found no outcome, expected at least one", "outcomes");
  return ys;
}

Json conditions(const std::shared_ptr<const Game>& problem, const ConditionsQuery& query) {
  Conditions found(problem, query);
  return query.actions ? found.of_some() : found.of_all();
}

}  // namespace hannan::detail
