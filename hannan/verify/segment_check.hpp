// The learner of one segment in a record of a run with contexts, followed as an ordinary run of its own: its rounds are
// the rounds of its segment, those that it watched before it played being its history.
#pragma once

#include <cstdint>
#include <memory>

#include "hannan/verify/drawn_noise.hpp"
#include "hannan/verify/recomputed_totals.hpp"
#include "hannan/verify/rules.hpp"

namespace hannan::detail {

// What all segments share. The noise is that of one segment at a time (DrawnNoise::play).
struct SegmentsInput {
  const RecordedSetting& setting;
  const ListedActions& list;
  DrawnNoise& noise;
  Claims& claims;
  KeepOutcomes keep;
  double most_work;
  SearchBudget* budget = nullptr;
};

class SegmentCheck {
 public:
  SegmentCheck(const SegmentsInput& in, const DrawnNoise::Segment& noise, std::uint64_t watched)
      : in_(in),
        noise_(noise),
        totals_(*in.setting.problem, in.list, {.oracle = in.setting.oracle, .keep = in.keep, .budget = in.budget}),
        rule_(in.setting.rule->make(
            {in.setting, in.list, totals_, in.noise, in.claims, in.keep, in.most_work, watched, in.budget})) {}

  // An outcome of before its first round.
  void watch(const AnyOutcome& outcome, std::span<const double> losses) { totals_.add(outcome, losses); }
  std::uint64_t rounds() const { return totals_.rounds(); }

  // A round; `r` has what the line says, the outcome and its losses.
  void round(RecordedRound& r) {
    in_.noise.play(noise_);
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
    if (in_.list.listed()) return totals_.least();
    if (totals_.rounds() == 0) return 0.0;
    if (!totals_.looks(totals_.rounds()) || !totals_.search().proven) return std::nullopt;
    return totals_.search().value;
  }

  const SegmentsInput& in_;
  DrawnNoise::Segment noise_;
  RecomputedTotals totals_;
  std::unique_ptr<RoundRule> rule_;
};

}  // namespace hannan::detail
