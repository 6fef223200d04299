// The answer of an oracle about a history, as JSON: what AnyProblem::best and summaries of outcomes give.
#pragma once

#include <cstdint>

#include "hannan/io/json.hpp"
#include "hannan/problems/game.hpp"

namespace hannan::detail {

struct BestQuestion {
  double range = 0;  // the largest range of an outcome's losses where the problem knows none; 0: losses lie in [0,1]
  std::uint64_t keep = 1;
};
// {action, value, floor, pool, rest, oracle, proven, claims}. The history is scaled where a range is given.
Json best_answer(const AnyOracle<Game>& oracle, AnyHistory<Game>& history, const BestQuestion& question);

}  // namespace hannan::detail
