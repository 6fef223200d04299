// An action as a row of whole numbers, for those who keep actions in arrays: the numbers are those of its JSON.
//
// An index is a row of one number, a vector a row of its entries; actions of another shape have no row.
#pragma once

#include <concepts>
#include <cstdint>
#include <vector>

#include "hannan/io/codec.hpp"

namespace hannan::detail {

enum class ActionShape { kIndex, kVector, kOther };

template <class Action>
concept HasLevels = requires(const Action& x) {
  { x.levels } -> std::convertible_to<std::vector<int>>;
};

template <class P>
constexpr ActionShape action_shape() {
  using Action = typename P::Action;
  if constexpr (HasLevels<Action> || std::same_as<Action, std::vector<int>>) {
    return ActionShape::kVector;
  } else if constexpr (std::integral<Action> && requires { Codec<P>::kActionLabels; }) {
    return Codec<P>::kActionLabels.shape == ActionLabels::Shape::kIndex ? ActionShape::kIndex : ActionShape::kOther;
  } else {
    return ActionShape::kOther;
  }
}

// Writes over `into`; false where the actions of P have no row.
template <class P>
bool write_action_row(const typename P::Action& x, std::vector<std::int32_t>& into) {
  if constexpr (action_shape<P>() == ActionShape::kIndex) {
    into.assign(1, static_cast<std::int32_t>(x));
    return true;
  } else if constexpr (HasLevels<typename P::Action>) {
    into.assign(x.levels.begin(), x.levels.end());
    return true;
  } else if constexpr (action_shape<P>() == ActionShape::kVector) {
    into.assign(x.begin(), x.end());
    return true;
  } else {
    return false;
  }
}

}  // namespace hannan::detail
