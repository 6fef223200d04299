// The answer of an oracle about a history, as JSON: what AnyProblem::best and summaries of outcomes give.
#pragma once

#include <cstdint>

#include "hannan/game/game.hpp"
#include "hannan/io/json.hpp"

namespace hannan::detail {

// The largest range of the losses of one outcome so far, times its weight where losses lie in [0,1]: what tie windows
// are measured by, so that a table of losses near 1e-12 is not one large tie. Above 1/2 the window is that of losses in
// [0,1], and no further outcome is looked at.
class SeenRange {
 public:
  // Of sums that are read: 1 where they do not say it.
  explicit SeenRange(double seen = 0) : seen_(seen) {}
  void add(const Game& game, const AnyOutcome& y, double weight);
  void add(const SeenRange& other);
  double value() const { return seen_; }

 private:
  double seen_;
};

struct BestQuestion {
  double range = 0;  // what a SeenRange says; 0: all losses were equal
  std::uint64_t keep = 1;
};
// {action, value, floor, pool, rest, oracle, proven, claims}. The history is scaled to the unit of the range, where the
// oracle can scale it.
Json best_answer(const GameOracle& oracle, GameHistory& history, const BestQuestion& question);

}  // namespace hannan::detail
