// The account behind the certificates of a run (docs/theory-run.md: run, measured, limit, leaderless): what the gaps of
// the rounds and the moves of the noise multiplier add up to.
//
//   gap_t = [L_t + z_t n_t](x_t) - [L_t + z_t n_t](x'_t),  from the learner
//   w_t   = n_t(p_t) - n_t(x_t),                           p_t the leader before the round, or x_{t-1}
//   e_t   = (z_t - z_{t-1}) w_t, less L_{t-1}(x_t) - L_{t-1}(p_t) where z_{t-1} = 0 < z_t; 0 in round 1
//   run   = M z_1 + sum of gap_t + e_t
//
// With a discount beta below 1 all sums are in units of the present round: of two rounds the earlier one counts beta
// times as much, e_t has beta z_{t-1} for z_{t-1} and belongs to the units of round t-1 (docs/theory-run.md,
// discounted):
//   run <- beta (run + e_t) + gap_t.
//
// No oracle call, and nothing to compute in a round whose multiplier stayed; otherwise the noise of two actions.
#pragma once

#include <cstdint>
#include <optional>

#include "hannan/certify/run_bounds.hpp"
#include "hannan/core/archive.hpp"
#include "hannan/game/learner.hpp"

namespace hannan::detail {

enum class Pivot { kLeader, kLast };

struct AccountSums {
  std::uint64_t rounds = 0;  // that are in the sums
  double first = 0;          // z_1
  double quiet_gaps = 0;     // G0: gaps of rounds without noise
  double noisy_gaps = 0;     // G1: of the others
  std::uint64_t noisy = 0;   // their number
  double moves = 0;          // e_t
  double up_moves = 0;       // W: e_t of the rounds with z_t > z_{t-1}, t >= 2
  double up_squares = 0;     // Q: (z_t - z_{t-1})^2 of these
  double up = 0;             // P: z_t - z_{t-1} of these
  double free_gaps = 0;      // h(gamma/z_t) f(x_t,y_t), where gaps are not measured
  double squares = 0;        // (f(x_t,y_t) - f(x_{t-1},y_t))^2 of noisy rounds, for leaderless
  double left = 0;           // what the calls for x' left unproven
  double moved_left = 0;     // what the calls for x left unproven in rounds with z_t != z_{t-1}
  double credits = 0;        // of phases of noise that were left

  double gaps() const { return quiet_gaps + noisy_gaps; }
  void archive(Archive& a);
};

class RunAccount {
 public:
  struct Setting {
    Pivot pivot = Pivot::kLeader;
    std::optional<double> gamma;  // for free_gaps: the gaps are not measured
    double discount = 1;
    bool leaderless = false;  // its squares are kept: a loss more in rounds with noise; with the pivot kLast
  };
  explicit RunAccount(Setting setting) : setting_(setting) {}

  // Before the learner sees the outcome of the round.
  void before(const Learner& learner, const AnyOutcome& y);
  // So many rounds without an outcome, before the learner skips them: no gap, and a move in the first of them at most.
  // Not with `leaderless`.
  void skip(const Learner& learner, std::uint64_t rounds);

  // After it. The decision is that of the round.
  void after(const Decision& played, const Step& step);
  // A phase of noise ends: what its last draw is worth in the mean.
  void credit(double value) { sums_.credits += value; }

  const AccountSums& sums() const { return sums_; }
  double multiplier() const { return z_; }  // of the last round
  const Setting& setting() const { return setting_; }

  // Of a learner that has seen so many rounds. Version 0.2 kept no account: then none is known.
  void archive(Archive& a, const Game& game);

 private:
  // A round more: what the certificate is made of counts less. The others belong to limits, which there are none of.
  void age() {
    for (double* sum : {&sums_.quiet_gaps, &sums_.noisy_gaps, &sums_.moves, &sums_.left, &sums_.moved_left})
      *sum *= setting_.discount;
  }
  double move_of(const Learner& learner, const Decision& played, double z) const;
  void move(const Learner& learner);

  Setting setting_;
  AccountSums sums_;
  double z_ = 0;       // of the last round
  double move_ = 0;    // e of the round being played
  double rated_ = -1;  // the multiplier that rate_ = h(gamma/z) is of; most rounds need no new one
  double rate_ = 0;
  AnyAction last_;        // of the last round, with the pivot kLast
  bool moved_ = false;    // the round being played has noise and another action than last_
  double last_loss_ = 0;  // what last_ loses in it
  double last_total_ = 0;
};

}  // namespace hannan::detail
