// A fixed action judged on rounds it was not chosen from (holdout.hpp). Invariant: rounds 0..from-1 choose, from..T-1
// judge, and both halves are read in one pass of the same source, so that no round counts in both.
#include "hannan/compare/holdout.hpp"

#include <cmath>

#include "hannan/core/error.hpp"
#include "hannan/core/sum.hpp"
#include "hannan/play/learner_group.hpp"
#include "hannan/runtime/best_known.hpp"

namespace hannan::detail {

HeldOut hold_out(const ComparisonPlan& plan, std::uint64_t rounds, std::span<const double> base_losses) {
  if (!plan.segments.is_null())
    throw Error(Code::kUnavailable, "found --by, expected one decision for all: segments are judged as they are played",
                "--holdout");
  if (base_losses.size() != rounds)
    throw Error(Code::kUnavailable, "found nothing that is done today, expected a log, or an action as --fixed",
                "--holdout");
  // The last part of the log judges: in the order of time, as it would be deployed.
  const auto held = static_cast<std::uint64_t>(std::floor(plan.holdout * static_cast<double>(rounds)));
  HeldOut result{.from = rounds - held, .action = {}, .proven = true, .gains = {}};
  if (held == 0 || held >= rounds)
    throw Error(Code::kEmpty,
                "found " + std::to_string(rounds) + " rounds, expected some to choose from and some to judge by",
                "--holdout");
  const auto source = plan.open();
  LearnerGroup group;
  group.join(plan.problem->learner("leader", Json::object({{"seed", plan.seed}, {"track", "end"}})));
  // What was rehearsed was known before the first round that is played: it is chosen from as well.
  while (group.rounds() < plan.rehearsed + result.from && group.play_round(*source)) {
  }
  const Json report = group[0].report();
  result.action = report.at("best_action");
  result.proven = best_known(report).value_or(BestKnown{}).proven();
  const Game& game = plan.problem->game();
  const AnyAction action = game.parse_action(result.action, "action");
  AnyOutcome outcome;
  Sum own, base;
  for (std::uint64_t t = result.from; t < rounds && source->next(outcome); ++t) {
    const double loss = game.loss(action, outcome);
    own.add(loss);
    base.add(base_losses[t]);
    result.gains.push_back(base_losses[t] - loss);
  }
  if (result.gains.size() != held)
    throw Error(Code::kTruncated, "found fewer outcomes than in the first pass, expected the same rounds", "-d");
  result.loss = own.value();
  result.base_loss = base.value();
  return result;
}

}  // namespace hannan::detail
