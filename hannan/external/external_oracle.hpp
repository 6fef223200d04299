// An oracle of the user's own, a program or code in this process, audited: what it answers is scored again with the
// problem's own loss, so a value is never the program's word.
//
// Evidence becomes weighted outcomes, equal ones merged, none of weight 0, and is sent whole every call:
// O(distinct outcomes) a call on our side. Noise comes as data sets, of non-negative weights if the
// program takes no others.
//
// Floor: losses lie in [0,1], so no action is below the sum of the negative weights; the program may claim a
// better floor, or that every answer is a minimiser (then floor = value). Such claims cannot be proven here, but
// refuted: an action seen before that is below a claimed floor, or better than a claimed minimiser, is a
// witness and an error. What was claimed stands in the report.
//
// An answer is a function of the evidence alone and earlier ones never replace it: a resumed run must go on like
// one that was not stopped. The last questions are remembered with their answers, so that a round taken back
// after a failure, or a report after it, asks nothing again.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "hannan/external/asked_oracle.hpp"
#include "hannan/game/game.hpp"

namespace hannan::detail {

// One that answers in this process.
std::shared_ptr<const GameOracle> external_oracle(std::shared_ptr<const Game> problem,
                                                  std::unique_ptr<AskedOracle> asked);
// Starts the program and waits until it is ready. `path` is the field that the name stands in.
std::shared_ptr<const GameOracle> external_oracle(std::shared_ptr<const Game> problem, const std::string& name,
                                                  std::string_view path);

}  // namespace hannan::detail
