// The loop: a learner, a source of outcomes, and listeners.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "hannan/runtime/any_problem.hpp"
#include "hannan/runtime/turns.hpp"
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
  const Round* in_part =
      nullptr;                  // of a learner that sees a part; valid during the call. Then best and regret are none
  std::optional<double> limit;  // and this its limit
};

struct Listeners {
  std::function<void(const ProgressRow&)> progress;
  std::function<void(const Round&)> acted;     // before the outcome is known; a learner by context is not heard
  std::function<void(const Round&)> observed;  // after every round, first of all
  std::function<void(const Round&)> round;     // after every round
  // After every round of a learner that sees a part of it: the whole outcome, which the learner was not told.
  std::function<void(const Round&, const AnyOutcome&)> hidden;
  std::function<void()> settled;  // after every round and whoever listens to it
  std::function<bool()> stop;     // asked before every round; true ends the run
};

// Plays until the source ends or `most` rounds were played; returns how many. A round that the source or
// the learner refuses throws and changes nothing; what was played before it stays played.
std::uint64_t play(PlainLearner& learner, Source& source, const Listeners& listeners, std::uint64_t most);
std::uint64_t play(ContextLearner& learner, Source& source, const Listeners& listeners, std::uint64_t most);
std::uint64_t play(SleepingLearner& learner, Source& source, const Listeners& listeners, std::uint64_t most);
// What others propose, and today's loss where it was logged, come with the outcome (Source). The first rounds are
// rehearsed where the learner's parameters say so.
std::uint64_t play(PortfolioLearner& learner, Source& source, const Listeners& listeners, std::uint64_t most);
// Each round gets its outcome before the next one is opened. An outcome is read before its round is opened: one that
// is refused opens none.
std::uint64_t play(DelayedLearner& learner, Source& source, const Listeners& listeners, std::uint64_t most);

// Of data that shows every outcome: what the learner would not see is read and kept from it.
std::uint64_t play(PartLearner& learner, Source& source, const Listeners& listeners, std::uint64_t most);

template <class... Kinds>
std::uint64_t play(const TurnOf<Kinds...>& turn, Source& source, const Listeners& listeners, std::uint64_t most) {
  return turn.visit([&](auto& learner) { return play(learner, source, listeners, most); });
}

}  // namespace hannan::detail
