#include "hannan/play/learner_group.hpp"

#include <cassert>
#include <utility>

#include "hannan/core/error.hpp"
#include "hannan/runtime/sleeping_learner.hpp"

namespace hannan::detail {

void LearnerGroup::join(std::unique_ptr<AnyLearner> learner) {
  for (const Seat& other : seats_) learner->share(*other.learner);
  ContextLearner* tree = learner->by_context();
  seats_.push_back({.learner = std::move(learner), .tree = tree, .act = {}, .view = {}, .by_context = {}});
}

// All, before the first learns the outcome.
void LearnerGroup::act_all(const Source& source) {
  for (Seat& seat : seats_) {
    if (!seat.tree) {
      if (SleepingLearner* sleepers = seat.learner->sleeping()) sleepers->wake(outcome_);
      seat.act = seat.learner->act();
      continue;
    }
    if (context_.size() != seat.tree->by().size())
      throw Error(Code::kMissingField, "found outcomes without the columns of the learner, expected them", "context");
    if (source.answers_actions())
      throw Error(Code::kUnavailable, "found outcomes that answer the learner, expected others for a learner with --by",
                  "stream");
    const auto asked = seat.tree->act(context_);
    seat.by_context.weights.assign(asked.weights.begin(), asked.weights.end());
  }
}

void LearnerGroup::observe_all() {
  for (Seat& seat : seats_) {
    if (!seat.tree) {
      seat.view = seat.learner->observe(outcome_);
      continue;
    }
    const auto& seen = seat.by_context.observed = seat.tree->observe(context_, outcome_);
    seat.view = {};
    seat.view.loss = seen.loss;
    seat.view.total = seen.total;
    seat.view.best = seen.best;
    seat.view.regret = seen.regret;
    seat.view.oracle_calls = seen.oracle_calls;
  }
}

bool LearnerGroup::play_round(Source& source) {
  if (!source.next(outcome_)) return false;
  context_.assign(source.context().begin(), source.context().end());
  act_all(source);
  const bool answered = source.answers_actions();
  assert(!answered || size() == 1);
  const Json action = answered ? seats_[0].learner->action() : Json();
  observe_all();
  if (answered) source.saw(action);
  ++rounds_;
  return true;
}

}  // namespace hannan::detail
