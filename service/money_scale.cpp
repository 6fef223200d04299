// From losses to money: value = unit * (offset * rounds - loss) for rewards, unit * loss for costs (money_scale.hpp).
// `cap` is money per unit of the problem where its numbers are shares of a highest bid.
#include "service/money_scale.hpp"

namespace hannan::detail::service {

MoneyScale plain_scale(const Game& game) {
  return {.unit = game.normaliser(),
          .offset = game.loss_range() == LossRange::kUnitInterval ? 1.0 : 0.0,
          .reward = game.form() == Form::kReward,
          .currency = {}};
}

std::optional<MoneyScale> money_scale(const LearnerConfig& config, const Game& game) {
  if (!config.cap && !config.in_money()) return std::nullopt;
  MoneyScale scale = plain_scale(game);
  if (!config.in_money()) scale.unit *= *config.cap;
  scale.currency = config.currency;
  return scale;
}

}  // namespace hannan::detail::service
