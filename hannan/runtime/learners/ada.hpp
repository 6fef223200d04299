// The row of `ada`.
#pragma once

#include <memory>
#include <string>

#include "hannan/learners/ada.hpp"
#include "hannan/runtime/make_learner.hpp"

namespace hannan::detail {

struct AdaRow final : LearnerOptions {
  static constexpr LearnerFacts kFacts{
      .name = "ada",
      .about = "AdaFPL: the noise follows what it has cost; needs neither gamma nor c",
      .params = "perturbation noise draw alpha gamma M gap discount half_life pivot delta rho2 credit_draws delayed",
      .proof = Proof::kAda,
      .adapts_multiplier = true,
      .needs_centred = true,
      .any_range = true,
      .certifies_run = true,
      .by_context = true};

  template <class P>
  std::unique_ptr<Learner<P>> make(LearnerMaker<P>& parts) const {
    const double discount = parts.params().discount;
    if (discount != 1 && !parts.oracle()->scales()) {
      throw Error(
          Code::kUnavailable,
          "oracle \"" + parts.oracle()->name() +
              "\" keeps a history that cannot be scaled, and so takes no discount; use an oracle of the program",
          "params.oracle");
    }
    return std::make_unique<Ada<P>>(typename Ada<P>::Parts{.problem = parts.problem(),
                                                           .oracle = parts.oracle(),
                                                           .perturber = parts.perturber(),
                                                           .noise_size = parts.noise_size(),
                                                           .gap = parts.params().gap,
                                                           .discount = discount});
  }
};

}  // namespace hannan::detail
