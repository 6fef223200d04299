// What a comparison says of its portfolio, in money.
#pragma once

#include "hannan/compare/comparison.hpp"
#include "hannan/compare/judged_players.hpp"
#include "hannan/compare/result.hpp"

namespace hannan::detail {

// The comparison has one.
ResultPortfolio portfolio_result(const Comparison& all, const JudgedPlayers& judged);

}  // namespace hannan::detail
