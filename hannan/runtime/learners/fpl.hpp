// The row of `fpl`.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "hannan/learners/fpl.hpp"
#include "hannan/noise/exponential.hpp"
#include "hannan/runtime/make_learner.hpp"
#include "hannan/schedules/schedules.hpp"

namespace hannan::detail {

struct FplRow final : LearnerOptions {
  static constexpr LearnerFacts kFacts{.name = "fpl",
                                       .about = "perturbed leader with one exponential per action (Hutter, Poland)",
                                       .params = "draw alpha"};

  template <class P>
  std::unique_ptr<Learner<P>> make(LearnerMaker<P>& parts) const {
    if constexpr (Enumerable<P>) {
      const double ln_size = parts.listed_ln_size();
      const std::size_t size = parts.problem()->size();
      // q is Exp(1): minus one-sided noise of hedge sign +1.
      const auto signs = std::make_shared<const std::vector<int>>(size, -1);
      const Draw draw = parts.given_or(size, [&] { return parts.law_draw(Noise(Exponential{}), signs); });
      return std::make_unique<Fpl<P>>(
          typename Fpl<P>::Parts{parts.problem(), parts.oracle(), schedules::hutter_poland(ln_size), draw});
    } else {
      parts.refuse_unlisted();
    }
  }
};

}  // namespace hannan::detail
