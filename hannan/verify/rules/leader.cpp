// leader: x_t = argmin L_{t-1}, one oracle call a round. Nothing is drawn, so its certificate `run` is the regret
// itself. Cost of a round: what a choice costs (round_rule.hpp).
#include <algorithm>

#include "hannan/verify/certificates.hpp"

namespace hannan::detail {
namespace {

class LeaderRounds final : public RoundRule {
 public:
  using RoundRule::RoundRule;
  // With looks it has what ada has: a multiplier, which is 0, its gaps and their sum.
  void read(Fields& in) override {
    if (!setting().looks) return RoundRule::read(in);
    read_decision(in);
    gap_ = in.number("gap", kNonnegative);
    stability_ = in.number("stability", kNonnegative);
  }
  void read_decision(Fields& in) override { claims().expect("multiplier", in.number("multiplier"), 0); }
  void decided(const RecordedRound& round) override {
    if (!setting().looks) expect_no_eta();
    Choice played = played_in(round);
    played.asked = !known_;
    expect_leader(played, recomputed());
    calls_ += known_ ? 0 : 1;
    known_ = false;
  }
  void observed(const RecordedRound& round) override {
    if (!setting().looks) return;
    if (round.best_before && round.best_after) {
      const double gap = weight_ * round.action_loss - (*round.best_after - *round.best_before);
      claims().expect_of_oracle("gap", gap_, std::clamp(gap, 0.0, most_gap()));
    } else {
      if (gap_ > most_gap()) claims().expect("gap", gap_, most_gap());
      ++claims().taken_over().gaps;
      derived_ = false;
    }
    gaps_ += gap_;
    claims().expect("stability", stability_, gaps_);
  }
  void skipped(const RecordedRound&) override { known_ = true; }
  LookSums look_sums() const override { return {.gaps = gaps_, .stability = gaps_, .known = derived_}; }
  std::uint64_t oracle_calls() const override { return calls_; }
  BoundsLater bounds() const override {
    return [](const BoundFacts& f) {
      return Bounds{{.name = "run", .value = f.total - f.floor, .kind = ExpectedBound::Kind::kRun}};
    };
  }
  void end(Fields& end, const BoundValues& values) const override {
    check_run_values(end, values, claims(), setting().certificates.delta);
  }

 private:
  double gap_ = 0, stability_ = 0, gaps_ = 0;
  bool known_ = false;   // the leader was asked for in a round without an outcome
  bool derived_ = true;  // every gap was
  std::uint64_t calls_ = 0;
};

struct Leader {
  static constexpr RuleFacts kFacts{
      .name = "leader", .certifies = true, .leads = true, .any_range = true, .by_context = true};
};

}  // namespace

RuleRow leader_rule() { return rule_row<Leader, LeaderRounds>(); }

}  // namespace hannan::detail
