// The row of `uniform-gftpl`.
#pragma once

#include <memory>

#include "hannan/learners/classical.hpp"
#include "hannan/noise/uniform.hpp"
#include "hannan/runtime/learners/tuning.hpp"
#include "hannan/runtime/make_learner.hpp"

namespace hannan::detail {

struct UniformGftplRow final : LearnerOptions {
  static constexpr LearnerFacts kFacts{.name = "uniform-gftpl",
                                       .about = "classical perturbed leader, uniform noise (Dudik et al.)",
                                       .params = "perturbation draw alpha beta rounds"};
  Tuning beta;

  void parse(Fields& fields, const LearnerParams& shared) {
    beta.parse(fields, shared, "beta");
    if (beta.rounds && !beta.value) beta.value = beta.root();
  }
  void print(Json& json) const override { beta.print(json, "beta"); }

  template <class P>
  std::unique_ptr<Learner<P>> make(LearnerMaker<P>& parts) const {
    parts.use_noise(Noise(Uniform(beta.value.value_or(1.0))));
    return std::make_unique<Classical<P>>(
        typename Classical<P>::Parts{parts.problem(), parts.oracle(), parts.perturber()});
  }
};

}  // namespace hannan::detail
