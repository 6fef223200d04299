// `@name@`: follows the leader, x_t = argmin of the history. Put your own rule in its place.
//
// One oracle call a round. decide() chooses the action of the round from what was seen; settle() sees the outcome after it was
// added to the history. What must survive `hannan run --save` beyond the history goes through state(), as in learners/ada.hpp.
#pragma once

#include "hannan/core/learner.hpp"

namespace hannan::detail {

template <class P>
class @Type@ final : public Learner<P> {
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

}  // namespace hannan::detail
