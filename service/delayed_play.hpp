// The rounds of a learner with `delayed`, as the log has them. A decision opens a round and is a row of the log,
// because it is fixed by what had arrived when it was made; an outcome names the round it belongs to and may come in
// any order.
//
// Lines: {"t","decide","action","multiplier"}, with "key" where the client gave one, and {"t","observe","outcome",
// "loss","settled","gaps","stability","total","best","oracle_calls"}. t is the place in the log, from 1 on.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "hannan/runtime/any_problem.hpp"
#include "hannan/runtime/delayed_learner.hpp"

namespace hannan::detail::service {

class DelayedPlay {
 public:
  DelayedPlay(DelayedLearner& learner, const AnyProblem& problem);  // the learner may have rounds already

  std::uint64_t position() const { return position_; }           // rows of the log so far
  std::uint64_t played() const { return played_; }               // rounds that were opened
  std::uint64_t settled() const { return settled_; }             // known without a hole before them
  std::uint64_t arrived() const;                                 // rounds that have their outcome
  std::uint64_t late() const { return late_; }                   // outcomes that came after a later decision
  double arrived_total() const { return arrived_total_.value; }  // loss of all rounds with an outcome

  enum class Standing { kNeverMade, kAwaited, kHasOutcome };
  Standing standing(std::uint64_t round) const;
  // The open round that was opened with this key; 0: none.
  std::uint64_t opened_with(const std::string& key) const;

  // The line of the next round, which this opens; learner.round() is its decision.
  std::string decide(DelayedLearner& learner, const std::string& key);
  struct Arrived {
    bool settled = false;
    std::string line;
  };
  Arrived observe(DelayedLearner& learner, std::uint64_t round, const AnyOutcome& outcome);

  Json json() const;
  // Of json(); throws kBadState where it does not fit the learner.
  void load(const Json& json, DelayedLearner& learner, const std::string& path);

 private:
  struct OpenRound {
    std::string key;
    bool arrived = false;
  };
  struct Sum {
    double value = 0, carry = 0;
  };
  void drop_settled();

  std::uint64_t position_ = 0, played_ = 0, settled_ = 0, late_ = 0;
  std::map<std::uint64_t, OpenRound> open_;    // played, not settled
  std::map<std::string, std::uint64_t> keys_;  // of open rounds
  Sum arrived_total_;
};

}  // namespace hannan::detail::service
