// A learner that sees the losses of the elements of its own action, in every round, and no others (docs/partial.md): of
// the edges that were taken, of the expert that was followed. learners/resampled_ada.hpp has the rule.
//
// Figures are in losses of elements; the report also gives them over the problem's normaliser. The own total is seen;
// regret and L* are not.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "hannan/learners/learner_maker.hpp"
#include "hannan/learners/resampled_ada.hpp"
#include "hannan/runtime/part_learner.hpp"

namespace hannan::detail {

class ElementsLearner final : public PartLearner {
 public:
  ElementsLearner(std::shared_ptr<const Game> game, LearnerParams params);

  std::uint64_t rounds() const override { return learner_.rounds(); }
  const Round& act() override;
  const Round& observe(const Seen& seen) override;
  void check_seen(const Seen& seen) override { expect(seen); }
  // {"seen": [l, ...]}, a loss for each element of the action.
  Seen read_seen(Fields& in) override;
  Seen shown(const AnyOutcome& y) override;
  // In losses of elements: an oracle call.
  double limit() { return learner_.limit(); }
  RunView said_of_regret() override;

  RunFacts facts() override;
  Json report() override;

 protected:
  void archive(Archive& a) override { learner_.archive(a); }

 private:
  void expect(const Seen& seen);
  ResampledAda::Parts parts();

  LearnerMaker maker_;
  ResampledAda learner_;
  ElementRound elements_;
  std::vector<double> seen_;  // the buffer of what was read, and of what is shown
};

}  // namespace hannan::detail
