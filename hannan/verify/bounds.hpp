// Which bounds a certificate must show, and their values: decided again from the header and the
// verifier's own totals (docs/theory.md says when each applies). The formulas are those of certify/.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hannan/verify/setting.hpp"

namespace hannan::detail {

// A run of version 0.2: its certificate has the bounds of then, widened by what the oracle left unproven.
bool of_version_0_2(const RecordedSetting& s);

// The sums of the trajectory bound along L*_1, L*_2, ...: its value is base + M * slope.
class PathSums {
 public:
  struct Rate {
    double gamma;
    double c;
    bool halved = true;  // trajectory2; else trajectory
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

struct BoundFacts {
  const RecordedSetting& setting;
  std::uint64_t rounds = 0;
  double best = 0;
  std::optional<double> noise_size;  // M
  std::optional<double> leader_regret;
  std::optional<PathSums> path;  // where L* is known every round
  double off_leader = 0, off_gftpl = 0;
  double mixability = 0;
  double gap = 0;  // what the oracle left unproven: closed forms are not proven then
};

struct ExpectedBound {
  std::string name;
  double value;
  bool upper = true;
  // False where the proof asks for more than the run gives (an estimate of off that is no bound for
  // the rate or the noise in use): then the bound may be left out.
  bool demanded = true;
};

// Those of the learner in facts.setting; none before the first round.
std::vector<ExpectedBound> expected_bounds(const BoundFacts& facts);

// Of single learners, for the table of rules.
std::vector<ExpectedBound> gftpl_bounds(const BoundFacts& facts);
std::vector<ExpectedBound> off_bounds(const BoundFacts& facts);
std::vector<ExpectedBound> ada_bounds(const BoundFacts& facts);
std::vector<ExpectedBound> flipflop_bounds(const BoundFacts& facts);
std::vector<ExpectedBound> hedge_bounds(const BoundFacts& facts);
std::vector<ExpectedBound> adahedge_bounds(const BoundFacts& facts);

}  // namespace hannan::detail
