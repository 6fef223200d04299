// Generalised follow the perturbed leader with a small-loss rate (Algorithms 1, 2 and 4): x_t = argmin of history +
// noise_t / eta_t, eta_t = min(1/gamma, c / sqrt(L*_{t-1} + 1)). Regret: docs/theory.md, Theorems 1 and 2. Cost: two
// oracle calls a round, one for L* and one for x_t; one more where the run is certified, which is not counted as the
// learner's.
#include "hannan/learners/gftpl.hpp"

#include <memory>

#include "hannan/learners/learner_maker.hpp"
#include "hannan/learners/rows.hpp"

namespace hannan::detail {

void Gftpl::decide(Decision& decision) const {
  const double best = rounds() == 0 ? 0.0 : leader().value;
  const double eta = schedule_({.round = round(), .best = best});
  const auto& play = ask(seen(), perturber_.at(round()), 1 / eta);
  played_unproven(play.unproven());
  decision.action = play.action;
  decision.eta = eta;
  decision.value = play.value;
  decision.left = play.unproven();
}

void Gftpl::settle(const Decision& played, const AnyOutcome&, Step& step) {
  // The certificate of the run needs x'_t, the argmin with y_t included; the algorithm does not.
  if (!certified_) return;
  compare(played, ask_uncounted(perturber_.at(rounds()), played.noise_scale()), step);
  step.after.reset();  // part of the certificate, not of the learner
}

namespace {

struct GftplRow final : LearnerOptions {
  static constexpr LearnerFacts kFacts{
      .name = "gftpl",
      .about = "perturbed leader with a small-loss rate (Algorithms 1, 2, 4)",
      .params = "perturbation noise draw alpha gamma c M pivot delta rho2 credit_draws certificate",
      .proof = Proof::kGftpl,
      .needs_gamma = true,
      .certifies_run = true,
      .by_context = true};

  std::unique_ptr<Learner> make(LearnerMaker& parts) const {
    return std::make_unique<Gftpl>(
        Gftpl::Parts{parts.game(), parts.oracle(), parts.perturber(), parts.small_loss(), parts.params().certified});
  }
};

}  // namespace

LearnerKind gftpl_row() { return learner_row<GftplRow>(); }

}  // namespace hannan::detail
