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

// Coding is the Codec of the problem, or void: then an index is not known to be one.
template <class Coding, class Action>
constexpr ActionShape action_shape() {
  if constexpr (HasLevels<Action> || std::same_as<Action, std::vector<int>>) {
    return ActionShape::kVector;
  } else if constexpr (std::integral<Action> && requires { Coding::kActionLabels; }) {
    return Coding::kActionLabels.shape == ActionLabels::Shape::kIndex ? ActionShape::kIndex : ActionShape::kOther;
  } else {
    return ActionShape::kOther;
  }
}

// Writes over `into`; false where such actions have no row.
template <class Coding, class Action>
bool write_action_row(const Action& x, std::vector<std::int32_t>& into) {
  constexpr ActionShape kShape = action_shape<Coding, Action>();
  if constexpr (kShape == ActionShape::kIndex) {
    into.assign(1, static_cast<std::int32_t>(x));
  } else if constexpr (HasLevels<Action>) {
    into.assign(x.levels.begin(), x.levels.end());
  } else if constexpr (kShape == ActionShape::kVector) {
    into.assign(x.begin(), x.end());
  }
  return kShape != ActionShape::kOther;
}

}  // namespace hannan::detail
