// The rounds of AdaFPL (ada.hpp has formulas and bounds). decide: z_t = S_{t-1} / M and one oracle call; settle: one
// more call on the evidence with y_t, of which the gap of the round is taken. Invariant: S never falls without a
// discount, so neither does z. Nothing but S is saved: noise is a function of key and round.
#include "hannan/learners/ada.hpp"

#include <memory>
#include <string>

#include "hannan/learners/learner_maker.hpp"
#include "hannan/learners/rows.hpp"

namespace hannan::detail {

void Ada::decide(Decision& decision) const {
  // M = 0: one action, or a matrix that tells no two actions apart; then the leader is played.
  const double z = noise_size_ > 0 ? stability_ / noise_size_ : 0.0;
  const auto& play = ask(seen(), perturber_.at(round()), z);
  played_unproven(play.unproven());
  decision.action = play.action;
  decision.multiplier = z;
  decision.value = play.value;
  decision.left = play.unproven();
}

void Ada::settle(const Decision& played, const AnyOutcome& y, Step& step) {
  // seen() already holds y_t, so the round that was decided is rounds().
  const auto& after = ask(seen(), perturber_.at(rounds()), discount() * *played.multiplier);
  played_unproven(after.unproven());
  compare(played, after, step, discount());
  stability_ = discount() * stability_ + grown_by(rule_, problem(), y, step);
  step.stability = {1, {stability_, 0}};
}

namespace {

struct AdaRow final : LearnerOptions {
  static constexpr LearnerFacts kFacts{
      .name = "ada",
      .about = "AdaFPL: the noise follows what it has cost; needs neither gamma nor c",
      .params = "perturbation noise draw alpha gamma M gap discount half_life pivot delta rho2 credit_draws delayed",
      .proof = Proof::kAda,
      .adapts_multiplier = true,
      .needs_centred = true,
      .any_range = true,
      .certifies_run = true,
      .by_context = true,
      .by_looks = true,
      .by_elements = true};

  std::unique_ptr<Learner> make(LearnerMaker& parts) const {
    const double discount = parts.params().discount;
    if (discount != 1 && !parts.oracle()->scales()) {
      throw Error(
          Code::kUnavailable,
          "oracle \"" + parts.oracle()->name() +
              "\" keeps a history that cannot be scaled, and so takes no discount; use an oracle of the program",
          "params.oracle");
    }
    return std::make_unique<Ada>(Ada::Parts{.problem = parts.game(),
                                            .oracle = parts.oracle(),
                                            .perturber = parts.perturber(),
                                            .noise_size = parts.noise_size(),
                                            .gap = parts.params().gap,
                                            .discount = discount});
  }
};

}  // namespace

LearnerKind ada_row() { return learner_row<AdaRow>(); }

}  // namespace hannan::detail
