// `fpl` (Hutter, Poland): one exponential variable per action, x_t = argmin L_k - q_k / eps_t,
// eps_t = min{1, sqrt(ln K / (L*_{t-1} + 1))}.
//
// A yardstick on problems whose actions can be listed: not oracle-efficient. Cost O(K) a round.
#pragma once

#include <algorithm>
#include <vector>

#include "hannan/core/draw.hpp"
#include "hannan/core/learner.hpp"
#include "hannan/core/schedule.hpp"
#include "hannan/core/tolerance.hpp"

namespace hannan {

template <Enumerable P>
class Fpl final : public Learner<P> {
 public:
  using typename Learner<P>::Action;
  struct Parts {
    std::shared_ptr<const P> problem;
    std::shared_ptr<const AnyOracle<P>> oracle;
    Schedule schedule;
    Draw draw;  // K exponential variables
  };
  explicit Fpl(Parts parts)
      : Learner<P>(parts.problem, parts.oracle),
        schedule_(std::move(parts.schedule)),
        draw_(std::move(parts.draw)),
        totals_(parts.problem->size(), 0.0),
        q_(parts.problem->size()),
        objective_(parts.problem->size()) {}

 private:
  void decide(Decision<Action>& decision) const override {
    const double best = *std::min_element(totals_.begin(), totals_.end());
    const double eps = schedule_({.round = this->round(), .best = best});
    const std::uint64_t wanted = draw_.freshness == Freshness::kOnce ? 1 : this->round();
    if (wanted != drawn_) {
      draw_.fill(wanted, q_);
      drawn_ = wanted;
    }
    // eps = 0 only where K = 1: nothing to choose.
    for (std::size_t k = 0; k < totals_.size(); ++k) objective_[k] = totals_[k] - (eps > 0 ? q_[k] / eps : 0.0);
    const double least = *std::min_element(objective_.begin(), objective_.end());
    const auto first =
        std::find_if(objective_.begin(), objective_.end(), [&](double v) { return v <= least + tie_window(least); });
    set_action(this->problem(), static_cast<std::uint64_t>(first - objective_.begin()), decision.action);
    decision.eta = eps;
  }
  void settle(const Decision<Action>&, const typename P::Outcome& y, Step<Action>&) override {
    if constexpr (Accumulating<P>) {
      this->problem().accumulate(y, 1.0, totals_);
    } else {
      for (std::size_t k = 0; k < totals_.size(); ++k) totals_[k] += this->problem().loss(this->problem().action(k), y);
    }
  }
  void state(Archive& a) override { a.field("totals", totals_, kSavedLosses); }

  Schedule schedule_;
  Draw draw_;
  std::vector<double> totals_;
  mutable std::vector<double> q_;
  mutable std::vector<double> objective_;
  mutable std::uint64_t drawn_ = 0;
};

}  // namespace hannan
