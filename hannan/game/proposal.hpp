// A proposal from outside to play in a round: an action, by the name of the strategy of a portfolio that it belongs to.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "hannan/core/any_value.hpp"

namespace hannan::detail {

struct Proposal {
  std::string strategy;
  std::optional<AnyAction> action;  // none: nothing is proposed in this round
};
using Proposals = std::span<const Proposal>;

}  // namespace hannan::detail
