// FlipFlop-FPL (flipflop.hpp; docs/theory.md, flipflop): the leader while its summed gaps (flip) are below phi/a times
// those of the noise (flop), the perturbed leader until flop exceeds a times flip, and back. Invariant after settle, up
// to tie windows: in the flip regime flip <= (phi/a) flop, in the flop regime flop <= a flip; so neither sum runs ahead
// of the other by more than a constant factor and one gap, from which the bound follows. Cost: two oracle calls a
// round; in flip both are of the plain leader, which the ledger shares.
#include "hannan/learners/flipflop.hpp"

#include <algorithm>
#include <memory>

#include "hannan/core/tolerance.hpp"
#include "hannan/learners/flip_options.hpp"
#include "hannan/learners/learner_maker.hpp"
#include "hannan/learners/rows.hpp"

namespace hannan::detail {

// In flip the decision is the leader's, with multiplier 0: the same formulas then serve both regimes. In flop z is
// flop/M, as in ada.
void FlipFlop::decide(Decision& decision) const {
  if (regime_ == Regime::kFlip) {
    const auto& lead = leader();
    played_unproven(lead.unproven());
    decision.action = lead.action;
    // Before the first outcome every action has evidence 0.
    decision.value = rounds() == 0 ? 0.0 : lead.value;
    decision.left = lead.unproven();
    decision.multiplier = 0.0;
    decision.regime = "flip";
    return;
  }
  const double z = noise_size_ > 0 ? flop_ / noise_size_ : 0.0;
  const auto& play = ask(seen(), perturber_.at(round()), z);
  played_unproven(play.unproven());
  decision.action = play.action;
  decision.value = play.value;
  decision.left = play.unproven();
  decision.multiplier = z;
  decision.regime = "flop";
}

void FlipFlop::settle(const Decision& played, const AnyOutcome& y, Step& step) {
  const Regime before = regime_;
  if (regime_ == Regime::kFlip) {
    const auto& lead = leader();
    compare(played, lead, step);
    // A gap above the range of losses is rounding or an unproven leader.
    flip_ += std::min(step.weight * largest_gap(problem()), *step.gap);
    if (flip_ > constants_.phi / constants_.a * flop_ + tie_window(flip_, seen().unit())) regime_ = Regime::kFlop;
  } else {
    const auto& after = ask(seen(), perturber_.at(rounds()), *played.multiplier);
    played_unproven(after.unproven());
    compare(played, after, step);
    flop_ += grown_by(rule_, problem(), y, step);
    if (flop_ > constants_.a * flip_ + tie_window(flop_, seen().unit())) regime_ = Regime::kFlip;
  }
  step.stability = {2, {flip_, flop_}};
  step.switched = regime_ != before;
}

void FlipFlop::state(Archive& a) {
  a.choice("regime", regime_, Regime::kFlop);
  a.field("flip", flip_, kSavedNonnegative);
  a.field("flop", flop_, kSavedNonnegative);
}

namespace {

struct FlipFlopRow final : FlipOptions {
  static constexpr LearnerFacts kFacts{
      .name = "flipflop",
      .about = "FlipFlop-FPL, the default: leader while it is cheap, ada when it is not",
      .params = "perturbation noise draw alpha gamma M phi a gap pivot delta rho2 credit_draws",
      .proof = Proof::kFlipFlop,
      .adapts_multiplier = true,
      .switches = true,
      .needs_centred = true,
      .any_range = true,
      .certifies_run = true,
      .by_context = true,
      .by_looks = true};
  void state(RunFacts& run) const override {
    run.phi = constants.phi;
    run.flip_a = constants.a;
  }

  std::unique_ptr<Learner> make(LearnerMaker& parts) const {
    return std::make_unique<FlipFlop>(FlipFlop::Parts{parts.game(), parts.oracle(), parts.perturber(),
                                                      parts.noise_size(), constants, parts.params().gap});
  }
};

}  // namespace

LearnerKind flipflop_row() { return learner_row<FlipFlopRow>(); }

}  // namespace hannan::detail
