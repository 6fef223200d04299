// The row of `adahedge`.
#pragma once

#include <memory>

#include "hannan/learners/hedge.hpp"
#include "hannan/runtime/make_learner.hpp"

namespace hannan::detail {

struct AdaHedgeRow final : LearnerOptions {
  static constexpr LearnerFacts kFacts{.name = "adahedge",
                                       .about = "exponential weights with a self-tuned rate",
                                       .params = "",
                                       .proof = Proof::kAdaHedge};

  template <class P>
  std::unique_ptr<Learner<P>> make(LearnerMaker<P>& parts) const {
    if constexpr (Enumerable<P>) {
      return std::make_unique<Hedge<P>>(typename Hedge<P>::Parts{
          parts.problem(), parts.oracle(), std::make_unique<AdaHedgeRate>(parts.listed_ln_size()), parts.params().key});
    } else {
      parts.refuse_unlisted();
    }
  }
};

}  // namespace hannan::detail
