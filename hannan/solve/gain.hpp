// What a mixture that was chosen from groups of rows gains, and what to make of it: groups of a log are samples.
//
//   errors  (worst of the best on average - upper) / standard error of the rows' differences in the group that is worst
//           for the best on average; rows of a group count as independent
//   fresh   max over groups of (p F)_g + r_g sqrt(ln(2 K n / 0.05) / (2 rows_g)): with 95 % no group's true mean is
//   above
//           it, if its rows are independent draws (Hoeffding, a union over K actions and n groups); r_g is the range of
//           a row's loss. Not with regret, whose bases come from the same rows
//   held    the same figures on rows that did not decide
#pragma once

#include "hannan/solve/read_scenarios.hpp"
#include "hannan/solve/solver.hpp"

namespace hannan::detail {

// Null where scenarios are no groups of rows. With regret the held bases are one oracle call a group.
Json gain_json(const ScenarioSet& set, const GameOracle& oracle, const SolveOptions& options, const Solved& solved);

}  // namespace hannan::detail
