// A learner whose outcomes come late, behind the interface of any learner: rounds by number, in any order of arrival
// (learners/delayed_ada.cpp). Its facts are those of the settled rounds.
#include "hannan/runtime/delayed_learner.hpp"

#include <bit>

#include "hannan/core/error.hpp"

namespace hannan::detail {

ArrivalView DelayedLearner::observe(std::uint64_t round, const AnyOutcome& y) {
  learner_.expect_outcome(round);
  if (maker_.oracle()->claims().empty()) return take(round, y);
  // An oracle of the user's own can fail after the outcome was added to a history: then it is taken back.
  const Json before = snapshot();
  try {
    return take(round, y);
  } catch (const Error&) {
    restore(before, "state");
    throw;
  }
}

// Rounds whose outcomes are still open are in `delays` alone: total and best are of the settled ones.
RunFacts DelayedLearner::facts() {
  const LearnerParams& p = maker_.params();
  const auto& delays = learner_.delays();
  const auto& matrix = maker_.matrix();
  RunFacts run;
  run.proof = p.kind->proof;
  run.ln_size = game_->ln_size();
  run.columns = static_cast<double>(matrix->columns());
  run.unit_entries = matrix->unit_entries();
  run.gamma = p.gamma;
  run.noise = maker_.noise().facts();
  run.noise_size = noise_size();
  run.own_size = p.noise_size;
  run.noise_given = p.alpha.has_value();
  run.fresh = p.draw == Freshness::kFresh;
  run.rounds = learner_.settled();
  run.oracle_calls = learner_.oracle_calls();
  run.search_nodes = learner_.search_nodes();
  run.total = learner_.total();
  run.best = best();
  run.floor = learner_.settled() == 0 ? 0.0 : learner_.prefix().peek().floor;
  run.gap = learner_.oracle_gap();
  run.stability = learner_.stability();
  run.multiplier = learner_.settled_multiplier();
  run.delta = p.delta;
  run.delays = {.played = learner_.played(),
                .missing = delays.missing_most,
                .missing_total = delays.missing_total,
                .open = delays.open_most,
                .left = learner_.left(),
                .single_out = matrix->single_out()};
  return run;
}

AnyLearner::ReportFacts DelayedLearner::report_facts() {
  return {.best_action = game_->action_json(learner_.prefix().peek().action),
          .certificate_calls = 0,
          .claims = maker_.oracle()->claims(),
          .perturbs = true,
          .draw = maker_.params().draw};
}

ArrivalView DelayedLearner::take(std::uint64_t round, const AnyOutcome& y) {
  const auto arrival = learner_.observe(round, y);
  gaps_.clear();
  for (const auto& settled : arrival.rounds) gaps_.push_back(settled.gap);
  ArrivalView view{.loss = arrival.loss,
                   .settled = learner_.settled(),
                   .gaps = gaps_,
                   .stability = learner_.stability(),
                   .total = learner_.total(),
                   .best = {},
                   .regret = {},
                   .oracle_calls = learner_.oracle_calls()};
  const Track track = maker_.params().track;
  if (track == Track::kEvery || (track == Track::kPowers && std::has_single_bit(view.settled))) {
    view.best = best();
    view.regret = view.total - *view.best;
  }
  return view;
}

}  // namespace hannan::detail
