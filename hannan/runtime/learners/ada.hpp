// The row of `ada`.
#pragma once

#include <memory>

#include "hannan/learners/ada.hpp"
#include "hannan/runtime/make_learner.hpp"

namespace hannan::detail {

struct AdaRow final : LearnerOptions {
  static constexpr LearnerFacts kFacts{
      .name = "ada",
      .about = "AdaFPL: the noise follows what it has cost; needs neither gamma nor c",
      .params = "perturbation noise draw alpha gamma M gap pivot delta rho2 credit_draws delayed",
      .proof = Proof::kAda,
      .adapts_multiplier = true,
      .needs_centred = true,
      .certifies_run = true};

  template <class P>
  std::unique_ptr<Learner<P>> make(LearnerMaker<P>& parts) const {
    return std::make_unique<Ada<P>>(typename Ada<P>::Parts{parts.problem(), parts.oracle(), parts.perturber(),
                                                           parts.noise_size(), parts.params().gap});
  }
};

}  // namespace hannan::detail
