// `leader`, follow the leader: x_t = argmin of the history. One oracle call a round.
//
// Its regret is exactly the sum of the mixability gaps f(x_t,y_t) - (L*_t - L*_{t-1}): constant on
// IID data with a gap, linear against an adversary (docs/theory.md, leader).
#pragma once

#include "hannan/game/learner.hpp"

namespace hannan::detail {

class Leader final : public Learner {
 public:
  using Learner::Learner;

 private:
  void decide(Decision& decision) const override;
  void settle(const Decision&, const AnyOutcome&, Step&) override {}
};

}  // namespace hannan::detail
