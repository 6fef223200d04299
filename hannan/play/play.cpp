#include "hannan/play/play.hpp"

#include <bit>

namespace hannan::detail {
namespace {

ProgressRow progress_row(AnyLearner& learner, const ActView& act, const ObserveView& seen) {
  const auto bound = seen.best ? sharpest(certificate(learner.facts())) : std::nullopt;
  return {.round = act.round,
          .loss = seen.total,
          .best = seen.best,
          .regret = seen.regret,
          .bound = bound,
          .rate = learner.adapts_multiplier() ? act.multiplier : act.eta,
          .regime = std::string(act.regime),
          .oracle_calls = seen.oracle_calls};
}

}  // namespace

std::uint64_t play(AnyLearner& learner, Source& source, const Listeners& listeners, std::uint64_t most) {
  std::uint64_t played = 0;
  ActView last;  // of the last round that was played
  ObserveView seen;
  AnyOutcome outcome;
  Json action;
  bool shown = true;
  while (played < most && !(listeners.stop && listeners.stop())) {
    const ActView act = learner.act();
    if (listeners.round || source.answers_actions()) action = learner.action();
    if (listeners.acted) listeners.acted(learner);
    if (!source.next(outcome)) break;
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
