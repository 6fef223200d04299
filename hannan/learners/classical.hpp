// The classical perturbed leader: x_t = argmin of history + noise_t, noise of a fixed size.
//
// With uniform columns it is `uniform-gftpl` (Dudik et al., U[0,beta]^N); with every outcome of a
// small set as a column and geometric weights it is `fake-data` (Daskalakis, Syrgkanis). Yardsticks:
// both are tuned to the number of rounds and do not adapt. One oracle call a round.
#pragma once

#include "hannan/core/learner.hpp"
#include "hannan/core/perturber.hpp"

namespace hannan {

template <class P>
class Classical final : public Learner<P> {
 public:
  using typename Learner<P>::Action;
  struct Parts {
    std::shared_ptr<const P> problem;
    std::shared_ptr<const AnyOracle<P>> oracle;
    Perturber<P> perturber;
  };
  explicit Classical(Parts parts) : Learner<P>(parts.problem, parts.oracle), perturber_(std::move(parts.perturber)) {}

 private:
  void decide(Decision<Action>& decision) const override {
    const auto& play = this->ask(this->seen(), perturber_.at(this->round()), 1.0);
    this->played_with_gap(play.gap());
    decision.action = play.action;
  }
  void settle(const Decision<Action>&, const typename P::Outcome&, Step<Action>&) override {}

  mutable Perturber<P> perturber_;
};

}  // namespace hannan
