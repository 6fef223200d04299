// The row of `flipflop-hedge`.
#pragma once

#include <memory>
#include <utility>

#include "hannan/learners/hedge.hpp"
#include "hannan/runtime/learners/flip_constants.hpp"
#include "hannan/runtime/make_learner.hpp"

namespace hannan::detail {

struct FlipFlopHedgeRow final : LearnerOptions {
  static constexpr LearnerFacts kFacts{.name = "flipflop-hedge",
                                       .about = "FlipFlop of de Rooij et al., on exponential weights",
                                       .params = "phi a",
                                       .switches = true};
  FlipFlopConstants constants;

  void parse(Fields& fields, const LearnerParams&) { constants = parse_flip_constants(fields); }
  void print(Json& json) const override { print_flip_constants(json, constants); }

  template <class P>
  std::unique_ptr<Learner<P>> make(LearnerMaker<P>& parts) const {
    if constexpr (Enumerable<P>) {
      auto rate = std::make_unique<FlipFlopRate>(parts.listed_ln_size(), constants);
      return std::make_unique<Hedge<P>>(
          typename Hedge<P>::Parts{parts.problem(), parts.oracle(), std::move(rate), parts.params().key});
    } else {
      parts.refuse_unlisted();
    }
  }
};

}  // namespace hannan::detail
