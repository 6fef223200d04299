// How a learner that sees the elements of its own action estimates the others (docs/partial.md).
#pragma once

#include "hannan/io/fields.hpp"
#include "hannan/io/json.hpp"

namespace hannan::detail {

struct ElementParams {
  double cap = 16;  // most draws of a round, over the multiplier of its noise
};

inline constexpr Interval kElementCap{1, 10'000};

// Of the fields besides "feedback". kUnavailable at what there is no theorem for, kOutOfRange.
ElementParams parse_elements(Fields& fields);

}  // namespace hannan::detail
