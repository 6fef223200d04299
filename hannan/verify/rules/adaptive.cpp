// The rules of ada and flipflop (docs/theory.md), written a second time:
//   z_{t+1} = S_t / M,  S_t = S_{t-1} + gap_t                                          ada, flop rounds
//   gap_t = [L_t + z_t n_t](x_t) - [L_t + z_t n_t](x'_t)                               gap "mix"
//   gap_t = f(x_t,y_t) - f(x'_t,y_t)                                                   gap "loss"
//   D_flip grows by f(x_t,y_t) - (L*_t - L*_{t-1}), x_t the leader                     flip rounds
//   leave flip when D_flip > (phi/a) D_flop, leave flop when D_flop > a D_flip.
// ada with a discount beta (docs/theory-run.md, discounted), L_t being beta L_{t-1} + f(.,y_t):
//   S_t = beta S_{t-1} + gap_t,  x'_t and gap_t with beta z_t for z_t.
// Cost of a round: what two choices cost (round_rule.hpp).
#include "hannan/verify/rules/adaptive.hpp"

#include <algorithm>

#include "hannan/core/error.hpp"
#include "hannan/io/limits.hpp"

namespace hannan::detail {

FlipConstants read_flip_constants(Fields& in) {
  const double phi = in.number("phi", limits::kSwitching);
  return {.phi = phi, .a = in.number("a", limits::kTuning)};
}

forms::GapOf read_adaptive(Fields& in, RecordedSetting& s) {
  read_certificates(in, s);
  const bool mix = in.choice("gap", {"mix", "loss"}) == "mix";
  if (s.any_range && !mix)
    throw Error(Code::kRejected, "found \"loss\", a rule for losses in [0,1] alone", in.at("gap"));
  demand_size(in, s);
  return mix ? forms::GapOf::kMix : forms::GapOf::kLoss;
}

void AdaptiveRule::read_decision(Fields& in) {
  multiplier_ = in.number("multiplier", kNonnegative);
  if (flips_) regime_ = in.word("regime");
}

void AdaptiveRule::read(Fields& in) {
  read_decision(in);
  after_ = in.need("after");
  if (flips_) {
    stability_ = in.numbers("stability", kNonnegative);
    if (stability_.size() != 2) claims().reject("stability", "expected two numbers, of flip and of flop");
  } else {
    stability_ = {in.number("stability", kNonnegative)};
  }
  read_gap(in);
  if (flips_ && !is_node()) switched_ = in.flag("switched");
}

void AdaptiveRule::decided(const RecordedRound& round) {
  if (flips_) expect_regime(regime_, flipping_ ? "flip" : "flop");
  const double size = *setting().noise.size;
  claims().expect("multiplier", multiplier_, flipping_ || size <= 0 ? 0.0 : cost_ / size);
  Choice played = played_in(round);
  played.asked = !(flipping_ && known_);
  expect_perturbed(played, {recomputed(), round.t, multiplier_});
  // A leader is asked for at most once between two outcomes, and once more after the round.
  calls_ += flipping_ && known_ ? 1 : 2;
  known_ = flipping_;
  count_decision(round, multiplier_);
}

void AdaptiveRule::observed(const RecordedRound& round) {
  const Objective at{recomputed(), round.t, setting().discount * multiplier_};
  const ScoredAction scored = scored_action(after_, "after", *round.outcome);
  // The next leader is found now; by how much it falls short counts when it is played.
  const Choice after{.action = after_, .index = scored.index, .field = "after", .counted = !flipping_};
  expect_perturbed(after, at);
  const bool switched =
      flipping_ ? observe_flip(round) : observe_flop(round, scored.loss, above(played_in(round), after, at));
  if (switched) flipping_ = !flipping_;
  double stability = 0;
  for (const double part : stability_) stability += part;
  count_round({round, multiplier_, gap_, stability, switched_.value_or(false)});
}

// No outcome: no x', no gap, and a leader that was asked for is known in the next round too.
void AdaptiveRule::skipped(const RecordedRound& round) {
  calls_ -= 1;
  count_round({round, multiplier_, 0.0, flip_ + cost_});
}

// Both say whether the round was the last one of its part.
bool AdaptiveRule::observe_flip(const RecordedRound& round) {
  std::optional<double> gap;
  if (round.best_before && round.best_after)
    gap = std::clamp(weight_ * round.action_loss - (*round.best_after - *round.best_before), 0.0, most_gap());
  checked_gap(gap);
  if (gap) {
    claims().expect_of_oracle("stability", stability_[0], flip_ + *gap);
  } else {
    take_over();
    expect_growth(stability_[0], flip_);
  }
  claims().expect("stability", stability_[1], cost_);
  flip_ = stability_[0];
  return switches(switched_, flip_, flips_->phi / flips_->a * cost_);
}

// `mix` is by how much x_t is above x'_t on the new totals, where it was computed.
bool AdaptiveRule::observe_flop(const RecordedRound& round, double after_loss, std::optional<double> mix) {
  const double gain = round.action_loss - after_loss;
  // The same noise and one more outcome: the second choice cannot lose more to that outcome, nor be above the first.
  const double slack = 10 * recomputed().slack(claims().precision().size);
  if (gain < -slack) claims().suspect("after", "found an action that loses more than the one played before it");
  if (mix && *mix < -slack) claims().suspect("after", "found an action that is worse than the one played before it");
  const auto recorded = checked_gap(mix);
  const double found = stability_.back(), before = setting().discount * cost_;
  if (gap_rule_ == forms::GapOf::kLoss) {
    claims().expect("stability", found, before + weight_ * std::clamp(gain, 0.0, 1.0));
  } else if (mix || recorded) {
    claims().expect("stability", found, before + std::clamp(mix ? *mix : *recorded, 0.0, most_gap()));
  } else {
    take_over();
    expect_growth(found, before);
  }
  if (flips_) claims().expect("stability", stability_[0], flip_);
  cost_ = found;
  return flips_ && switches(switched_, cost_, flips_->a * flip_);
}

// Where the line has no gap that was counted already.
void AdaptiveRule::take_over() const {
  if (is_node()) ++claims().taken_over().gaps;
}
void AdaptiveRule::expect_growth(double found, double before) const {
  if (found < before) claims().expect("stability", found, before);
  if (found > before + most_gap()) claims().expect("stability", found, before + most_gap());
}

}  // namespace hannan::detail
