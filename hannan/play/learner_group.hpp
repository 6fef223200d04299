// Learners of one problem that are given the same outcomes in step. Each outcome is read once, and where it can be is
// summarised once (core/shared_history.hpp).
#pragma once

#include <cassert>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "hannan/runtime/any_learner.hpp"
#include "hannan/streams/source.hpp"

namespace hannan::detail {

class LearnerGroup {
 public:
  // Before the first round.
  void join(std::unique_ptr<AnyLearner> learner) {
    for (const auto& other : learners_) learner->share(*other);
    learners_.push_back(std::move(learner));
    acts_.emplace_back();
    views_.emplace_back();
  }
  std::size_t size() const { return learners_.size(); }
  AnyLearner& operator[](std::size_t i) { return *learners_[i]; }
  const ActView& act(std::size_t i) const { return acts_[i]; }        // of its last round, but for weights
  const ObserveView& view(std::size_t i) const { return views_[i]; }  // of its last round
  std::uint64_t rounds() const { return rounds_; }
  const AnyOutcome& outcome() const { return outcome_; }  // of the last round

  // Gives every learner the next outcome; false at the end. A source that answers actions needs a group of one.
  bool play_round(Source& source) {
    if (!source.next(outcome_)) return false;
    for (std::size_t i = 0; i < size(); ++i)
      acts_[i] = learners_[i]->act();  // all, before the first learns the outcome
    const bool answered = source.answers_actions();
    assert(!answered || size() == 1);
    const Json action = answered ? learners_[0]->action() : Json();
    for (std::size_t i = 0; i < size(); ++i) views_[i] = learners_[i]->observe(outcome_);
    if (answered) source.saw(action);
    ++rounds_;
    return true;
  }

 private:
  std::vector<std::unique_ptr<AnyLearner>> learners_;
  std::vector<ActView> acts_;
  std::vector<ObserveView> views_;
  AnyOutcome outcome_;
  std::uint64_t rounds_ = 0;
};

}  // namespace hannan::detail
