// The strategies of a portfolio where none are named: few, and unlike one another. They follow from what the problem
// says of itself (its rules, its money, how its actions are numbered), today's decision first.
#pragma once

#include <vector>

#include "hannan/game/game.hpp"
#include "hannan/learners/portfolio.hpp"

namespace hannan::detail {

// kMissingField where today's decision is neither given nor known.
std::vector<StrategyParams> default_strategies(const Game& game, const PortfolioOptions& asked);

}  // namespace hannan::detail
