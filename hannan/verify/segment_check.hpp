// The learner of one segment in a record of a run with contexts, followed as an ordinary run of its own: its rounds are
// the rounds of its segment, those that it watched before it played being its history.
#pragma once

#include <cstdint>
#include <memory>

#include "hannan/verify/round_rule.hpp"

namespace hannan::detail {

class SegmentCheck {
 public:
  // The noise is that of one segment at a time (DrawnNoise::play).
  SegmentCheck(RecordState& record, const DrawnNoise::Segment& noise, std::uint64_t watched)
      : record_(record),
        noise_(noise),
        totals_(*record.setting.problem, record.list, record.totals()),
        rule_(record.setting.rule->make({record, totals_, Row::kNode, watched})) {}

  // An outcome of before its first round.
  void watch(const AnyOutcome& outcome, std::span<const double> losses) { totals_.add(outcome, losses); }

  // What a node of a line says of its choice.
  void read(Fields& in) { rule_->read(in); }
  // A round; `r` has the action, the outcome and its losses.
  void round(RecordedRound& r) {
    record_.noise.play(noise_);
    r.t = totals_.rounds() + 1;
    r.best_before = best();
    rule_->decided(r);
    totals_.add(*r.outcome, r.losses);
    r.best_after = best();
    rule_->observed(r);
  }

  const RecomputedTotals& totals() const { return totals_; }
  std::uint64_t oracle_calls() const { return rule_->oracle_calls(); }

 private:
  // Lines of such a run do not record it: searched for where actions are not listed, while there is work left.
  std::optional<double> best() const {
    if (record_.list.listed()) return totals_.least();
    if (totals_.rounds() == 0) return 0.0;
    if (!totals_.looks(totals_.rounds()) || !totals_.search().proven) return std::nullopt;
    return totals_.search().value;
  }

  RecordState& record_;
  DrawnNoise::Segment noise_;
  RecomputedTotals totals_;
  std::unique_ptr<RoundRule> rule_;
};

}  // namespace hannan::detail
