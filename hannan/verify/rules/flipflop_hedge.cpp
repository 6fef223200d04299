// flipflop-hedge: the rule of exponential.hpp with two parts. Awake it has no bound; with experts that sleep no one is
// ahead by more than D_flip + (2 + phi/(phi-1)) D_flop (docs/theory.md).
#include "hannan/verify/rules/adaptive.hpp"
#include "hannan/verify/rules/exponential.hpp"

namespace hannan::detail {
namespace {

struct FlipFlopHedge {
  static constexpr RuleFacts kFacts{
      .name = "flipflop-hedge", .rated = true, .switches = true, .lists = true, .mixes = true, .sleeps = true};
  FlipConstants constants;

  void read(Fields& in, RecordedSetting&) { constants = read_flip_constants(in); }
};

class FlipFlopHedgeRounds final : public SelfTunedRule {
 public:
  FlipFlopHedgeRounds(const RuleInput& in, const FlipFlopHedge& own) : SelfTunedRule(in, &own.constants), own_(own) {}

  BoundsLater bounds() const override {
    if (!asleep()) return {};
    const double phi = own_.constants.phi, bound = flip() + (2 + phi / (phi - 1)) * cost();
    return [bound](const BoundFacts&) {
      return Bounds{{.name = "sleeping", .value = bound, .covers = ExpectedBound::Covers::kRun}};
    };
  }

 private:
  const FlipFlopHedge& own_;
};

}  // namespace

RuleRow flipflop_hedge_rule() { return rule_row<FlipFlopHedge, FlipFlopHedgeRounds>(); }

}  // namespace hannan::detail
