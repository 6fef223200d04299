// `gftpl`, generalised follow the perturbed leader with a small-loss rate (Algorithms 1, 2 and 4).
//
//   x_t = argmin of history + (1/eta_t) * noise_t,   eta_t from the schedule and L*_{t-1}.
//
// Regret: docs/theory.md, trajectory, thm1_tight, thm1_simple. Two oracle calls a round: x_t and L*.
#pragma once

#include "hannan/game/learner.hpp"
#include "hannan/game/perturber.hpp"
#include "hannan/schedules/schedules.hpp"

namespace hannan::detail {

class Gftpl final : public Learner {
 public:
  struct Parts {
    std::shared_ptr<const Game> problem;
    std::shared_ptr<const GameOracle> oracle;
    Perturber perturber;
    Schedule schedule;
    bool certified = false;  // x' is asked for too, for the certificate of the run: one call more, not counted
  };
  explicit Gftpl(Parts parts)
      : Learner(parts.problem, parts.oracle),
        perturber_(std::move(parts.perturber)),
        schedule_(std::move(parts.schedule)),
        certified_(parts.certified) {}

  const RoundNoise* round_noise() const override { return &perturber_.at(round()); }

 private:
  void decide(Decision& decision) const override;
  void settle(const Decision& played, const AnyOutcome&, Step& step) override;

  mutable Perturber perturber_;  // holds the round's noise: a function of the round
  Schedule schedule_;
  bool certified_;
};

}  // namespace hannan::detail
