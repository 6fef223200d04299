// `ada`, AdaFPL: the noise multiplier is what the noise has had to pay for so far.
//
//   x_t  = argmin of history + z_t * noise_t
//   x'_t = the same with y_t included
//   S_t  = sum over s <= t of f(x_s,y_s) - f(x'_s,y_s),   z_{t+1} = S_t / M,   z_1 = 0.
//
// Needs neither gamma nor c, and never the unperturbed leader. Regret at most
// 2 sqrt(2 gamma M L*) + 8 gamma M + 2 (docs/theory.md, ada). Two oracle calls a round.
#pragma once

#include <algorithm>

#include "hannan/core/learner.hpp"
#include "hannan/core/perturber.hpp"

namespace hannan {

template <class P>
class Ada final : public Learner<P> {
 public:
  using typename Learner<P>::Action;
  struct Parts {
    std::shared_ptr<const P> problem;
    std::shared_ptr<const AnyOracle<P>> oracle;
    Perturber<P> perturber;
    double noise_size;  // M; 0 where there is nothing to perturb
  };
  explicit Ada(Parts parts)
      : Learner<P>(parts.problem, parts.oracle),
        perturber_(std::move(parts.perturber)),
        noise_size_(parts.noise_size) {}

 private:
  void decide(Decision<Action>& decision) const override {
    const double z = noise_size_ > 0 ? stability_ / noise_size_ : 0.0;
    const auto& play = this->ask(this->seen(), perturber_.at(this->round()), z);
    this->played_with_gap(play.gap());
    decision.action = play.action;
    decision.multiplier = z;
  }
  void settle(const Decision<Action>& played, const typename P::Outcome& y, Step<Action>& step) override {
    // seen() already holds y_t, so the round that was decided is rounds().
    const auto& after = this->ask(this->seen(), perturber_.at(this->rounds()), *played.multiplier);
    this->played_with_gap(after.gap());
    // In [0,1] for an exact oracle; an inexact one must not lower the multiplier.
    stability_ += std::clamp(step.loss - this->problem().loss(after.action, y), 0.0, 1.0);
    step.after = after.action;
    step.stability = {1, {stability_, 0}};
  }
  void state(Archive& a) override { a.field("stability", stability_, kSavedNonnegative); }

  mutable Perturber<P> perturber_;
  double noise_size_;
  double stability_ = 0;  // S
};

}  // namespace hannan
