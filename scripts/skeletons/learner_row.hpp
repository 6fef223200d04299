// The row of `@name@`: what the program knows of it, and how it is made (runtime/learner_params.hpp).
#pragma once

#include <memory>

#include "hannan/learners/@file@.hpp"
#include "hannan/runtime/make_learner.hpp"

namespace hannan::detail {

struct @Type@Row final : LearnerOptions {
  static constexpr LearnerFacts kFacts{.name = "@name@", .about = "follow the leader, a first draft", .params = ""};

  template <class P>
  std::unique_ptr<Learner<P>> make(LearnerMaker<P>& parts) const {
    return std::make_unique<@Type@<P>>(parts.problem(), parts.oracle());
  }
};

}  // namespace hannan::detail
