// `adanormalhedge`: weights without a rate (learners/normal_weights.hpp), on problems whose actions can be listed.
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "hannan/core/keyed_random.hpp"
#include "hannan/core/learner.hpp"
#include "hannan/learners/normal_weights.hpp"

namespace hannan::detail {

// The action at quantile u of the weights.
inline std::size_t sampled_action(std::span<const double> weights, double u) {
  double below = 0;
  std::size_t last = 0;
  for (std::size_t k = 0; k < weights.size(); ++k) {
    if (weights[k] == 0) continue;
    last = k;
    below += weights[k];
    if (u < below) return k;
  }
  return last;  // rounding left the sum just below one
}

template <Enumerable P>
class AdaNormalHedge final : public Learner<P> {
 public:
  using typename Learner<P>::Action;
  struct Parts {
    std::shared_ptr<const P> problem;
    std::shared_ptr<const AnyOracle<P>> oracle;
    Key key;
  };
  explicit AdaNormalHedge(Parts parts)
      : Learner<P>(parts.problem, parts.oracle),
        key_(parts.key),
        weights_(parts.problem->size()),
        losses_(parts.problem->size()) {}

  std::span<const double> weights() const override {
    this->act();
    return weights_.weights();
  }

 private:
  void decide(Decision<Action>& decision) const override {
    weights_.set_awake({});
    const double u = KeyedRandom(key_, Purpose::kMixture, this->round()).uniform(0);
    set_action(this->problem(), sampled_action(weights_.weights(), u), decision.action);
  }
  void settle(const Decision<Action>&, const typename P::Outcome& y, Step<Action>& step) override {
    if constexpr (Accumulating<P>) {
      std::fill(losses_.begin(), losses_.end(), 0.0);
      this->problem().accumulate(y, 1.0, losses_);
    } else {
      for (std::size_t k = 0; k < losses_.size(); ++k) losses_[k] = this->problem().loss(this->problem().action(k), y);
    }
    step.loss = weights_.charge(losses_);
  }
  void state(Archive& a) override {
    a.open("normal");
    weights_.archive(a);
    a.close();
  }

  Key key_;
  mutable NormalWeights weights_;  // the weights are a function of the round
  std::vector<double> losses_;
};

}  // namespace hannan::detail
