#include "hannan/engine/conditions_json.hpp"

namespace hannan {

Json conditions_json(const ConditionsRequest& request) {
  const HedgeSign sign = request.sign > 0   ? HedgeSign::kNonNegative
                         : request.sign < 0 ? HedgeSign::kNonPositive
                                            : HedgeSign::kMixed;
  const GammaResult result = exact_gamma(request.tables, {.sign = sign});
  Json witness;
  if (result.witness) {
    witness = Json::object({{"action", request.action(result.witness->action)},
                            {"outcome", request.outcome(result.witness->outcome)},
                            {"s", result.witness->s.empty() ? Json() : Json(result.witness->s)}});
  }
  return Json::object({{"gamma", result.gamma}, {"witness", std::move(witness)},
                       {"delta", admissibility(request.tables.gamma_rows)}});
}

}  // namespace hannan
