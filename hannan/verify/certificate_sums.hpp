// What the gaps of the rounds and the moves of the noise multiplier add up to, for the certificates of the run
// (docs/theory-run.md: run, measured, exact, limit, leaderless). The verifier's own sums, from recorded choices and
// multipliers and noise drawn again:
//   e_t = (z_t - z_{t-1}) (n_t(p_t) - n_t(x_t)), less L_{t-1}(x_t) - L_{t-1}(p_t) where z_{t-1} = 0 < z_t,
// p_t the leader before the round or the action of the last one. Where p_t is not known (actions that are not listed,
// or an oracle of the user's own among leaders that tie) e_t lies between two limits: x_t is the best under its noise
// and p_t without it, so that n_t(p_t) - n_t(x_t) is not negative and e_t is not, and it is at most what the columns of
// the noise can add (DrawnNoise::span). With a discount beta all of it is in units of the present round: beta z_{t-1}
// for z_{t-1}, and what is summed counts beta times as much with every round that comes. Cost: at most one look at all
// actions a round.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hannan/verify/record_state.hpp"

namespace hannan::detail {

struct CertificateSums {
  bool gaps_known = true;     // every round has its gap, or the bound of it
  bool moves_known = true;    // false where some e_t is only known to lie between its limits
  bool credits_known = true;  // of phases of noise that were left
  double stability = 0;       // of the last round, both parts together
  double first = 0;           // z_1
  double last = 0;            // z of the last round
  bool left = false;          // ... which was the last one of a phase of noise
  double quiet_gaps = 0, noisy_gaps = 0;
  std::uint64_t noisy = 0;  // rounds with noise
  double moves = 0;         // e_t, the least that it can be
  double up_moves = 0, up_squares = 0, up = 0;
  double more_moves = 0;  // by which e_t, and those upwards, can be more: 0 where they are known
  double squares = 0;     // (f(x_t,y_t) - f(x_{t-1},y_t))^2 of rounds with noise
  double credits = 0;
  std::optional<double> credit;  // of the noise in use at the end, once finish() was called and it was computed
};

// A round as the sums take it.
struct CertifiedRound {
  const RecordedRound& round;
  double z;                   // the multiplier of its noise
  std::optional<double> gap;  // or what it is at most; none: not known
  double stability = 0;       // S after it, both parts together
  bool left = false;          // the last one of a phase of noise, where z > 0
};

class CertificateAccount {
 public:
  explicit CertificateAccount(RecordState& record)
      : setting_(record.setting), list_(record.list), noise_(record.noise), most_work_(record.limits.work) {}

  // With the totals before the outcome, and after it.
  void decided(const RecordedRound& round, double z, const RecomputedTotals& before);
  void observed(const CertifiedRound& in, const RecomputedTotals& after);
  // After the last round: what the noise in use is worth.
  void finish(const RecomputedTotals& totals);
  const CertificateSums& sums() const { return sums_; }

 private:
  // The mean over draws made for that alone of L* + z n(leader) - min(L + z n); none where it was not computed. Those
  // of the end of the run are the draws 0, 1, ..., those of the end of a phase 2^20, 2^20 + 1, ...
  struct CreditDraws {
    std::uint64_t first;
    std::uint64_t count;
  };
  std::optional<double> credit(const CreditDraws& draws, double z, const RecomputedTotals& on);
  void move(const RecordedRound& round, double step, const RecomputedTotals& before);
  std::vector<std::size_t> leaders(const RecomputedTotals& on) const;
  bool computed() const { return list_.listed() && noise_.of_all_actions(); }

  const RecordedSetting& setting_;
  const ListedActions& list_;
  DrawnNoise& noise_;
  double most_work_, work_ = 0;
  CertificateSums sums_;
  double move_ = 0, more_ = 0;  // e of this round, and by how much it can be more
  AnyAction last_;              // of the last round, where it is the pivot
};

}  // namespace hannan::detail
