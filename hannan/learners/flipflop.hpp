// `flipflop`, FlipFlop-FPL, the default: the leader while it is cheap, AdaFPL when it is not, both
// on the full history.
//
//   flip: x_t = leader,               D_flip += f(x_t,y_t) - (L*_t - L*_{t-1})
//   flop: x_t with z = D_flop / M,    D_flop += f(x_t,y_t) - f(x'_t,y_t)
//   leave flip when D_flip > (phi/a) D_flop, leave flop when D_flop > a D_flip.
//
// Regret at most min{5.64 U_leader + 3.73, 5.64 sqrt(2 gamma M (L*+1)) + 64 gamma M + 7} with
// U_leader the regret of the leader run alone (docs/theory.md, flipflop). Two oracle calls a round.
#pragma once

#include <algorithm>

#include "hannan/core/learner.hpp"
#include "hannan/core/perturber.hpp"
#include "hannan/core/tolerance.hpp"

namespace hannan {

struct FlipFlopConstants {
  double phi = 2.37;
  double a = 1.243;
};

template <class P>
class FlipFlop final : public Learner<P> {
 public:
  using typename Learner<P>::Action;
  struct Parts {
    std::shared_ptr<const P> problem;
    std::shared_ptr<const AnyOracle<P>> oracle;
    Perturber<P> perturber;
    double noise_size;  // M
    FlipFlopConstants constants;
  };
  explicit FlipFlop(Parts parts)
      : Learner<P>(parts.problem, parts.oracle),
        perturber_(std::move(parts.perturber)),
        noise_size_(parts.noise_size),
        constants_(parts.constants) {}

 private:
  enum class Regime { kFlip, kFlop };

  void decide(Decision<Action>& decision) const override {
    if (regime_ == Regime::kFlip) {
      const auto& lead = this->leader();
      best_before_ = lead.value;
      this->played_with_gap(lead.gap());
      decision.action = lead.action;
      decision.multiplier = 0.0;
      decision.regime = "flip";
      return;
    }
    const double z = noise_size_ > 0 ? flop_ / noise_size_ : 0.0;
    const auto& play = this->ask(this->seen(), perturber_.at(this->round()), z);
    this->played_with_gap(play.gap());
    decision.action = play.action;
    decision.multiplier = z;
    decision.regime = "flop";
  }

  void settle(const Decision<Action>& played, const typename P::Outcome& y, Step<Action>& step) override {
    const Regime before = regime_;
    if (regime_ == Regime::kFlip) {
      const auto& lead = this->leader();
      flip_ += std::clamp(step.loss + best_before_ - lead.value, 0.0, 1.0);
      step.after = lead.action;
      if (flip_ > constants_.phi / constants_.a * flop_ + tie_window(flip_)) regime_ = Regime::kFlop;
    } else {
      const auto& after = this->ask(this->seen(), perturber_.at(this->rounds()), *played.multiplier);
      this->played_with_gap(after.gap());
      flop_ += std::clamp(step.loss - this->problem().loss(after.action, y), 0.0, 1.0);
      step.after = after.action;
      if (flop_ > constants_.a * flip_ + tie_window(flop_)) regime_ = Regime::kFlip;
    }
    step.stability = {2, {flip_, flop_}};
    step.switched = regime_ != before;
  }
  void state(Archive& a) override {
    a.choice("regime", regime_, Regime::kFlop);
    a.field("flip", flip_, kSavedNonnegative);
    a.field("flop", flop_, kSavedNonnegative);
  }

  mutable Perturber<P> perturber_;
  mutable double best_before_ = 0;  // L*_{t-1} in a flip round: part of the decision
  double noise_size_;
  FlipFlopConstants constants_;
  Regime regime_ = Regime::kFlip;
  double flip_ = 0;
  double flop_ = 0;
};

}  // namespace hannan
