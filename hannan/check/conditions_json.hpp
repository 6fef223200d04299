// The conditions of a perturbation as the pipe reports them.
#pragma once

#include <functional>

#include "hannan/certify/conditions.hpp"
#include "hannan/io/json.hpp"

namespace hannan {

struct ConditionsRequest {
  const ConditionTables& tables;
  int sign = 0;                              // of s: 0 free, 1 non-negative, -1 non-positive
  bool reward = false;                       // data sets are of rewards, 1 - loss
  std::function<Json(std::size_t)> action;   // names of the table's rows
  std::function<Json(std::size_t)> outcome;  // and columns
};

// As the protocol writes it: 0 free, 1 non-negative, -1 non-positive.
HedgeSign hedge_sign_of(int sign);

Json conditions_json(const ConditionsRequest& request);

}  // namespace hannan
