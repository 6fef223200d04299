// Actions that are made of elements: the loss of an action is the sum of the losses of its elements, each in [0,1],
// over the problem's normaliser. A row of an outcome has one number an element, the row of an action
// (game/action_row.hpp) lists its elements, none twice, in the order in which a client sees them, and `noise` names the
// perturbation with one column an element: entry 1 where the action has it, else 0.
#pragma once

#include <cstddef>
#include <string_view>

namespace hannan::detail {

struct Elements {
  static constexpr std::size_t kMost = 1'000'000;  // the theorem needs so few (docs/theory-partial.md, elements)

  std::size_t count = 0;    // of all
  std::size_t longest = 0;  // most of an action
  std::string_view noise;
};

}  // namespace hannan::detail
