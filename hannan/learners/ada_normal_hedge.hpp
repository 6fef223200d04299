// `adanormalhedge`: weights without a rate (learners/normal_weights.hpp), on problems whose actions can be listed.
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "hannan/core/keyed_random.hpp"
#include "hannan/game/learner.hpp"
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

class AdaNormalHedge final : public Learner {
 public:
  struct Parts {
    std::shared_ptr<const Game> problem;
    std::shared_ptr<const GameOracle> oracle;
    Key key;
  };
  explicit AdaNormalHedge(const Parts& parts)
      : Learner(parts.problem, parts.oracle),
        key_(parts.key),
        weights_(parts.problem->size()),
        losses_(parts.problem->size()) {}

  std::span<const double> weights() const override {
    act();
    return weights_.weights();
  }

 private:
  void decide(Decision& decision) const override;
  void settle(const Decision&, const AnyOutcome& y, Step& step) override;
  void state(Archive& a) override;

  Key key_;
  mutable NormalWeights weights_;  // the weights are a function of the round
  std::vector<double> losses_;
};

}  // namespace hannan::detail
