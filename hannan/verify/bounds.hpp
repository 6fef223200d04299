// Which bounds a certificate must show, and their values: each rule decides them again from the header and the
// verifier's own sums (docs/theory.md and docs/theory-run.md say when each applies). The formulas are those of
// gftpl_forms.hpp, adaptive_forms.hpp and limit_forms.hpp.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "hannan/verify/recomputed_totals.hpp"

namespace hannan::detail {

// What the bounds of every learner rest on: of the rounds so far, and what only the end of a record tells.
struct BoundFacts {
  std::uint64_t rounds = 0;
  double best = 0, total = 0, floor = 0;
  RangesSeen ranges;  // where the range of losses is unknown
  // Of the end.
  std::optional<double> noise_size;  // M
  std::optional<double> leader_regret;
  double gap = 0;              // end.oracle_gap
  std::optional<double> rho2;  // certificates.hpp, noise_square
};

struct ExpectedBound {
  std::string name;
  double value;  // before it is widened by what the oracle fell short
  bool upper = true;
  // False where the proof asks for more than the run gives (an estimate of off that is no bound for
  // the rate or the noise in use): then the bound may be left out.
  bool demanded = true;
  enum class Kind { kClosed, kRun, kLimit };
  Kind kind = Kind::kClosed;
  // The expected regret; that with every round in the mean over its own draw; that of this run.
  enum class Covers { kMean, kConditional, kRun };
  Covers covers = Covers::kMean;
  bool known = true;           // false: the value was not computed, and is on trust
  bool least = false;          // ... but it is at least this one
  std::optional<double> more;  // ... and at most this much more
};

using Bounds = std::vector<ExpectedBound>;
// The bounds on the rounds up to the one after which a rule gave it; empty: none is proven. A rule keeps the sums of
// its own in it, so that bounds of earlier rounds can be stated when the end of the record is known.
using BoundsLater = std::function<Bounds(const BoundFacts&)>;

}  // namespace hannan::detail
