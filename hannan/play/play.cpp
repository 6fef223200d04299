// The loop of a run: act, outcome, observe, listeners. A round that the source or the learner refuses throws before
// anything of it is told to a listener. Progress rows come after rounds 1, 2, 4, ... and at the end: O(log T) of them.
#include "hannan/play/play.hpp"

#include <bit>

#include "hannan/core/error.hpp"
#include "hannan/runtime/sleeping_learner.hpp"

namespace hannan::detail {
namespace {

// A bound is computed here and not every round: a certificate costs more than a round of a small problem.
ProgressRow progress_row(AnyLearner& learner, const ActView& act, const ObserveView& seen) {
  const auto bound = seen.best ? learner.bound() : std::nullopt;
  const auto delta = learner.params().find_number("delta");
  return {.round = act.round,
          .loss = seen.total,
          .best = seen.best,
          .regret = seen.regret,
          .bound = bound,
          .certainty = 1 - delta.value_or(0.05),
          .rate = learner.adapts_multiplier() ? act.multiplier : act.eta,
          .regime = std::string(act.regime),
          .oracle_calls = seen.oracle_calls};
}

// The context comes with the outcome, which the decision does not see.
std::uint64_t play_by_context(ContextLearner& learner, Source& source, const Listeners& listeners, std::uint64_t most) {
  std::uint64_t played = 0;
  PlayedContext round{.learner = learner, .context = {}, .weights = {}, .acts = {}, .actions = {}, .observed = {}};
  ActView act;
  ObserveView seen;
  AnyOutcome outcome;
  bool shown = true;
  while (played < most && !(listeners.stop && listeners.stop())) {
    if (!source.next(outcome)) break;
    round.context.assign(source.context().begin(), source.context().end());
    if (round.context.size() != learner.by().size())
      throw Error(Code::kMissingField, "found outcomes without the columns of the learner, expected them", "context");
    const std::uint64_t number = learner.rounds() + 1;
    if (listeners.round) {
      const auto asked = learner.act(round.context);
      round.weights.assign(asked.weights.begin(), asked.weights.end());
      round.acts.clear();
      round.actions.clear();
      for (std::size_t d = 0; d < asked.weights.size(); ++d) {
        round.acts.push_back(learner.node(d));
        round.actions.push_back(learner.node_action(d));
      }
      act = round.acts[asked.pick];
    }
    act.round = number;
    round.observed = learner.observe(round.context, outcome);
    seen.loss = round.observed.loss;
    seen.total = round.observed.total;
    seen.best = round.observed.best;
    seen.regret = round.observed.regret;
    seen.oracle_calls = round.observed.oracle_calls;
    if (listeners.observed) listeners.observed(seen);
    ++played;
    shown = !listeners.progress || std::has_single_bit(number);
    if (listeners.round) listeners.round({learner, act, round.actions[round.observed.pick], seen, outcome, &round});
    if (listeners.progress && shown) listeners.progress(progress_row(learner, act, seen));
    if (listeners.settled) listeners.settled();
  }
  if (!shown) listeners.progress(progress_row(learner, act, seen));
  return played;
}

}  // namespace

// The decision is made before the outcome is read, but for experts that sleep: there the row says who is awake, and the
// losses in it are not looked at before the decision. `shown` is false where the last round had no row of progress.
std::uint64_t play(AnyLearner& learner, Source& source, const Listeners& listeners, std::uint64_t most) {
  if (ContextLearner* tree = learner.by_context()) return play_by_context(*tree, source, listeners, most);
  std::uint64_t played = 0;
  ActView last;  // of the last round that was played
  ObserveView seen;
  AnyOutcome outcome;
  Json action;
  bool shown = true;
  // A row shows which experts are awake before it shows their losses.
  SleepingLearner* const sleepers = learner.sleeping();
  while (played < most && !(listeners.stop && listeners.stop())) {
    if (sleepers && !source.next(outcome)) break;
    if (sleepers) sleepers->wake(outcome);
    const ActView act = learner.act();
    if (listeners.round || source.answers_actions()) action = learner.action();
    if (listeners.acted) listeners.acted(learner);
    if (!sleepers && !source.next(outcome)) break;
    seen = learner.observe(outcome);
    if (listeners.observed) listeners.observed(seen);
    if (source.answers_actions()) source.saw(action);
    ++played;
    last = act;
    shown = !listeners.progress || std::has_single_bit(act.round);
    if (listeners.round) listeners.round({learner, act, action, seen, outcome});
    if (listeners.progress && shown) listeners.progress(progress_row(learner, act, seen));
    if (listeners.settled) listeners.settled();
  }
  if (!shown) listeners.progress(progress_row(learner, last, seen));
  return played;
}

}  // namespace hannan::detail
