// The rules of ada and flipflop (docs/theory.md), written a second time:
//   z_{t+1} = S_t / M,  S_t = S_{t-1} + gap_t                                          ada, flop rounds
//   gap_t = [L_t + z_t n_t](x_t) - [L_t + z_t n_t](x'_t)                               gap "mix"
//   gap_t = f(x_t,y_t) - f(x'_t,y_t)                                                   gap "loss"
//   D_flip grows by f(x_t,y_t) - (L*_t - L*_{t-1}), x_t the leader                     flip rounds
//   leave flip when D_flip > (phi/a) D_flop, leave flop when D_flop > a D_flip.
// ada with a discount beta (docs/theory-run.md, discounted), L_t being beta L_{t-1} + f(.,y_t):
//   S_t = beta S_{t-1} + gap_t,  x'_t and gap_t with beta z_t for z_t.
#include <algorithm>

#include "hannan/verify/rules.hpp"

namespace hannan::detail {
namespace {

class AdaptiveRule final : public RoundRule {
 public:
  explicit AdaptiveRule(const RuleInput& in)
      : RoundRule(in), two_parts_(in.setting.rule->stability == 2), flipping_(two_parts_) {}

  void decided(const RecordedRound& round) override {
    if (two_parts_ && round.regime != (flipping_ ? "flip" : "flop")) {
      claims().reject("regime", "found \"" + round.regime + "\", expected \"" + (flipping_ ? "flip" : "flop") + "\"");
    }
    const double size = *setting().noise_size;
    claims().expect("multiplier", round.multiplier, flipping_ || size <= 0 ? 0.0 : cost_ / size);
    expect_perturbed({.action = round.action, .index = round.index, .field = "action", .asked = !(flipping_ && known_)},
                     {recomputed(), round.t, round.multiplier});
    // A leader is asked for at most once between two outcomes, and once more after the round.
    calls_ += flipping_ && known_ ? 1 : 2;
    known_ = flipping_;
  }

  void observed(const RecordedRound& round) override {
    const Objective at{recomputed(), round.t, setting().discount * round.multiplier};
    const Choice played{round.action, round.index, "action"};
    // The next leader is found now; by how much it falls short counts when it is played.
    const Choice after{.action = *round.after, .index = round.after_index, .field = "after", .counted = !flipping_};
    expect_perturbed(after, at);
    const bool switched = flipping_ ? observe_flip(round) : observe_flop(round, above(played, after, at));
    if (switched) flipping_ = !flipping_;
  }
  std::uint64_t oracle_calls() const override { return calls_; }

 private:
  // Both say whether the round was the last one of its part.
  bool observe_flip(const RecordedRound& round) {
    std::optional<double> gap;
    if (round.best_before && round.best_after)
      gap = std::clamp(round.action_loss - (*round.best_after - *round.best_before), 0.0, most_gap());
    checked_gap(round, gap);
    if (gap) {
      claims().expect_of_oracle("stability", round.stability[0], flip_ + *gap);
    } else {
      take_over(round);
      expect_growth("stability", round.stability[0], flip_);
    }
    claims().expect("stability", round.stability[1], cost_);
    flip_ = round.stability[0];
    return switches(round, flip_, setting().phi / setting().flip_a * cost_);
  }

  // `mix` is by how much x_t is above x'_t on the new totals, where it was computed.
  bool observe_flop(const RecordedRound& round, std::optional<double> mix) {
    const double gain = round.action_loss - round.after_loss;
    // The same noise and one more outcome: the second choice cannot lose more to that outcome, nor be above the first.
    const double slack = 10 * recomputed().slack(claims().precision().size);
    if (gain < -slack) claims().suspect("after", "found an action that loses more than the one played before it");
    if (mix && *mix < -slack) claims().suspect("after", "found an action that is worse than the one played before it");
    const auto recorded = checked_gap(round, mix);
    const double found = round.stability.back(), before = setting().discount * cost_;
    if (!setting().mix_gap) {
      claims().expect("stability", found, before + std::clamp(gain, 0.0, 1.0));
    } else if (mix || recorded) {
      claims().expect("stability", found, before + std::clamp(mix ? *mix : *recorded, 0.0, most_gap()));
    } else {
      take_over(round);
      expect_growth("stability", found, before);
    }
    if (two_parts_) claims().expect("stability", round.stability[0], flip_);
    cost_ = found;
    return two_parts_ && switches(round, cost_, setting().flip_a * flip_);
  }

  // Where the line has no gap that was counted already.
  void take_over(const RecordedRound& round) const {
    if (!round.has_gap) ++claims().taken_over().gaps;
  }
  void expect_growth(const char* field, double found, double before) const {
    if (found < before) claims().expect(field, found, before);
    if (found > before + most_gap()) claims().expect(field, found, before + most_gap());
  }

  bool two_parts_;
  bool flipping_;
  bool known_ = false;  // the leader of the outcomes so far was asked for already
  double flip_ = 0;     // D_flip
  double cost_ = 0;     // S, or D_flop
  std::uint64_t calls_ = 0;
};

}  // namespace

std::unique_ptr<RoundRule> make_adaptive_rule(const RuleInput& in) { return std::make_unique<AdaptiveRule>(in); }

}  // namespace hannan::detail
