// `gftpl`, generalised follow the perturbed leader with a small-loss rate (Algorithms 1, 2 and 4).
//
//   x_t = argmin of history + (1/eta_t) * noise_t,   eta_t from the schedule and L*_{t-1}.
//
// Regret: docs/theory.md, trajectory, thm1_tight, thm1_simple. Two oracle calls a round: x_t and L*.
#pragma once

#include "hannan/core/learner.hpp"
#include "hannan/core/perturber.hpp"
#include "hannan/core/schedule.hpp"

namespace hannan {

template <class P>
class Gftpl final : public Learner<P> {
 public:
  using typename Learner<P>::Action;
  struct Parts {
    std::shared_ptr<const P> problem;
    std::shared_ptr<const AnyOracle<P>> oracle;
    Perturber<P> perturber;
    Schedule schedule;
    bool certified = false;  // x' is asked for too, for the certificate of the run: one call more, not counted
  };
  explicit Gftpl(Parts parts)
      : Learner<P>(parts.problem, parts.oracle),
        perturber_(std::move(parts.perturber)),
        schedule_(std::move(parts.schedule)),
        certified_(parts.certified) {}

  const RoundNoise<P>* round_noise() const override { return &perturber_.at(this->round()); }

 private:
  void decide(Decision<Action>& decision) const override {
    const double best = this->rounds() == 0 ? 0.0 : this->leader().value;
    const double eta = schedule_({.round = this->round(), .best = best});
    const auto& play = this->ask(this->seen(), perturber_.at(this->round()), 1 / eta);
    this->played_with_gap(play.gap());
    decision.action = play.action;
    decision.eta = eta;
    decision.value = play.value;
    decision.left = play.gap();
  }
  void settle(const Decision<Action>& played, const typename P::Outcome&, Step<Action>& step) override {
    if (!certified_) return;
    this->compare(played, this->ask_uncounted(perturber_.at(this->rounds()), played.noise_scale()), step);
    step.after.reset();  // part of the certificate, not of the learner
  }

  mutable Perturber<P> perturber_;  // holds the round's noise: a function of the round
  Schedule schedule_;
  bool certified_;
};

}  // namespace hannan
