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
#include "hannan/core/learner.hpp"

namespace hannan {

enum class Pivot { kLeader, kLast };

struct RunSums {
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

template <class P>
class RunAccount {
 public:
  using Action = typename P::Action;
  struct Setting {
    Pivot pivot = Pivot::kLeader;
    std::optional<double> gamma;  // for free_gaps: the gaps are not measured
    double discount = 1;
    bool leaderless = false;  // its squares are kept: a loss more in rounds with noise; with the pivot kLast
  };
  explicit RunAccount(Setting setting) : setting_(setting) {}

  // Before the learner sees the outcome of the round.
  void before(const Learner<P>& learner, const typename P::Outcome& y) {
    const auto& played = learner.act();
    // In units of this round the last multiplier is discount * z_; the move is measured from there.
    const double z = played.noise_scale(), before = setting_.discount * z_;
    move_ = 0;
    moved_ = false;
    if (sums_.rounds == 0) {
      sums_.first = z;
      return;
    }
    if (z != before && z > 0) move_ = move_of(learner, played, z);
    if (z != before) sums_.moved_left += played.left;
    moved_ = setting_.leaderless && z > 0 && !(last_ == played.action);
    if (moved_) last_loss_ = learner.problem().loss(last_, y);
  }

  // After it. The decision is that of the round.
  void after(const Decision<Action>& played, const Step<Action>& step) {
    const double z = played.noise_scale();
    if (setting_.discount != 1) age();
    if (moved_) sums_.squares += (step.loss - last_loss_) * (step.loss - last_loss_);
    if (step.gap) {
      (z > 0 ? sums_.noisy_gaps : sums_.quiet_gaps) += *step.gap;
    } else if (setting_.gamma) {
      if (z != rated_ && step.loss != 0) {
        rated_ = z;
        rate_ = bounds::h(*setting_.gamma / z);
      }
      sums_.free_gaps += rate_ * step.loss;
    }
    if (z > 0) ++sums_.noisy;
    sums_.moves += setting_.discount * move_;
    if (sums_.rounds > 0 && z > z_) {
      sums_.up_moves += move_;
      sums_.up_squares += (z - z_) * (z - z_);
      sums_.up += z - z_;
    }
    sums_.left += step.left;
    ++sums_.rounds;
    z_ = z;
    if (setting_.pivot == Pivot::kLast) {
      last_ = played.action;
      last_total_ = setting_.discount * played.value + step.loss;  // its total loss where z = 0
    }
  }
  // A phase of noise ends: what its last draw is worth in the mean.
  void credit(double value) { sums_.credits += value; }

  const RunSums& sums() const { return sums_; }
  double multiplier() const { return z_; }  // of the last round
  const Setting& setting() const { return setting_; }

  // Of a learner that has seen so many rounds. Version 0.2 kept no account: then none is known.
  void archive(Archive& a, const P& problem) {
    sums_.archive(a);
    a.later_field("last_multiplier", z_);
    if (setting_.pivot != Pivot::kLast || sums_.rounds == 0) return;
    a.open("last");
    archive_value(a, last_);
    if (a.reading() && !allows(problem, last_)) a.refuse("", "found what is no action of this problem");
    a.close();
    a.field("last_total", last_total_);
  }

 private:
  // A round more: what the certificate is made of counts less. The others belong to limits, which there are none of.
  void age() {
    for (double* sum : {&sums_.quiet_gaps, &sums_.noisy_gaps, &sums_.moves, &sums_.left, &sums_.moved_left})
      *sum *= setting_.discount;
  }
  double move_of(const Learner<P>& learner, const Decision<Action>& played, double z) const {
    const bool leads = setting_.pivot == Pivot::kLeader;
    const Action& pivot = leads ? learner.seen().peek().action : last_;
    if (pivot == played.action) return 0;
    const RoundNoise<P>& noise = *learner.round_noise();
    const double move = (z - setting_.discount * z_) * (noise.exact(pivot) - noise.exact(played.action));
    if (z_ > 0) return move;
    const double total = learner.seen().total_of(played.action, played.value, noise, z);
    return move - (total - (leads ? learner.seen().peek().value : last_total_));
  }

  Setting setting_;
  RunSums sums_;
  double z_ = 0;       // of the last round
  double move_ = 0;    // e of the round being played
  double rated_ = -1;  // the multiplier that rate_ = h(gamma/z) is of; most rounds need no new one
  double rate_ = 0;
  Action last_{};         // of the last round, with the pivot kLast
  bool moved_ = false;    // the round being played has noise and another action than last_
  double last_loss_ = 0;  // what last_ loses in it
  double last_total_ = 0;
};

}  // namespace hannan
