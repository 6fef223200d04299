// fpl: eps_t = min{1, sqrt(ln K / (L*_{t-1} + 1))} and x_t = argmin L_k - q_k / eps_t, q an exponential for each
// action. Cost of a round: a pass over the actions.
#include <algorithm>
#include <cmath>

#include "hannan/verify/round_rule.hpp"

namespace hannan::detail {
namespace {

class FplRounds final : public RoundRule {
 public:
  using RoundRule::RoundRule;
  void decided(const RecordedRound& round) override {
    if (!eta_) claims().reject("eta", "found null, expected a number");
    claims().expect("eta", *eta_, std::min(1.0, std::sqrt(setting().ln_size / (*round.best_before + 1))));
    // eta = 0 only where there is one action.
    expect_perturbed(played_in(round), {recomputed(), round.t, *eta_ > 0 ? -1 / *eta_ : 0.0});
  }
  std::uint64_t oracle_calls() const override { return 0; }
};

struct Fpl {
  static constexpr RuleFacts kFacts{.name = "fpl", .noise = NoiseOn::kActions, .rated = true, .lists = true};
  void read(Fields&, RecordedSetting& s) { s.noise.law = DrawnLaw::exponential(); }
};

}  // namespace

RuleRow fpl_rule() { return rule_row<Fpl, FplRounds>(); }

}  // namespace hannan::detail
