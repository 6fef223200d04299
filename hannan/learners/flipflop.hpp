// `flipflop`, FlipFlop-FPL, the default: the leader while it is cheap, AdaFPL when it is not, both
// on the full history.
//
//   flip: x_t = leader,               D_flip += f(x_t,y_t) - (L*_t - L*_{t-1})
//   flop: x_t with z = D_flop / M,    D_flop += the gap of the round, as in ada.hpp
//   leave flip when D_flip > (phi/a) D_flop, leave flop when D_flop > a D_flip.
//
// Regret at most min{5.64 U_leader + 3.73, 5.64 sqrt(gamma M (L*+1)) + 32 gamma M + 6.64} with U_leader the regret of
// the leader run alone (docs/theory-run.md, flipflop2; for the rule `loss` docs/theory.md, flipflop). Two oracle calls
// a round.
#pragma once

#include <algorithm>

#include "hannan/core/learner_options.hpp"
#include "hannan/core/tolerance.hpp"
#include "hannan/game/gap_rule.hpp"
#include "hannan/game/learner.hpp"
#include "hannan/game/perturber.hpp"

namespace hannan::detail {

class FlipFlop final : public Learner {
 public:
  struct Parts {
    std::shared_ptr<const Game> problem;
    std::shared_ptr<const GameOracle> oracle;
    Perturber perturber;
    double noise_size;  // M
    FlipFlopConstants constants;
    GapRule gap = GapRule::kMix;
  };
  explicit FlipFlop(Parts parts)
      : Learner(parts.problem, parts.oracle),
        perturber_(std::move(parts.perturber)),
        noise_size_(parts.noise_size),
        constants_(parts.constants),
        rule_(parts.gap) {}

  const RoundNoise* round_noise() const override { return &perturber_.at(round()); }

 private:
  enum class Regime { kFlip, kFlop };

  void decide(Decision& decision) const override;

  void settle(const Decision& played, const AnyOutcome& y, Step& step) override;
  void state(Archive& a) override;

  mutable Perturber perturber_;
  double noise_size_;
  FlipFlopConstants constants_;
  GapRule rule_;
  Regime regime_ = Regime::kFlip;
  double flip_ = 0;
  double flop_ = 0;
};

}  // namespace hannan::detail
