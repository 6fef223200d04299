// The pipe's `conditions`: over all actions by one programme, or over the actions given by cutting planes.
//
// "gamma" is a maximum over actions. Those of a large problem cannot be gone through, and a maximum over a
// sample under that name would mislead; so the caller says which actions to look at. All rivals count for
// each of them, whatever their number, through one oracle call a cut.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "hannan/certify/cutting_planes.hpp"
#include "hannan/check/conditions_json.hpp"
#include "hannan/io/codec.hpp"
#include "hannan/runtime/any_problem.hpp"
#include "hannan/runtime/make_learner.hpp"

namespace hannan {

inline constexpr std::uint64_t kMostConditionRows = 5000;  // actions in a table

// All actions are `xs`.
template <class P>
Json conditions_of_all(const std::shared_ptr<const P>& problem, const std::vector<typename P::Action>& xs,
                       const std::vector<typename P::Outcome>& ys, const ConditionsQuery& query) {
  const auto matrix = choose_named(P::perturbations(problem), query.perturbation, "perturbation");
  ConditionTables tables;
  for (const auto& x : xs) {
    std::vector<double> row(matrix->columns()), losses(ys.size());
    matrix->row(x, row);
    for (std::size_t y = 0; y < ys.size(); ++y) losses[y] = problem->loss(x, ys[y]);
    tables.gamma_rows.push_back(std::move(row));
    tables.losses.push_back(std::move(losses));
  }
  return conditions_json({.tables = tables,
                          .sign = query.sign,
                          .reward = problem->form() == Form::kReward,
                          .action = [&](std::size_t k) { return Codec<P>::action_json(*problem, xs[k]); },
                          .outcome = [&](std::size_t y) { return Codec<P>::outcome_json(*problem, ys[y]); }});
}

// `xs` are some actions; what is said of all of them alone is null.
template <class P>
Json conditions_of_some(const std::shared_ptr<const P>& problem, const std::vector<typename P::Action>& xs,
                        const std::vector<typename P::Outcome>& ys, const ConditionsQuery& query) {
  const auto matrix = choose_named(P::perturbations(problem), query.perturbation, "perturbation");
  const auto oracles = P::oracles(problem);
  const auto oracle = std::find_if(oracles.begin(), oracles.end(),
                                   [&](const auto& o) { return CuttingPlanes<P>::serves(*o, *matrix); });
  if (oracle == oracles.end()) {
    throw Error(Code::kUnavailable, "no oracle takes noise of both signs through \"" + matrix->name() + "\"",
                "actions");
  }
  std::vector<CutPair<P>> pairs;
  for (const auto& x : xs) {
    for (std::size_t y = 0; y < ys.size(); ++y) pairs.push_back({x, y});
  }
  CuttingPlanes<P> planes({.problem = problem, .oracle = *oracle, .matrix = matrix, .sign = hedge_sign_of(query.sign)});
  const auto found = planes.gamma(pairs, ys);
  const bool exact = found.low == found.high;
  Json witness;
  if (found.witness) {
    witness = Json::object({{"action", Codec<P>::action_json(*problem, found.witness->action)},
                            {"outcome", Codec<P>::outcome_json(*problem, ys[found.witness->outcome])},
                            {"s", found.witness->s.empty() ? Json() : Json(found.witness->s)}});
  }
  return Json::object({{"gamma", exact ? Json(found.low) : Json()},
                       {"low", found.low},
                       {"high", found.high},
                       {"witness", std::move(witness)},
                       {"delta", nullptr},
                       {"implementable", nullptr},
                       {"negatively_implementable", nullptr},
                       {"oracle_calls", found.calls}});
}

}  // namespace hannan
