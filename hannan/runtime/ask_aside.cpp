// Whether an oracle has a limit is asked of the problem, by the name that the learner was made with.
#include "hannan/runtime/ask_aside.hpp"

#include <algorithm>
#include <string>

#include "hannan/game/game.hpp"
#include "hannan/learners/choose_oracle.hpp"
#include "hannan/runtime/any_learner.hpp"

namespace hannan::detail {
namespace {

// Programs of the user's own keep what they keep: nothing can be taken back there.
bool has_limit(const AnyLearner& learner) {
  const Json* given = learner.params().find("oracle");
  if (!given || !given->is_string()) return false;
  const std::string name = split_oracle_name(given->as_string()).name;
  const auto all = learner.game().oracles();
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& oracle) { return oracle->name() == name; });
  return found != all.end() && (*found)->limited(1) != nullptr;
}

}  // namespace

void ask_aside(AnyLearner& learner, const std::function<void()>& questions) {
  if (!has_limit(learner)) return questions();
  const Json before = learner.save();
  questions();
  learner.restore(before.at("state"), "state");
}

}  // namespace hannan::detail
