// A batch of a learner whose outcomes may come late: each round gets its outcome before the next one is opened.
#pragma once

#include <bit>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

#include "hannan/play/delayed_lines.hpp"
#include "hannan/play/play.hpp"
#include "hannan/runtime/delayed_rounds.hpp"
#include "hannan/streams/source.hpp"

namespace hannan::detail::python {

struct DelayedListeners {
  std::function<void(const Json&)> action;  // of every round
  std::function<void(const Json&)> line;    // of the record (docs/record.md), two a round; empty: there is none
};

class DelayedRun {
 public:
  // Of `to` it calls stop, observed and progress.
  DelayedRun(AnyLearner& learner, const Listeners& to, DelayedListeners late)
      : learner_(learner), rounds_(*learner.delayed_rounds()), to_(to), late_(std::move(late)) {}

  // Until the source ends. An outcome is read before its round is opened: one that is refused opens none.
  void play(Source& source) {
    AnyOutcome outcome;
    bool shown = true;
    while (!to_.stop() && source.next(outcome)) {
      const std::uint64_t round = learner_.rounds() + 1;
      const ActView act = rounds_.act(round);
      row_.rate = act.multiplier;
      decided(round, act);
      arrived(round, outcome);
      shown = !to_.progress || std::has_single_bit(round);
      if (to_.progress && shown) show();
    }
    if (!shown) show();
  }

 private:
  void decided(std::uint64_t round, const ActView& act) {
    const Json action = rounds_.action(round);
    late_.action(action);
    if (!late_.line) return;
    late_.line(decision_line(++lines_, round, action, act));
  }
  void arrived(std::uint64_t round, const AnyOutcome& outcome) {
    const ArrivalView seen = rounds_.observe(round, outcome);
    if (late_.line) late_.line(arrival_line(++lines_, round, learner_.game().outcome_json(outcome), seen));
    ObserveView view;
    view.loss = seen.loss;
    view.total = seen.total;
    view.best = seen.best;
    to_.observed(view);
    row_.round = round;
    row_.loss = seen.total;
    row_.best = seen.best;
    row_.regret = seen.regret;
    row_.oracle_calls = seen.oracle_calls;
  }
  // A certificate costs more than a round, so it is computed for the rows that are shown.
  void show() {
    row_.bound = row_.best ? learner_.bound() : std::nullopt;
    to_.progress(row_);
  }

  AnyLearner& learner_;
  DelayedRounds& rounds_;
  const Listeners& to_;
  DelayedListeners late_;
  ProgressRow row_{};  // of the last round
  std::uint64_t lines_ = 0;
};

}  // namespace hannan::detail::python
