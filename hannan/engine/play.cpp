#include "hannan/engine/play.hpp"

#include <bit>

namespace hannan {
namespace {

ProgressRow progress_row(LearnerFace& learner, const ActView& act, const ObserveView& seen) {
  const RunFacts run = learner.facts();
  const auto bound = sharpest(certificate(run));
  return {.round = run.rounds, .loss = run.total, .best = run.best, .regret = run.total - run.best, .bound = bound,
          .rate = learner.adapts_multiplier() ? act.multiplier : act.eta, .regime = std::string(act.regime),
          .oracle_calls = seen.oracle_calls};
}

}  // namespace

std::uint64_t play(LearnerFace& learner, Source& source, const Listeners& listeners, std::uint64_t most) {
  std::uint64_t played = 0;
  ActView act;
  ObserveView seen;
  Json action;
  bool shown = true;
  while (played < most) {
    act = learner.act();
    if (listeners.round) action = learner.action();
    if (!source.feed(learner, seen)) break;
    ++played;
    shown = !listeners.progress || std::has_single_bit(act.round);
    if (listeners.round) listeners.round({learner, act, action, seen});
    if (listeners.progress && shown) listeners.progress(progress_row(learner, act, seen));
  }
  if (!shown) listeners.progress(progress_row(learner, act, seen));
  return played;
}

}  // namespace hannan
