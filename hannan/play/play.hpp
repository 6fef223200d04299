// The loop: a learner, a source of outcomes, and listeners.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "hannan/runtime/any_problem.hpp"
#include "hannan/runtime/context_learner.hpp"
#include "hannan/streams/source.hpp"

namespace hannan::detail {

// A line of the progress table: after rounds 1, 2, 4, 8, ... and at the end.
struct ProgressRow {
  std::uint64_t round;
  double loss;                 // summed
  std::optional<double> best;  // where it is tracked, and at the end
  std::optional<double> regret;
  std::optional<StatedBound> bound;  // what may be called the bound
  double certainty = 0.95;           // of the limit: 1 - delta
  std::optional<double> rate;        // eta, or the noise multiplier
  std::string regime;
  std::uint64_t oracle_calls;
};

// A round of a learner with a decision for every segment: what its nodes, the open segments of the path, decided.
struct PlayedContext {
  ContextLearner& learner;
  std::vector<std::string> context;
  std::vector<double> weights;
  std::vector<ActView> acts;  // per node, and its action
  std::vector<Json> actions;
  ContextLearner::Observed observed;
};

struct PlayedRound {
  AnyLearner& learner;
  const ActView& act;  // its weights are those of the round after this one by now: do not read them
  const Json& action;
  const ObserveView& observed;
  const AnyOutcome& outcome;
  const PlayedContext* by_context = nullptr;  // then act and action are those of the node that was played
};

struct Listeners {
  std::function<void(const ProgressRow&)> progress;
  std::function<void(const PlayedRound&)> round;  // slower: every action is turned into JSON
  std::function<void(AnyLearner&)> acted;  // before the outcome is known, where action_row() says what was chosen
  std::function<void(const ObserveView&)> observed;  // after every round, first of all
  std::function<void()> settled;                     // after every round and whoever listens to it
  std::function<bool()> stop;                        // asked before every round; true ends the run
};

// Plays until the source ends or `most` rounds were played; returns how many. A round that the source or
// the learner refuses throws and changes nothing; what was played before it stays played.
std::uint64_t play(AnyLearner& learner, Source& source, const Listeners& listeners, std::uint64_t most);

}  // namespace hannan::detail
