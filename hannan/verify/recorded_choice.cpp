#include "hannan/verify/recorded_choice.hpp"

#include <cmath>

namespace hannan::detail {

RecordedRound read_choice(Fields& in, const RecordedSetting& setting, const Claims& claims) {
  const auto& rule = *setting.rule;
  RecordedRound r;
  r.action = in.need("action");
  if (rule.multiplier) {
    r.multiplier = in.number("multiplier", kNonnegative);
  } else if (!in.need("eta").is_null()) {
    r.eta = in.number("eta", {0, kExtended.hi});
  }
  if (rule.switches) r.regime = in.word("regime");
  if (rule.multiplier) r.after = in.need("after");
  if (rule.stability == 2) {
    r.stability = in.numbers("stability", kNonnegative);
    if (r.stability.size() != 2) claims.reject("stability", "expected two numbers, of flip and of flop");
  } else if (rule.stability == 1) {
    r.stability = {in.number("stability", kNonnegative)};
  }
  if (rule.estimates) {
    Fields estimates = in.fields("estimates");
    r.leader_estimate = estimates.number("leader");
    r.gftpl_estimate = estimates.number("gftpl");
    estimates.done();
  }
  return r;
}

std::optional<std::size_t> ChoiceScore::index_of(const Json& action, const char* field) const {
  if (!list_.listed()) return std::nullopt;
  const auto index = list_.index(action);
  if (!index) claims_.reject(field, "found " + dump(action) + ", which is no action of the problem");
  return index;
}

void ChoiceScore::score(RecordedRound& r, const AnyOutcome& outcome) {
  r.index = index_of(r.action, "action");
  const Game& game = *s_.problem;
  const AnyAction action = game.parse_action(r.action, "action");
  r.action_loss = game.loss(action, outcome);
  const double raw = game.raw(action, outcome);
  const double as_loss = s_.normaliser * r.action_loss;
  const double as_reward = s_.normaliser * ((s_.any_range ? 0.0 : 1.0) - r.action_loss);
  // Relative to what tells the two apart, which is nothing for a loss of 1/2, or of 0 where any number may be one.
  const Precision precision{.unit = std::abs(as_loss - as_reward)};
  if (!reward_ && precision.unit > (s_.any_range ? 0.0 : 2e-6 * s_.normaliser)) {
    if (agree(raw, as_loss, precision)) reward_ = false;
    if (agree(raw, as_reward, precision)) reward_ = true;
  }
  if (!r.after) return;
  r.after_index = index_of(*r.after, "after");
  r.after_loss = game.loss(game.parse_action(*r.after, "after"), outcome);
}

}  // namespace hannan::detail
