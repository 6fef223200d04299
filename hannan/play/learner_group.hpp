// Learners of one problem that are given the same outcomes in step. Each outcome is read once, and where it can be is
// summarised once (game/shared_history.hpp). Learners with a decision for every segment are told its context too.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "hannan/runtime/turns.hpp"
#include "hannan/streams/source.hpp"

namespace hannan::detail {

class LearnerGroup {
 public:
  // Before the first round.
  void join(ReplayTurn learner);
  std::size_t size() const { return members_.size(); }
  AnyLearner& operator[](std::size_t i) { return *members_[i]; }
  const ReplayTurn& turn(std::size_t i) const { return members_[i]; }
  // Of its last round, until it is asked to act again; its figures until the next round.
  const Round& round(std::size_t i) const { return members_[i]->round(); }
  std::uint64_t rounds() const { return rounds_; }
  const AnyOutcome& outcome() const { return outcome_; }             // of the last round
  std::span<const std::string> context() const { return context_; }  // likewise; empty where there is none

  // Gives every learner the next outcome; false at the end. A source that answers actions needs a group of one. Throws
  // kMissingField where a learner needs a context and the source has none.
  bool play_round(Source& source);

 private:
  void act_all(const Source& source);
  void observe_all(const Source& source);

  std::vector<ReplayTurn> members_;
  AnyOutcome outcome_;
  std::vector<std::string> context_;
  std::uint64_t rounds_ = 0;
};

}  // namespace hannan::detail
