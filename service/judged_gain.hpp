// What is said of the gain of a learner over no reserve prices. Nothing of it is decided here: the sums of its gains
// and all that forbids a verdict are given to the one function that decides (hannan/compare/judgement.hpp), and every
// list, page and script takes its words from what that says.
#pragma once

#include <optional>

#include "hannan/runtime/any_problem.hpp"
#include "hannan/runtime/best_known.hpp"
#include "service/baselines.hpp"
#include "service/learner_config.hpp"
#include "service/money_scale.hpp"

namespace hannan::detail::service {

struct GainToJudge {
  const LearnerConfig& config;
  const AnyProblem& problem;
  const SumsWithoutReserves& without;
  const GainStretches& stretches;
  BestKnown best;  // of the same rounds
};
// {"round", "recommendation", "says", "reason", "doubts", "gain", "range": [lo, hi] or null}, in money where it is
// known. Costs one sum_upper (hannan/certify/run_bounds.hpp).
Json judged_gain(const GainToJudge& of);

}  // namespace hannan::detail::service
