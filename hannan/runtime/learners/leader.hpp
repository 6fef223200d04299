// The row of `leader`.
#pragma once

#include <memory>

#include "hannan/learners/leader.hpp"
#include "hannan/runtime/make_learner.hpp"

namespace hannan::detail {

struct LeaderRow final : LearnerOptions {
  static constexpr LearnerFacts kFacts{.name = "leader",
                                       .about = "follow the leader",
                                       .params = "",
                                       .proof = Proof::kLeader,
                                       .any_range = true,
                                       .certifies_run = true,
                                       .by_context = true};

  template <class P>
  std::unique_ptr<Learner<P>> make(LearnerMaker<P>& parts) const {
    return std::make_unique<Leader<P>>(parts.problem(), parts.oracle());
  }
};

}  // namespace hannan::detail
