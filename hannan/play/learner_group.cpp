// Learners in step on the same outcomes. Invariant: all act before the first one observes, so no decision depends on
// the outcome of its round. Learners that can share a history of outcomes do (share), which saves time and changes
// nothing.
#include "hannan/play/learner_group.hpp"

#include <cassert>
#include <utility>

#include "hannan/core/error.hpp"

namespace hannan::detail {

void LearnerGroup::join(ReplayTurn learner) {
  if (auto* plain = learner.as<PlainLearner>()) {
    for (const ReplayTurn& member : members_) {
      if (const auto* other = member.as<PlainLearner>()) plain->share(*other);
    }
  }
  members_.push_back(std::move(learner));
}

// All, before the first learns the outcome.
void LearnerGroup::act_all(const Source& source) {
  for (const ReplayTurn& member : members_) {
    member.visit([](PlainLearner& learner) { learner.act(); },
                 [&](ContextLearner& learner) {
                   if (context_.size() != learner.by().size())
                     throw Error(Code::kMissingField,
                                 "found outcomes without the columns of the learner, expected them", "context");
                   if (source.answers_actions())
                     throw Error(Code::kUnavailable,
                                 "found outcomes that answer the learner, expected others for a learner with --by",
                                 "stream");
                   learner.act(context_);
                 },
                 [&](SleepingLearner& learner) {
                   learner.wake(outcome_);
                   learner.act();
                 },
                 [&](PortfolioLearner& learner) {
                   if (!learner.rehearses()) learner.act(learner.seen(context_, source.proposals()));
                 },
                 [](PartLearner& learner) { learner.act(); });
  }
}

void LearnerGroup::observe_all(const Source& source) {
  for (const ReplayTurn& member : members_) {
    member.visit([&](PlainLearner& learner) { learner.observe(outcome_); },
                 [&](ContextLearner& learner) { learner.observe(context_, outcome_); },
                 [&](SleepingLearner& learner) { learner.observe(outcome_); },
                 [&](PortfolioLearner& learner) {
                   if (learner.rehearses()) {
                     learner.rehearse(learner.seen(context_, source.proposals()), outcome_, source.today_loss());
                   } else {
                     learner.observe(outcome_, source.today_loss());
                   }
                 },
                 [&](PartLearner& learner) { learner.observe(learner.shown(outcome_)); });
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
  observe_all(source);
  if (answered) source.saw(round(0).action_json());
  ++rounds_;
  return true;
}

}  // namespace hannan::detail
