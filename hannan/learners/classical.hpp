// The classical perturbed leader: x_t = argmin of history + noise_t, noise of a fixed size.
//
// With uniform columns it is `uniform-gftpl` (Dudik et al., U[0,beta]^N); with every outcome of a
// small set as a column and geometric weights it is `fake-data` (Daskalakis, Syrgkanis). References:
// both are tuned to the number of rounds and do not adapt. One oracle call a round.
#pragma once

#include "hannan/game/learner.hpp"
#include "hannan/game/perturber.hpp"

namespace hannan::detail {

class Classical final : public Learner {
 public:
  struct Parts {
    std::shared_ptr<const Game> problem;
    std::shared_ptr<const GameOracle> oracle;
    Perturber perturber;
  };
  explicit Classical(Parts parts) : Learner(parts.problem, parts.oracle), perturber_(std::move(parts.perturber)) {}

 private:
  void decide(Decision& decision) const override;
  void settle(const Decision&, const AnyOutcome&, Step&) override {}

  mutable Perturber perturber_;
};

}  // namespace hannan::detail
