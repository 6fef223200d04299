// What the checks of all kinds of records have: the header, the actions as far as they are listed, the noise drawn
// again, the work that searches may cost, and the outcome of the line that is read.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "hannan/verify/claims.hpp"
#include "hannan/verify/drawn_noise.hpp"
#include "hannan/verify/setting.hpp"
#include "hannan/verify/verifier.hpp"

namespace hannan::detail {

// What a round of every learner has, and what follows from it alone.
struct RecordedRound {
  std::uint64_t t = 0;
  Json action;
  std::optional<std::size_t> index;  // of the action, where actions are listed; none where no expert is awake
  const AnyOutcome* outcome = nullptr;
  std::span<const double> losses;       // of every action, where they are listed; NaN for experts asleep
  double loss = 0;                      // as recorded
  double action_loss = 0;               // of the action against the outcome
  std::optional<double> best_before;    // L* before and after the round: our own where actions are
  std::optional<double> best_after;     // listed, otherwise as recorded, if it was
  std::optional<double> recorded_best;  // L* after the round, as it was recorded
};

// Views of it are kept: it stays where it is.
class RecordState {
 public:
  // The claims outlive it.
  RecordState(RecordedSetting s, Claims& complaints, const VerifyLimits& most);
  RecordState(const RecordState&) = delete;

  const RecordedSetting setting;
  Claims& claims;
  const VerifyLimits limits;
  ListedActions list;
  DrawnNoise noise;
  SearchBudget budget;
  AnyOutcome outcome;
  std::optional<bool> reward;  // the unit of raw numbers, once a round has told

  // Totals of all actions, all segments of a context together, that are kept: about a gigabyte.
  static constexpr double kMostCells = 5e7;

  // For totals of outcomes.
  RecomputedTotals::Setting totals(double discount = 1);
  // After so many rounds there may be too many actions to be listed: then choices are searched for from here on.
  // Learners that keep a number per action are followed as far as they go.
  void limit_work(double rounds);

  void read_outcome(Fields& in) { setting.problem->read_outcome(in.need("outcome"), "outcome", outcome); }
  // Of all actions; empty where they are not listed. Valid until the next call.
  std::span<const double> losses_of(const AnyOutcome& y);
  // Fills in the place and the loss of r.action.
  void score(RecordedRound& r, const AnyOutcome& y);
  // Is L* recorded after so many rounds? Rejects a value where it is not, and null where it is.
  bool tracked(const Json& best, std::uint64_t rounds) const;

 private:
  bool may_give_up() const { return !setting.facts().lists && list.size() > limits.always; }
  KeepOutcomes keep() const;

  std::vector<double> losses_;
};

}  // namespace hannan::detail
