// What `off` believes its gftpl part has lost to the best action, on that part's own rounds.
//
//   paper       the printed Theorem 1 at c = 1                    (value at L* = 0 before it plays)
//   tight       thm1_tight                                        (likewise)
//   trajectory  the trajectory bound along its own rounds         (0 before it plays)
//   regret      running maximum of its expected regret, by fresh Monte-Carlo draws each round
//   reused      the same by one set of draws in all rounds: its errors add up. For study (docs/errata.md)
//   realised    running maximum of its realised regret: no extra oracle call
//
// All are non-decreasing. Formulas and proofs: docs/theory.md, off. They are written here a second
// time, apart from certify/, on purpose: what certifies a run shares no code with what made it.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "hannan/core/archive.hpp"

namespace hannan::detail {

enum class OffEstimator { kPaper, kTight, kTrajectory, kRegret, kRealised, kReused };
// Does it ask for Monte-Carlo draws?
constexpr bool draws_noise(OffEstimator kind) { return kind == OffEstimator::kRegret || kind == OffEstimator::kReused; }

struct OffRound {       // a round that gftpl played
  double best = 0;      // L* of its own rounds, this one included
  double loss = 0;      // what it paid
  double expected = 0;  // Monte-Carlo mean of what it would pay; used where draws_noise
};

class OffEstimate {
 public:
  struct Setting {
    OffEstimator kind = OffEstimator::kPaper;
    double ln_size = 0;  // ln K
    double columns = 0;  // N
    double gamma = 0;
    double c = 1;
    double noise_size = 0;  // M
  };
  explicit OffEstimate(Setting setting);

  double value() const { return value_; }
  void played(const OffRound& round);
  void archive(Archive& a);

 private:
  double scale(double best) const;  // z = 1/eta
  double closed_form(double best) const;
  void extend_trajectory(double best);

  Setting setting_;
  double value_ = 0;
  double best_ = 0;    // L* before the round
  double total_ = 0;   // summed loss, or expected loss
  double spread_ = 0;  // trajectory: everything but the last M z term
  std::uint64_t rounds_ = 0;
};

}  // namespace hannan::detail
