// Learners of one problem that are given the same outcomes in step. Each outcome is read once, and where it can be is
// summarised once (game/shared_history.hpp). Learners with a decision for every segment are told its context too.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "hannan/runtime/any_learner.hpp"
#include "hannan/runtime/context_learner.hpp"
#include "hannan/streams/source.hpp"

namespace hannan::detail {

class LearnerGroup {
 public:
  // Before the first round.
  void join(std::unique_ptr<AnyLearner> learner);
  std::size_t size() const { return members_.size(); }
  AnyLearner& operator[](std::size_t i) { return *members_[i].learner; }
  // Of its last round, but for weights. Nothing of learners with a decision for every segment: see by_context.
  const ActView& act(std::size_t i) const { return members_[i].act; }
  const ObserveView& view(std::size_t i) const { return members_[i].view; }  // of its last round
  std::uint64_t rounds() const { return rounds_; }
  const AnyOutcome& outcome() const { return outcome_; }             // of the last round
  std::span<const std::string> context() const { return context_; }  // likewise; empty where there is none

  // The last round of a learner with a decision for every segment; valid until the next round.
  struct ByContext {
    std::vector<double> weights;  // p_d of the nodes that were played
    ContextLearner::Observed observed;
  };
  const ByContext& by_context(std::size_t i) const { return members_[i].by_context; }

  // Gives every learner the next outcome; false at the end. A source that answers actions needs a group of one. Throws
  // kMissingField where a learner needs a context and the source has none.
  bool play_round(Source& source);

 private:
  struct Member {
    std::unique_ptr<AnyLearner> learner;
    ContextLearner* tree = nullptr;  // the same, where it has a decision for every segment
    ActView act;
    ObserveView view;
    ByContext by_context;
  };
  void act_all(const Source& source);
  void observe_all();

  std::vector<Member> members_;
  AnyOutcome outcome_;
  std::vector<std::string> context_;
  std::uint64_t rounds_ = 0;
};

}  // namespace hannan::detail
