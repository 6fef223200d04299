// Learners in step on the same outcomes. Invariant: all act before the first one observes, so no decision depends on
// the outcome of its round. Learners that can share a history of outcomes do (share), which saves time and changes
// nothing.
#include "hannan/play/learner_group.hpp"

#include <cassert>
#include <utility>

#include "hannan/core/error.hpp"
#include "hannan/runtime/sleeping_learner.hpp"

namespace hannan::detail {

void LearnerGroup::join(std::unique_ptr<AnyLearner> learner) {
  for (const Member& other : members_) learner->share(*other.learner);
  ContextLearner* tree = learner->by_context();
  members_.push_back({.learner = std::move(learner), .tree = tree, .act = {}, .view = {}, .by_context = {}});
}

// All, before the first learns the outcome.
void LearnerGroup::act_all(const Source& source) {
  for (Member& member : members_) {
    if (!member.tree) {
      if (SleepingLearner* sleepers = member.learner->sleeping()) sleepers->wake(outcome_);
      member.act = member.learner->act();
      continue;
    }
    if (context_.size() != member.tree->by().size())
      throw Error(Code::kMissingField, "found outcomes without the columns of the learner, expected them", "context");
    if (source.answers_actions())
      throw Error(Code::kUnavailable, "found outcomes that answer the learner, expected others for a learner with --by",
                  "stream");
    const auto asked = member.tree->act(context_);
    member.by_context.weights.assign(asked.weights.begin(), asked.weights.end());
  }
}

void LearnerGroup::observe_all() {
  for (Member& member : members_) {
    if (!member.tree) {
      member.view = member.learner->observe(outcome_);
      continue;
    }
    const auto& seen = member.by_context.observed = member.tree->observe(context_, outcome_);
    member.view = {};
    member.view.loss = seen.loss;
    member.view.total = seen.total;
    member.view.best = seen.best;
    member.view.regret = seen.regret;
    member.view.oracle_calls = seen.oracle_calls;
  }
}

// The outcome is read first, because a context and who is awake come with it; no learner sees more of it before acting.
// Outcomes that answer an action need one learner, whose action it is.
bool LearnerGroup::play_round(Source& source) {
  if (!source.next(outcome_)) return false;
  context_.assign(source.context().begin(), source.context().end());
  act_all(source);
  const bool answered = source.answers_actions();
  assert(!answered || size() == 1);
  const Json action = answered ? members_[0].learner->action() : Json();
  observe_all();
  if (answered) source.saw(action);
  ++rounds_;
  return true;
}

}  // namespace hannan::detail
