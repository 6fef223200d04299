// The best fixed action of a run as far as it is proven: L* lies between `floor` and what was found.
//
// A search that stops at its work limit, and an oracle that proves nothing, leave floor < found. Then nothing may be
// said of "the best" but this range: the regret lies between total - found and total - floor.
#pragma once

#include <optional>

#include "hannan/certify/certificate.hpp"
#include "hannan/game/game.hpp"
#include "hannan/io/json.hpp"

namespace hannan::detail {

struct BestKnown {
  double found = 0;
  double floor = 0;
  double unit = 1;  // of losses, where their range is unknown
  // Beyond what rounding of sums may do.
  double unproven() const;
  bool proven() const { return unproven() == 0; }
};

// Of a run; with a floor of a discounted or unknown range as it is measured there.
BestKnown best_known(const RunFacts& run);
// What the run's searches left unproven: of the calls that its choices came from, and of that for L*.
double left_unproven(const RunFacts& run);

// From the report of a learner; none where it has no best, as of experts that sleep.
std::optional<BestKnown> best_known(const Json& report);

// The report with "best_proven", "best_range" [floor, found] and "regret_range" [total - found, total - floor]; and in
// "raw" the range of the best in its unit. Reports without a best stay as they are.
Json with_best_range(Json report, const Game& game);

}  // namespace hannan::detail
