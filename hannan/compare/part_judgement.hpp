// What a run that saw a part says against an action that was named beforehand: the interval of `against`, in money, and
// the verdict of the one function that gives them (judgement.hpp).
//
// The interval of the own loss less that of the action holds with the learner's certainty, whatever the learner; what
// is gained is minus that, times the problem's normaliser. Where there is none, because the range of losses is not
// known or coins do not look fair, nothing is said.
#pragma once

#include <string>

#include "hannan/compare/judgement.hpp"
#include "hannan/game/game.hpp"
#include "hannan/io/json.hpp"

namespace hannan::detail {

struct PartPlayer {
  const Game& game;
  const Json& report;  // with `against`, whose first action is the baseline
  std::string label;
  std::string currency;
};
struct PartJudgement {
  Judgement judged;
  std::string sentence;
  Json json() const;  // {"recommendation", "reason", "gain", "low", "high", "sentence"}
};
PartJudgement judge_part(const PartPlayer& of);

}  // namespace hannan::detail
