// `adanormalhedge` on problems whose actions are always there; where they sleep, runtime/ drives the same weights
// (normal_weights.cpp). The reported loss is that of the mixture, as for Hedge. Cost: O(K) a round.
#include "hannan/learners/ada_normal_hedge.hpp"

#include <algorithm>
#include <memory>

#include "hannan/learners/learner_maker.hpp"
#include "hannan/learners/rows.hpp"

namespace hannan::detail {

void AdaNormalHedge::decide(Decision& decision) const {
  weights_.set_awake({});
  const double u = KeyedRandom(key_, Purpose::kMixture, round()).uniform(0);
  problem().set_action(sampled_action(weights_.weights(), u), decision.action);
}

void AdaNormalHedge::settle(const Decision&, const AnyOutcome& y, Step& step) {
  std::fill(losses_.begin(), losses_.end(), 0.0);
  problem().accumulate(y, 1.0, losses_);
  step.loss = weights_.charge(losses_);
}

void AdaNormalHedge::state(Archive& a) {
  a.open("normal");
  weights_.archive(a);
  a.close();
}

namespace {

struct AdaNormalHedgeRow final : LearnerOptions {
  static constexpr LearnerFacts kFacts{
      .name = "adanormalhedge", .about = "weights without a rate; for experts that sleep much", .params = ""};

  std::unique_ptr<Learner> make(LearnerMaker& parts) const {
    // Called for its check: the actions must be numbered and at most 10^7.
    parts.listed_ln_size();
    return std::make_unique<AdaNormalHedge>(AdaNormalHedge::Parts{parts.game(), parts.oracle(), parts.params().key});
  }
};

}  // namespace

LearnerKind adanormalhedge_row() { return learner_row<AdaNormalHedgeRow>(); }

}  // namespace hannan::detail
