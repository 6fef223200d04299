// The parameters phi and a of the learners that switch between flip and flop. Their bounds are proven for phi > 1
// (docs/theory.md, flipflop): any other is refused.
#pragma once

#include "hannan/io/fields.hpp"
#include "hannan/io/json.hpp"
#include "hannan/io/limits.hpp"
#include "hannan/learners/flipflop.hpp"
#include "hannan/learners/learner_params.hpp"

namespace hannan::detail {

struct FlipOptions : LearnerOptions {
  FlipFlopConstants constants;

  void parse(Fields& fields, const LearnerParams&) {
    constants = {.phi = fields.number("phi", limits::kSwitching, 2.37),
                 .a = fields.number("a", limits::kTuning, 1.243)};
  }
  void print(Json& json) const override {
    json.set("phi", constants.phi);
    json.set("a", constants.a);
  }
};

}  // namespace hannan::detail
