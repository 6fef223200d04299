// `flipflop`, FlipFlop-FPL, the default: the leader while it is cheap, AdaFPL when it is not, both
// on the full history.
//
//   flip: x_t = leader,               D_flip += f(x_t,y_t) - (L*_t - L*_{t-1})
//   flop: x_t with z = D_flop / M,    D_flop += the gap of the round, as in ada.hpp
//   leave flip when D_flip > (phi/a) D_flop, leave flop when D_flop > a D_flip.
//
// Regret at most min{5.64 U_leader + 3.73, 5.64 sqrt(gamma M (L*+1)) + 32 gamma M + 6.64} with U_leader the regret of
// the leader run alone (docs/theory-run.md, flipflop2; for the rule `loss` docs/theory.md, flipflop). Two oracle calls
// a round.
#pragma once

#include <algorithm>

#include "hannan/core/gap_rule.hpp"
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
    GapRule gap = GapRule::kMix;
  };
  explicit FlipFlop(Parts parts)
      : Learner<P>(parts.problem, parts.oracle),
        perturber_(std::move(parts.perturber)),
        noise_size_(parts.noise_size),
        constants_(parts.constants),
        rule_(parts.gap) {}

  const RoundNoise<P>* round_noise() const override { return &perturber_.at(this->round()); }

 private:
  enum class Regime { kFlip, kFlop };

  void decide(Decision<Action>& decision) const override {
    if (regime_ == Regime::kFlip) {
      const auto& lead = this->leader();
      this->played_with_gap(lead.gap());
      decision.action = lead.action;
      decision.value = this->rounds() == 0 ? 0.0 : lead.value;
      decision.left = lead.gap();
      decision.multiplier = 0.0;
      decision.regime = "flip";
      return;
    }
    const double z = noise_size_ > 0 ? flop_ / noise_size_ : 0.0;
    const auto& play = this->ask(this->seen(), perturber_.at(this->round()), z);
    this->played_with_gap(play.gap());
    decision.action = play.action;
    decision.value = play.value;
    decision.left = play.gap();
    decision.multiplier = z;
    decision.regime = "flop";
  }

  void settle(const Decision<Action>& played, const typename P::Outcome& y, Step<Action>& step) override {
    const Regime before = regime_;
    if (regime_ == Regime::kFlip) {
      const auto& lead = this->leader();
      this->compare(played, lead, step);
      flip_ += std::min(largest_gap(this->problem()), *step.gap);
      if (flip_ > constants_.phi / constants_.a * flop_ + tie_window(flip_, this->seen().unit()))
        regime_ = Regime::kFlop;
    } else {
      const auto& after = this->ask(this->seen(), perturber_.at(this->rounds()), *played.multiplier);
      this->played_with_gap(after.gap());
      this->compare(played, after, step);
      flop_ += grown_by(rule_, this->problem(), y, step);
      if (flop_ > constants_.a * flip_ + tie_window(flop_, this->seen().unit())) regime_ = Regime::kFlip;
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
  double noise_size_;
  FlipFlopConstants constants_;
  GapRule rule_;
  Regime regime_ = Regime::kFlip;
  double flip_ = 0;
  double flop_ = 0;
};

}  // namespace hannan
