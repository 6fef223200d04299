// What the losses of a learner are worth in money.
#pragma once

#include <optional>
#include <string>

#include "hannan/game/game.hpp"
#include "service/learner_config.hpp"

namespace hannan::detail::service {

struct MoneyScale {
  double unit = 1;       // money of a loss of 1
  double offset = 0;     // of the loss of no money: 1 where losses are in [0,1]
  bool reward = true;    // false: a cost
  std::string currency;  // empty: not known
  double of(double loss, double rounds) const { return unit * (reward ? offset * rounds - loss : loss); }
};
// Nothing where neither a cap nor a list of prices was stated.
std::optional<MoneyScale> money_scale(const LearnerConfig& config, const Game& game);
// In units of the problem, without a currency.
MoneyScale plain_scale(const Game& game);

}  // namespace hannan::detail::service
