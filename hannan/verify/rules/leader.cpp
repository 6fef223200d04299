// leader: x_t = argmin L_{t-1}, one oracle call a round. Nothing is drawn, so its certificate `run` is the regret
// itself. Cost of a round: what a choice costs (round_rule.hpp).
#include "hannan/verify/certificates.hpp"

namespace hannan::detail {
namespace {

class LeaderRounds final : public RoundRule {
 public:
  using RoundRule::RoundRule;
  void decided(const RecordedRound& round) override {
    expect_no_eta();
    expect_leader(played_in(round), recomputed());
  }
  std::uint64_t oracle_calls() const override { return played(); }
  BoundsLater bounds() const override {
    return [](const BoundFacts& f) {
      return Bounds{{.name = "run", .value = f.total - f.floor, .kind = ExpectedBound::Kind::kRun}};
    };
  }
  void end(Fields& end, const BoundValues& values) const override {
    check_run_values(end, values, claims(), setting().certificates.delta);
  }
};

struct Leader {
  static constexpr RuleFacts kFacts{
      .name = "leader", .certifies = true, .leads = true, .any_range = true, .by_context = true};
};

}  // namespace

RuleRow leader_rule() { return rule_row<Leader, LeaderRounds>(); }

}  // namespace hannan::detail
