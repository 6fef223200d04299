// flipflop: the rule of adaptive.hpp with two parts. Its bounds are run, exact, limit, measured, and the closed forms
// flipflop, flipflop2 and flipflop2_range (docs/theory.md, docs/theory-run.md).
#include <algorithm>
#include <limits>

#include "hannan/verify/rules/adaptive.hpp"

namespace hannan::detail {
namespace {

struct FlipFlop {
  static constexpr RuleFacts kFacts{.name = "flipflop",
                                    .noise = NoiseOn::kColumns,
                                    .perturbs = true,
                                    .certifies = true,
                                    .multiplies = true,
                                    .switches = true,
                                    .any_range = true,
                                    .by_context = true};
  FlipConstants constants;
  forms::GapOf gap = forms::GapOf::kMix;

  void read(Fields& in, RecordedSetting& s) {
    constants = read_flip_constants(in);
    gap = read_adaptive(in, s);
  }
  ExpectedBound closed_form(const RecordedSetting& s, const BoundFacts& f) const;
};

ExpectedBound FlipFlop::closed_form(const RecordedSetting& s, const BoundFacts& f) const {
  forms::FlipFlopTerms terms{.M = *f.noise_size,
                             .own = *s.noise.size,
                             .gamma = *s.noise.gamma,
                             .best = f.best,
                             .alone = f.leader_regret.value_or(std::numeric_limits<double>::infinity()),
                             .phi = constants.phi,
                             .a = constants.a};
  if (s.any_range) {
    // By L* of the losses less the least of their round.
    terms.best = std::max(0.0, f.best - f.ranges.least.value());
    terms.range = f.ranges.largest;
  }
  // The printed constants are those of the usual phi and a, rounded up.
  const bool usual = terms.own == terms.M && terms.phi == 2.37 && terms.a == 1.243;
  const char* name = s.any_range ? "flipflop2_range" : gap == forms::GapOf::kMix ? "flipflop2" : "flipflop";
  return {.name = name, .value = usual ? forms::flipflop_printed(terms, gap) : forms::flipflop_own(terms, gap)};
}

class FlipFlopRounds final : public AdaptiveRule {
 public:
  FlipFlopRounds(const RuleInput& in, const FlipFlop& own) : AdaptiveRule(in, own.gap, &own.constants), own_(own) {}

  BoundsLater bounds() const override {
    return [&s = setting(), &own = own_, sums = sums()](const BoundFacts& f) {
      const CertifiedFacts certified{s, f, sums};
      Bounds out;
      add_run_forms(certified, out);
      add_measured(certified, out);
      if (adapts_by_theorem(s, f)) out.push_back(own.closed_form(s, f));
      return out;
    };
  }

 private:
  const FlipFlop& own_;
};

}  // namespace

RuleRow flipflop_rule() { return rule_row<FlipFlop, FlipFlopRounds>(); }

}  // namespace hannan::detail
