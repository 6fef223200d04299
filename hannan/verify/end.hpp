// The end of a record of one learner, in order or late: the report of the run against the verifier's own totals.
#pragma once

#include <optional>

#include "hannan/verify/bounds.hpp"
#include "hannan/verify/driver.hpp"
#include "hannan/verify/exact_total.hpp"

namespace hannan::detail {

// What the rounds added up to.
struct RunSums {
  ExactTotal total;
  double discounted_total = 0;  // a round of age i counts discount^i
  // Of the leader run alone, where actions are listed: of the smallest of those that tie; and with an oracle of the
  // user's own, which may choose any of them, the least and the most that these lost.
  struct LeaderTotals {
    ExactTotal smallest, least, most;
  };
  std::optional<LeaderTotals> leader_total;
  std::optional<double> last_best;  // L* as the last round recorded it
};

// Of a run whose outcomes came late.
struct DelaySums {
  std::uint64_t played = 0;         // rounds that were opened
  std::uint64_t missing = 0;        // the most earlier outcomes that had not arrived when a round was opened
  std::uint64_t missing_total = 0;  // their sum over rounds
  std::uint64_t open = 0;           // the most earlier rounds that were not settled
};

struct EndInput {
  RecordState& record;
  const RecomputedTotals& totals;
  const RecomputedTotals& chosen_by;  // the discounted totals where there is a discount, otherwise the same
  RoundRule& rule;
  const RunSums& sums;
  const DelaySums* delays = nullptr;  // of a learner with delayed outcomes
};

struct RunEnd {
  EndFacts facts;
  BoundFacts bounded;  // what the bounds of the end rest on
};

// Throws Error; settles what was suspected.
RunEnd check_end(Fields& end, const EndInput& in);

// The bounds that apply; none before the first round.
Bounds bounds_of(const BoundsLater& bounds, BoundFacts facts, const RecordedSetting& setting);

// L* of a round as recorded, where actions are not listed: held against a new search while there is work left. Says
// whether a search proved it; otherwise it is on trust.
bool check_searched_best(double found, const RecomputedTotals& totals, Claims& claims);

}  // namespace hannan::detail
