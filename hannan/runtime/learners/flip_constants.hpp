// The parameters phi and a of the learners that switch between flip and flop. Their bounds are proven for phi > 1
// (docs/theory.md, flipflop): any other is refused.
#pragma once

#include "hannan/io/fields.hpp"
#include "hannan/io/json.hpp"
#include "hannan/io/limits.hpp"
#include "hannan/learners/flipflop.hpp"

namespace hannan::detail {

inline FlipFlopConstants parse_flip_constants(Fields& fields) {
  return {.phi = fields.number("phi", limits::kSwitching, 2.37), .a = fields.number("a", limits::kTuning, 1.243)};
}

inline void print_flip_constants(Json& json, const FlipFlopConstants& constants) {
  json.set("phi", constants.phi);
  json.set("a", constants.a);
}

}  // namespace hannan::detail
