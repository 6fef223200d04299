// A learner whose outcomes come late, behind the interface of any learner: rounds by number, in any order of arrival
// (learners/delayed_ada.cpp). Its facts are those of the settled rounds.
#include "hannan/runtime/delayed_learner.hpp"

#include <bit>

#include "hannan/core/error.hpp"

namespace hannan::detail {

DelayedLearner::DelayedLearner(std::shared_ptr<const Game> game, LearnerParams params)
    : AnyLearner(std::move(game), params.kind->name, {.adapts_multiplier = true, .certifies_run = true}),
      maker_(shared_game(), std::move(params)),
      learner_({maker_.game(), maker_.oracle(), maker_.perturber(), maker_.noise_size()}) {
  params_ = learner_json(maker_.params());
}

void DelayedLearner::check_rehearsal(std::string_view path) const {
  throw Error(Code::kUnavailable, "found a rehearsal, expected none: outcomes of this learner come late",
              std::string(path));
}

void DelayedLearner::refuse(std::string_view path) {
  throw Error(
      Code::kUnavailable,
      "a learner with delayed outcomes is played through `hannan pipe`, where each outcome names its round; here "
      "rounds are played in turn, and \"ada\" without `delayed` makes the same decisions",
      path_of(path, "delayed"));
}

const Round& DelayedLearner::act(std::uint64_t round) {
  round_.take(learner_.act(round));
  round_.number = round;
  return round_;
}

const Round& DelayedLearner::observe(std::uint64_t round, const AnyOutcome& y) {
  learner_.expect_outcome(round);
  if (maker_.oracle()->claims().empty()) {
    settle(round, y);
    return round_;
  }
  // An oracle of the user's own can fail after the outcome was added to a history: then it is taken back.
  const Json before = snapshot();
  try {
    settle(round, y);
  } catch (const Error&) {
    restore(before, "state");
    throw;
  }
  return round_;
}

// Rounds whose outcomes are still open are in `delays` alone: total and best are of the settled ones.
RunFacts DelayedLearner::facts() {
  const LearnerParams& p = maker_.params();
  const auto& delays = learner_.delays();
  const auto& matrix = maker_.matrix();
  RunFacts run;
  run.proof = p.kind->proof;
  run.ln_size = game().ln_size();
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
  return {.best_action = game().action_json(learner_.prefix().peek().action),
          .certificate_calls = 0,
          .claims = maker_.oracle()->claims(),
          .perturbs = true,
          .draw = maker_.params().draw};
}

void DelayedLearner::settle(std::uint64_t round, const AnyOutcome& y) {
  const auto arrival = learner_.observe(round, y);
  gaps_.clear();
  for (const auto& settled : arrival.rounds) gaps_.push_back(settled.gap);
  round_.number = round;
  round_.action = nullptr;  // gone once the round is settled
  round_.outcome = &y;
  round_.loss = arrival.loss;
  round_.settled = learner_.settled();
  round_.gaps = gaps_;
  round_.stability = {1, {learner_.stability(), 0}};
  round_.total = learner_.total();
  round_.oracle_calls = learner_.oracle_calls();
  round_.best.reset();
  round_.regret.reset();
  const Track track = maker_.params().track;
  if (track == Track::kEvery || (track == Track::kPowers && std::has_single_bit(round_.settled))) {
    round_.best = best();
    round_.regret = round_.total - *round_.best;
  }
}

}  // namespace hannan::detail
