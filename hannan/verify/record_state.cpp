#include "hannan/verify/record_state.hpp"

#include <bit>
#include <cmath>
#include <utility>

namespace hannan::detail {

RecordState::RecordState(RecordedSetting s, Claims& complaints, const VerifyLimits& most)
    : setting(std::move(s)),
      claims(complaints),
      limits(most),
      // The learners of a portfolio have states of their own, elements a list of theirs (element_search.hpp).
      list(*setting.problem, setting.portfolio || setting.elements ? 0 : limits.most),
      noise(setting, list, claims),
      budget(limits.search_work) {
  if (setting.facts().lists && !list.listed()) claims.reject("learner.kind", "its actions cannot be listed");
  claims.trust_no_gap(setting.exact);
}

KeepOutcomes RecordState::keep() const {
  const bool searched = noise.exists() && !noise.of_all_actions();
  const double segments = setting.contexts ? static_cast<double>(setting.contexts->most) : 0;
  const bool many = static_cast<double>(list.size()) * segments > kMostCells;
  return may_give_up() || searched || many ? KeepOutcomes::kAlways : KeepOutcomes::kWhereNotListed;
}

RecomputedTotals::Setting RecordState::totals(double discount) {
  return {.oracle = setting.oracle, .keep = keep(), .discount = discount, .budget = &budget};
}

void RecordState::limit_work(double rounds) {
  if (may_give_up() && static_cast<double>(list.size()) * rounds > limits.work) list.give_up();
}

std::span<const double> RecordState::losses_of(const AnyOutcome& y) {
  if (!list.listed()) return {};
  losses_.resize(list.size());
  list.table().losses(y, losses_);
  return losses_;
}

void RecordState::score(RecordedRound& r, const AnyOutcome& y) {
  r.index = place_of(list, r.action, "action", claims);
  const Game& game = *setting.problem;
  const AnyAction action = game.parse_action(r.action, "action");
  r.action_loss = game.loss(action, y);
  const double raw = game.raw(action, y);
  const double as_loss = setting.normaliser * r.action_loss;
  const double as_reward = setting.normaliser * ((setting.any_range ? 0.0 : 1.0) - r.action_loss);
  // Relative to what tells the two apart, which is nothing for a loss of 1/2, or of 0 where any number may be one.
  const Precision precision{.unit = std::abs(as_loss - as_reward)};
  if (reward || !(precision.unit > (setting.any_range ? 0.0 : 2e-6 * setting.normaliser))) return;
  if (agree(raw, as_loss, precision)) reward = false;
  if (agree(raw, as_reward, precision)) reward = true;
}

bool RecordState::tracked(const Json& best, std::uint64_t rounds) const {
  const bool tracked = setting.track == "every" || (setting.track == "powers" && std::has_single_bit(rounds));
  if (best.is_null() == tracked) claims.reject("best", "found " + dump(best) + ", but L* is tracked: " + setting.track);
  return tracked;
}

}  // namespace hannan::detail
