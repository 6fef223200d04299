#include "hannan/check/conditions_json.hpp"

#include <utility>

#include "hannan/certify/implementability.hpp"

namespace hannan {
namespace {

ConditionTables in_rewards(const ConditionTables& tables) {
  ConditionTables out = tables;
  for (auto& row : out.losses) {
    for (double& entry : row) entry = 1 - entry;
  }
  return out;
}

}  // namespace

HedgeSign hedge_sign_of(int sign) {
  return sign > 0 ? HedgeSign::kNonNegative : sign < 0 ? HedgeSign::kNonPositive : HedgeSign::kMixed;
}

Json conditions_json(const ConditionsRequest& request) {
  const GammaResult result = exact_gamma(request.tables, {.sign = hedge_sign_of(request.sign)});
  Json witness;
  if (result.witness) {
    witness = Json::object({{"action", request.action(result.witness->action)},
                            {"outcome", request.outcome(result.witness->outcome)},
                            {"s", result.witness->s.empty() ? Json() : Json(result.witness->s)}});
  }
  const ConditionTables data = request.reward ? in_rewards(request.tables) : request.tables;
  return Json::object(
      {{"gamma", result.gamma},
       {"witness", std::move(witness)},
       {"delta", admissibility(request.tables.gamma_rows)},
       {"implementable", implement(data, {.sign = 1, .weights = Weights::kAnySign}).every_column},
       {"negatively_implementable", implement(data, {.sign = -1, .weights = Weights::kNonNegative}).every_column}});
}

}  // namespace hannan
