// The fields of a round that all who write one have alike: records, the pipe and the service.
#pragma once

#include "hannan/io/json.hpp"
#include "hannan/runtime/any_learner.hpp"

namespace hannan::detail {

// "multiplier" or "eta", whichever the learner has, and "regime" where there are several.
inline void append_rate(Json& json, const AnyLearner& learner, const ActView& act) {
  if (learner.adapts_multiplier()) {
    json.append("multiplier", act.multiplier);
  } else {
    json.append("eta", act.eta);
  }
  if (!act.regime.empty()) json.append("regime", act.regime);
}

// A number, flip and flop, or null of a learner that has none.
inline Json stability_json(const Stability& stability) {
  if (stability.parts == 0) return {};
  if (stability.parts == 1) return stability.value[0];
  return Json::array({Json(stability.value[0]), Json(stability.value[1])});
}

inline Json estimates_json(const Estimates& estimates) {
  return Json::object({{"leader", estimates.leader}, {"gftpl", estimates.gftpl}});
}

}  // namespace hannan::detail
