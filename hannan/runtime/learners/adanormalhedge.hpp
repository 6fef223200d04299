// The row of `adanormalhedge`.
#pragma once

#include <memory>

#include "hannan/learners/ada_normal_hedge.hpp"
#include "hannan/runtime/make_learner.hpp"

namespace hannan::detail {

struct AdaNormalHedgeRow final : LearnerOptions {
  static constexpr LearnerFacts kFacts{
      .name = "adanormalhedge", .about = "weights without a rate; for experts that sleep much", .params = ""};

  template <class P>
  std::unique_ptr<Learner<P>> make(LearnerMaker<P>& parts) const {
    if constexpr (Enumerable<P>) {
      parts.listed_ln_size();
      return std::make_unique<AdaNormalHedge<P>>(
          typename AdaNormalHedge<P>::Parts{parts.problem(), parts.oracle(), parts.params().key});
    } else {
      parts.refuse_unlisted();
    }
  }
};

}  // namespace hannan::detail
