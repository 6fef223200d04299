// adahedge: the rule of exponential.hpp with one part. Its regret is at most 2 Delta on every path; with experts that
// sleep that holds against each of them, and so does sqrt(ln K sum r_t^2) + 2 r, r_t the range of round t among those
// awake and r the largest (docs/theory.md).
#include <cmath>

#include "hannan/verify/rules/exponential.hpp"

namespace hannan::detail {
namespace {

class AdaHedgeRounds final : public SelfTunedRule {
 public:
  using SelfTunedRule::SelfTunedRule;
  BoundsLater bounds() const override {
    return
        [bound = 2 * cost(), ln_size = setting().ln_size, sleep = asleep() != nullptr](const BoundFacts& f) -> Bounds {
          constexpr auto kRun = ExpectedBound::Covers::kRun;
          if (!sleep) return {{.name = "adahedge", .value = bound, .covers = kRun}};
          const double closed = std::sqrt(ln_size * f.ranges.squares) + 2 * f.ranges.largest;
          return {{.name = "sleeping", .value = bound, .covers = kRun},
                  {.name = "sleeping_closed", .value = closed, .covers = kRun}};
        };
  }
};

struct AdaHedge {
  static constexpr RuleFacts kFacts{.name = "adahedge", .rated = true, .lists = true, .mixes = true, .sleeps = true};
};

}  // namespace

RuleRow adahedge_rule() { return rule_row<AdaHedge, AdaHedgeRounds>(); }

}  // namespace hannan::detail
