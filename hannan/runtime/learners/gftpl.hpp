// The row of `gftpl`.
#pragma once

#include <memory>

#include "hannan/learners/gftpl.hpp"
#include "hannan/runtime/make_learner.hpp"

namespace hannan::detail {

struct GftplRow final : LearnerOptions {
  static constexpr LearnerFacts kFacts{
      .name = "gftpl",
      .about = "perturbed leader with a small-loss rate (Algorithms 1, 2, 4)",
      .params = "perturbation noise draw alpha gamma c M pivot delta rho2 credit_draws certificate",
      .proof = Proof::kGftpl,
      .needs_gamma = true,
      .certifies_run = true,
      .by_context = true};

  template <class P>
  std::unique_ptr<Learner<P>> make(LearnerMaker<P>& parts) const {
    return std::make_unique<Gftpl<P>>(typename Gftpl<P>::Parts{parts.problem(), parts.oracle(), parts.perturber(),
                                                               parts.small_loss(), parts.params().certified});
  }
};

}  // namespace hannan::detail
