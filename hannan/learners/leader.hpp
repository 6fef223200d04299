// `leader`, follow the leader: x_t = argmin of the history. One oracle call a round.
//
// Its regret is exactly the sum of the mixability gaps f(x_t,y_t) - (L*_t - L*_{t-1}): constant on
// IID data with a gap, linear against an adversary (docs/theory.md, leader).
#pragma once

#include "hannan/core/learner.hpp"

namespace hannan {

template <class P>
class Leader final : public Learner<P> {
 public:
  using typename Learner<P>::Action;
  using Learner<P>::Learner;

 private:
  void decide(Decision<Action>& decision) const override {
    const auto& lead = this->leader();
    this->played_with_gap(lead.gap());
    decision.action = lead.action;
  }
  void settle(const Decision<Action>&, const typename P::Outcome&, Step<Action>&) override {}
};

}  // namespace hannan
