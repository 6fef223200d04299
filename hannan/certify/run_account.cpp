// Saving the sums of an account. A state without them (an earlier version) reads as an account of no rounds, which is
// less than the learner's rounds, and no certificate of the run is stated.
#include "hannan/certify/run_account.hpp"

namespace hannan::detail {

void AccountSums::archive(Archive& a) {
  a.later_count("account_rounds", rounds);
  a.later_count("noisy_rounds", noisy, rounds);
  a.later_field("first_multiplier", first);
  a.later_field("quiet_gaps", quiet_gaps);
  a.later_field("noisy_gaps", noisy_gaps);
  a.later_field("moves", moves);
  a.later_field("up_moves", up_moves);
  a.later_field("up_squares", up_squares);
  a.later_field("up", up);
  a.later_field("free_gaps", free_gaps);
  a.later_field("squares", squares);
  a.later_field("left", left);
  a.later_field("moved_left", moved_left);
  a.later_field("credits", credits);
  if (!a.reading()) return;
  // Only moves may be negative, and rounding may make up_moves so.
  for (const double sum :
       {first, quiet_gaps, noisy_gaps, up_squares, up, free_gaps, squares, left, moved_left, credits}) {
    if (!(sum >= 0)) a.refuse("", "found a negative sum in the account of the run");
  }
}

// Called when the outcome is known and the learner has not taken it in: noise, leader and multiplier are those that the
// round was played with.
void RunAccount::before(const Learner& learner, const AnyOutcome& y) {
  move(learner);
  const auto& played = learner.act();
  moved_ = setting_.leaderless && sums_.rounds > 0 && played.noise_scale() > 0 && !(last_ == played.action);
  if (moved_) last_loss_ = learner.problem().loss(last_, y);
}

void RunAccount::skip(const Learner& learner, std::uint64_t rounds) {
  move(learner);
  moved_ = false;
  after(learner.act(), Step{});
  sums_.rounds += rounds - 1;
  if (z_ > 0) sums_.noisy += rounds - 1;
}

// What the multiplier of the round being played differs from the last one's by.
void RunAccount::move(const Learner& learner) {
  const auto& played = learner.act();
  // In units of this round the last multiplier is discount * z_; the move is measured from there.
  const double z = played.noise_scale(), before = setting_.discount * z_;
  move_ = 0;
  if (sums_.rounds == 0) {
    sums_.first = z;
    return;
  }
  if (z != before && z > 0) move_ = move_of(learner, played, z);
  if (z != before) sums_.moved_left += played.left;
}

// Called when the learner has taken the outcome in. `step` says what the round cost: its loss, its gap where gaps are
// measured, and what an oracle that stopped early left open.
void RunAccount::after(const Decision& played, const Step& step) {
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
    last_total_ = setting_.discount * played.value + step.weight * step.loss;  // its total loss where z = 0
  }
}

void RunAccount::archive(Archive& a, const Game& game) {
  sums_.archive(a);
  a.later_field("last_multiplier", z_);
  if (setting_.pivot != Pivot::kLast || sums_.rounds == 0) return;
  a.open("last");
  game.archive_action(a, last_);
  if (a.reading() && !game.allows(last_)) a.refuse("", "found what is no action of this problem");
  a.close();
  a.field("last_total", last_total_);
}

// What the change of the multiplier is worth: its size times the difference of the noise at the pivot and at the action
// played. From a multiplier of 0 there was no noise to play by, so that the difference of their totals is taken off.
double RunAccount::move_of(const Learner& learner, const Decision& played, double z) const {
  const bool leads = setting_.pivot == Pivot::kLeader;
  const AnyAction& pivot = leads ? learner.seen().peek().action : last_;
  if (pivot == played.action) return 0;
  const RoundNoise& noise = *learner.round_noise();
  const double move = (z - setting_.discount * z_) * (noise.exact(pivot) - noise.exact(played.action));
  if (z_ > 0) return move;
  const double total = learner.seen().total_of(played.action, played.value, noise, z);
  return move - (total - (leads ? learner.seen().peek().value : last_total_));
}

}  // namespace hannan::detail
