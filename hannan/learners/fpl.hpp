// `fpl` (Hutter, Poland): one exponential variable per action, x_t = argmin L_k - q_k / eps_t,
// eps_t = min{1, sqrt(ln K / (L*_{t-1} + 1))}.
//
// A reference on problems whose actions can be listed: not oracle-efficient. Cost O(K) a round.
#pragma once

#include <algorithm>
#include <vector>

#include "hannan/core/noise.hpp"
#include "hannan/core/tolerance.hpp"
#include "hannan/game/learner.hpp"
#include "hannan/schedules/schedules.hpp"

namespace hannan::detail {

class Fpl final : public Learner {
 public:
  struct Parts {
    std::shared_ptr<const Game> problem;
    std::shared_ptr<const GameOracle> oracle;
    Schedule schedule;
    Draw draw;  // K exponential variables
  };
  explicit Fpl(Parts parts)
      : Learner(parts.problem, parts.oracle),
        schedule_(std::move(parts.schedule)),
        draw_(std::move(parts.draw)),
        totals_(parts.problem->size(), 0.0),
        q_(parts.problem->size()),
        objective_(parts.problem->size()) {}

 private:
  void decide(Decision& decision) const override;
  void settle(const Decision&, const AnyOutcome& y, Step&) override;
  void state(Archive& a) override { a.field("totals", totals_, kSavedLosses); }

  Schedule schedule_;
  Draw draw_;
  std::vector<double> totals_;
  mutable std::vector<double> q_;
  mutable std::vector<double> objective_;
  mutable std::uint64_t drawn_ = 0;
};

}  // namespace hannan::detail
