// The row of `flipflop`.
#pragma once

#include <memory>

#include "hannan/learners/flipflop.hpp"
#include "hannan/runtime/learners/flip_constants.hpp"
#include "hannan/runtime/make_learner.hpp"

namespace hannan::detail {

struct FlipFlopRow final : LearnerOptions {
  static constexpr LearnerFacts kFacts{
      .name = "flipflop",
      .about = "FlipFlop-FPL, the default: leader while it is cheap, ada when it is not",
      .params = "perturbation noise draw alpha gamma M phi a gap pivot delta rho2 credit_draws",
      .proof = Proof::kFlipFlop,
      .adapts_multiplier = true,
      .switches = true,
      .needs_centred = true,
      .any_range = true,
      .certifies_run = true,
      .by_context = true};
  FlipFlopConstants constants;

  void parse(Fields& fields, const LearnerParams&) { constants = parse_flip_constants(fields); }
  void print(Json& json) const override { print_flip_constants(json, constants); }
  void state(RunFacts& run) const override {
    run.phi = constants.phi;
    run.flip_a = constants.a;
  }

  template <class P>
  std::unique_ptr<Learner<P>> make(LearnerMaker<P>& parts) const {
    return std::make_unique<FlipFlop<P>>(typename FlipFlop<P>::Parts{
        parts.problem(), parts.oracle(), parts.perturber(), parts.noise_size(), constants, parts.params().gap});
  }
};

}  // namespace hannan::detail
