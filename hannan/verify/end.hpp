// The end of a record: the report of the run against the verifier's own totals.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hannan/verify/bounds.hpp"
#include "hannan/verify/exact_total.hpp"
#include "hannan/verify/rules.hpp"
#include "hannan/verify/standing.hpp"

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
  std::optional<PathSums> path;
};

struct EndInput {
  const RecordedSetting& setting;
  const ListedActions& list;
  const RecomputedTotals& recomputed;
  const RecomputedTotals& chosen_by;  // the discounted totals where there is a discount, otherwise the same
  const RoundRule& rule;
  const RunSums& sums;
  const std::optional<bool>& reward;  // the unit of raw numbers, once a round has told
  CertificateAccount& account;
  Claims& claims;
  const DelaySums* delays = nullptr;  // of a learner with delayed outcomes
};

struct EndFacts {
  KnownBest best;
  std::vector<std::string> bounds;    // for people: name, value, whether it holds
  std::vector<std::string> on_trust;  // for people: what could not be derived again
  std::vector<std::string> recorded;  // for people: what claims nothing
  std::optional<double> noise_size, leader_regret;
  double gap = 0;  // end.oracle_gap
  std::optional<double> rho2;
};

// Throws Error; settles what was suspected.
EndFacts check_end(const Json& end, const EndInput& in);

}  // namespace hannan::detail
