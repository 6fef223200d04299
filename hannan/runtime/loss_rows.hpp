// Problems whose outcomes are rows of losses, one for every action: whose tables may be something else (H213).
#pragma once

#include "hannan/runtime/registry.hpp"

namespace hannan::detail {

// Every column of a table is an action, and its number what the action loses.
inline bool rows_are_losses(const ProblemKind& kind) {
  return kind.action_labels.shape == ActionLabels::Shape::kIndex && !kind.columns_param.empty();
}

}  // namespace hannan::detail
