// Two actions and one column: action 0 is chosen where L(0) + z alpha row(0) <= L(1) + z alpha row(1), a half line of
// alpha whose probability the law states. Exact, O(1) a round. Without noise ties within the window go to action 0, the
// smaller.
#include "hannan/play/conditional_regret.hpp"

#include <algorithm>
#include <limits>

#include "hannan/core/tolerance.hpp"

namespace hannan::detail {

// Nothing for a learner whose choice is not a fresh draw of known law: given noise, one draw for the whole run,
// discounts. step_ = row(1) - row(0) must not be 0, or the noise would not move the choice.
std::optional<ConditionalRegret> ConditionalRegret::of(const AnyLearner& learner) {
  const Game& game = learner.game();
  const Json* name = learner.params().find("perturbation");
  const Json* noise = learner.params().find("noise");
  const Json* draw = learner.params().find("draw");
  if (game.action_count() != 2.0 || !learner.setting().certifies_run || !name || !noise) return std::nullopt;
  if (!draw || draw->as_string() != "fresh" || learner.params().find("alpha") || learner.params().find("discount"))
    return std::nullopt;
  for (const auto& matrix : game.perturbations()) {
    if (matrix->name() != name->as_string() || matrix->columns() != 1) continue;
    const auto actions = game.first_actions(2);
    double first = 0, second = 0;
    matrix->row(actions[0], {&first, 1});
    matrix->row(actions[1], {&second, 1});
    if (first == second) return std::nullopt;
    return ConditionalRegret(game, Noise::parse(noise->as_string(), "noise"), second - first);
  }
  return std::nullopt;
}

// P(alpha >= edge) for step_ > 0, P(alpha <= edge) else: the law is continuous, so ties have no mass.
double ConditionalRegret::chance_of_first(double z) const {
  const double ahead = totals_[0] - totals_[1];
  if (z == 0) return ahead <= tie_window(totals_[0]) ? 1 : 0;
  constexpr double kEnd = std::numeric_limits<double>::infinity();
  const double edge = ahead / (z * step_);
  return step_ > 0 ? noise_.mass(edge, kEnd) : noise_.mass(-kEnd, edge);
}

void ConditionalRegret::round(const Round& round, const AnyOutcome& y) {
  const double z = noise_scale(round.multiplier, round.eta);
  const auto losses = game_->losses(y, 2);
  const double chance = chance_of_first(z);
  expected_ += chance * losses[0] + (1 - chance) * losses[1];
  totals_[0] += losses[0];
  totals_[1] += losses[1];
}

double ConditionalRegret::value() const { return expected_ - std::min(totals_[0], totals_[1]); }

}  // namespace hannan::detail
