// `ada`, AdaFPL: the noise multiplier is what the noise has had to pay for so far.
//
//   x_t  = argmin of history + z_t * noise_t
//   x'_t = the same with y_t included
//   S_t  = sum of the gaps of the rounds up to t,   z_{t+1} = S_t / M,   z_1 = 0.
//
// The gap of a round is by the rule `mix` how much better x' is than x with y_t included, noise and all
// (docs/theory-run.md, mix_gap), by the older rule `loss` f(x_t,y_t) - f(x'_t,y_t), which is never smaller.
//
// With `discount` beta < 1, for data that drifts, rounds of age i count beta^i: in units of the present round
//   x'_t = argmin of beta (history + z_t * noise_t) + f(., y_t),   S_t = beta S_{t-1} + the gap,
// and the discounted regret has a bound of its own (docs/theory-run.md, discounted).
//
// Needs neither gamma nor c, and never the unperturbed leader. Regret at most 2 sqrt(gamma M L*) + 4 gamma M + 2
// (docs/theory-run.md, ada2), by the rule `loss` 2 sqrt(2 gamma M L*) + 8 gamma M + 2 (docs/theory.md, ada).
// Two oracle calls a round.
#pragma once

#include <algorithm>

#include "hannan/game/gap_rule.hpp"
#include "hannan/game/learner.hpp"
#include "hannan/game/perturber.hpp"

namespace hannan::detail {

class Ada final : public Learner {
 public:
  struct Parts {
    std::shared_ptr<const Game> problem;
    std::shared_ptr<const GameOracle> oracle;
    Perturber perturber;
    double noise_size;  // M; 0 where there is nothing to perturb
    GapRule gap = GapRule::kMix;
    double discount = 1;  // below 1: an oracle that scales(), and the rule kMix
  };
  explicit Ada(Parts parts)
      : Learner(parts.problem, parts.oracle, parts.discount),
        perturber_(std::move(parts.perturber)),
        noise_size_(parts.noise_size),
        rule_(parts.gap) {}

  const RoundNoise* round_noise() const override { return &perturber_.at(round()); }

 private:
  void decide(Decision& decision) const override;
  void settle(const Decision& played, const AnyOutcome& y, Step& step) override;
  void state(Archive& a) override { a.field("stability", stability_, kSavedNonnegative); }

  mutable Perturber perturber_;
  double noise_size_;
  GapRule rule_;
  double stability_ = 0;  // S
};

}  // namespace hannan::detail
