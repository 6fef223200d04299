// The frame of a round in order: act() decides once and remembers, observe() charges the decision, adds the outcome and
// lets the learner settle. Invariant: counts that a learner saves (settled_) are those of complete rounds; what act()
// has asked for in the open round is repeated after loading and counted then, so that a saved and a continued run
// agree.
#include "hannan/game/learner.hpp"

#include <algorithm>

#include "hannan/core/tolerance.hpp"

namespace hannan::detail {

const Step& Learner::observe(const AnyOutcome& y, double weight) {
  // The decision exists even if the caller never asked for it; it must not depend on y.
  act();
  step_.loss = problem_->loss(decision_.action, y);
  step_.weight = weight;
  step_.stability = {};
  step_.estimates.reset();
  step_.switched = false;
  step_.gap.reset();
  step_.left = 0;
  // From here on rounds() is the round that was just played, and seen() includes its outcome.
  seen_.add(y, weight);
  settle(decision_, y, step_);
  seen_.settle();
  settled_ = counts_;
  decided_ = false;
  return step_;
}

void Learner::skip(std::uint64_t rounds) {
  act();
  const std::uint64_t before = seen_.rounds();
  seen_.skip(rounds);
  seen_.settle();
  // The leader of the same outcomes is no new question.
  if (counts_.leader_asked[0] == before + 1) counts_.leader_asked[0] = seen_.rounds() + 1;
  settled_ = counts_;
  decided_ = false;
}

void Learner::archive(Archive& a) {
  constexpr const char* kAskedNames[kRecords] = {"asked0", "asked1", "asked2", "asked3", "asked4"};
  seen_.archive(a);
  a.count("oracle_calls", settled_.calls);
  a.count("search_nodes", settled_.nodes);
  for (std::size_t slot = 0; slot < kRecords; ++slot) a.count(kAskedNames[slot], settled_.leader_asked[slot]);
  a.field("oracle_gap", settled_.unproven, kSavedNonnegative);
  state(a);
  if (!a.reading()) return;
  counts_ = settled_;
  decided_ = false;
}

const GameAnswer& Learner::leader_of(const SeenOutcomes& record, std::size_t slot) const {
  // The answer is kept by the record, so a second question in the same round costs nothing and is not counted. +1: 0
  // stands for "never asked".
  if (counts_.leader_asked[slot] != record.rounds() + 1) {
    counts_.leader_asked[slot] = record.rounds() + 1;
    count(record.leader());
  }
  return record.leader();
}

void Learner::compare(const Decision& played, const GameAnswer& after, Step& step, double discount) {
  // The evidence of x_t with y_t included, without another search: its value before (discounted) plus its loss.
  const double stayed = discount * played.value + step.weight * step.loss;
  const double window = tie_window(after.value, after.unit);
  // x' was found by a search that may stop early: x_t itself may be better, and then it is x'.
  const bool worse = stayed < after.value - window;
  step.after = worse ? played.action : after.action;
  step.gap = worse || after.action == played.action ? 0.0 : std::max(0.0, stayed - after.value);
  // What x' may still be above the true minimum: the certificate adds it.
  step.left = std::max(0.0, std::min(stayed, after.value) - after.floor);
  if (step.left <= window) step.left = 0;
}

}  // namespace hannan::detail
