// Which bounds a certificate must show, and their values: decided again from the header and the
// verifier's own totals (docs/theory.md says when each applies). The formulas are those of gftpl_forms.hpp,
// adaptive_forms.hpp and limit_forms.hpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hannan/verify/certificate_sums.hpp"
#include "hannan/verify/setting.hpp"

namespace hannan::detail {

// The sums of the trajectory bound along L*_1, L*_2, ...: its value is base + M * slope.
class PathSums {
 public:
  enum class Growth { kFull, kHalf };  // e^u - 1, or u/(1-e^-u) - 1, at u = gamma/z
  struct Rate {
    double gamma;
    double c;
    Growth growth = Growth::kFull;
  };
  explicit PathSums(Rate rate) : rate_(rate) {}
  void observe(double best);
  double base() const { return base_; }
  double slope() const { return slope_ + last_; }

 private:
  double multiplier(double best) const;
  double growth(double z) const;

  Rate rate_;
  bool started_ = false;
  double best_ = 0;
  double base_ = 0;   // sum of g_t (L*_t - L*_{t-1})
  double slope_ = 0;  // g_1 z_1 + sum of g_t (z_{t+1} - z_t)
  double last_ = 0;   // z_T
};

// Of a run whose outcomes came late.
struct DelaySums {
  std::uint64_t played = 0;         // rounds that were opened
  std::uint64_t missing = 0;        // the most earlier outcomes that had not arrived when a round was opened
  std::uint64_t missing_total = 0;  // their sum over rounds
  std::uint64_t open = 0;           // the most earlier rounds that were not settled
  double stability = 0;             // S, of the settled rounds
  double multiplier = 0;            // of the last settled round
};

struct BoundFacts {
  const RecordedSetting& setting;
  std::uint64_t rounds = 0;
  double best = 0;
  std::optional<double> noise_size;  // M
  std::optional<double> leader_regret;
  std::optional<PathSums> path;  // of trajectory2, where L* is known every round
  double off_leader = 0, off_gftpl = 0;
  double mixability = 0;
  double gap = 0, total = 0, floor = 0;
  std::optional<CertificateSums> account;
  std::optional<RangesSeen> ranges;  // where the range of losses is unknown
  std::optional<double> rho2, credit;
  std::optional<DelaySums> delays;
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

// Those of the learner in facts.setting; none before the first round.
std::vector<ExpectedBound> expected_bounds(const BoundFacts& facts);

// Of single learners, for the table of rules.
std::vector<ExpectedBound> off_bounds(const BoundFacts& facts);
std::vector<ExpectedBound> hedge_bounds(const BoundFacts& facts);
std::vector<ExpectedBound> adahedge_bounds(const BoundFacts& facts);

}  // namespace hannan::detail
