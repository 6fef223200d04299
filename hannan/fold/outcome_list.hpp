// Outcomes summed as they are: distinct ones with their weights, for what needs more of them than an oracle's sums.
//
// It is an oracle, so that its lists are summed, saved and merged like every history (history_sums.hpp). A search tells
// all outcomes to an oracle of the problem: O(distinct outcomes) more than that oracle's own sums would cost.
#pragma once

#include <memory>
#include <string_view>

#include "hannan/game/game.hpp"

namespace hannan::detail {

inline constexpr std::string_view kOutcomeList = "outcomes";

std::shared_ptr<const GameOracle> outcome_list_oracle(std::shared_ptr<const Game> game,
                                                      std::shared_ptr<const GameOracle> searching);
// The outcomes of such a history, in the order of their texts.
Json listed_outcomes_of(const GameHistory& history);

}  // namespace hannan::detail
