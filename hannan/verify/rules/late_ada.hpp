// ada with outcomes that come late (docs/theory-run.md, "Outcomes that come late"): a round is decided by what has
// arrived, and settled once its outcome and all earlier ones are there.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "hannan/verify/round_rule.hpp"

namespace hannan::detail {

// Of a run whose outcomes came late.
struct DelaySums {
  std::uint64_t played = 0;         // rounds that were opened
  std::uint64_t missing = 0;        // the most earlier outcomes that had not arrived when a round was opened
  std::uint64_t missing_total = 0;  // their sum over rounds
  std::uint64_t open = 0;           // the most earlier rounds that were not settled
};

// A round that was opened and is not settled.
struct OpenRound {
  Json action;
  std::optional<std::size_t> index;  // of the action, where actions are listed
  double multiplier = 0;
  std::uint64_t missing = 0;  // earlier outcomes when it was opened
  bool arrived = false;
  AnyOutcome outcome;
  double loss = 0;
};

class LateAdaRule final : public RoundRule {
 public:
  // Both outlive the rule.
  LateAdaRule(const RuleInput& in, const DelaySums& delays) : RoundRule(in), delays_(delays) {}

  void read(Fields& in) override { multiplier_ = in.number("multiplier", kNonnegative); }
  void decided(const RecordedRound& round) override;
  double multiplier() const { return multiplier_; }
  // An oracle is asked for x of every round and for x' of every settled one.
  std::uint64_t oracle_calls() const override { return calls_; }

  struct Settled {
    std::uint64_t t;
    const OpenRound& round;
    const RecomputedTotals& on;  // with the outcome of the round
    std::span<const double> losses;
  };
  // The gap of the round: the mix gap where no earlier outcome was missing, otherwise max(0, f(x,y) - f(x',y)).
  void settled(double gap, const Settled& at);
  // S of the settled rounds; a recorded value that was held against it takes its place.
  double stability() const { return stability_; }
  void take_stability(double recorded) { stability_ = recorded; }

  BoundsLater bounds() const override;
  void end(Fields& end, const BoundValues& values) const override;

 private:
  void check_mix(double found, const Settled& at) const;
  void check_late(double found, const Settled& at) const;
  void check_searched(double found, const Settled& at) const;

  const DelaySums& delays_;
  double multiplier_ = 0;  // of the line
  double stability_ = 0;
  double last_ = 0;  // the multiplier of the last settled round
  std::uint64_t calls_ = 0;
};

}  // namespace hannan::detail
