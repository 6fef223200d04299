// The learners for C++ users by name of function: each rule keeps its options and makes the learner once game, oracle
// and noise are known (learner.hpp). No checks of theory are made here beyond what would fail later: a learner that
// needs noise is given some, one that lists actions can. The command line goes through LearnerMaker instead, which
// checks more.
#include "hannan/learners/rules.hpp"

#include <string>
#include <utility>

#include "hannan/core/error.hpp"
#include "hannan/learners/ada.hpp"
#include "hannan/learners/classical.hpp"
#include "hannan/learners/gftpl.hpp"
#include "hannan/learners/hedge.hpp"
#include "hannan/learners/leader.hpp"

namespace hannan {
namespace {

detail::Perturber perturber(const LearnerParts& parts) {
  if (!parts.matrix || !parts.draw.fill)
    throw Error(Code::kUnavailable, "found no noise, expected a matrix and a draw: this learner plays by noise",
                "matrix");
  return {parts.oracle, parts.matrix, parts.draw};
}

// Learners that keep a weight for each action need actions by number.
std::unique_ptr<detail::Learner> mixture(const LearnerParts& parts, std::unique_ptr<detail::MixtureRate> rate,
                                         Key key) {
  if (!parts.game->numbers_actions())
    throw Error(Code::kUnavailable,
                "found a problem without size() and action(k), expected one: this learner keeps a "
                "number per action",
                "problem");
  return std::make_unique<detail::Hedge>(detail::Hedge::Parts{parts.game, parts.oracle, std::move(rate), key});
}

}  // namespace

Rule leader() {
  return [](const LearnerParts& parts) { return std::make_unique<detail::Leader>(parts.game, parts.oracle); };
}

Rule ada(AdaOptions options) {
  return [options](const LearnerParts& parts) {
    return std::make_unique<detail::Ada>(detail::Ada::Parts{.problem = parts.game,
                                                            .oracle = parts.oracle,
                                                            .perturber = perturber(parts),
                                                            .noise_size = options.noise_size,
                                                            .gap = options.gap,
                                                            .discount = options.discount});
  };
}

Rule flipflop(FlipFlopOptions options) {
  return [options](const LearnerParts& parts) {
    return std::make_unique<detail::FlipFlop>(detail::FlipFlop::Parts{.problem = parts.game,
                                                                      .oracle = parts.oracle,
                                                                      .perturber = perturber(parts),
                                                                      .noise_size = options.noise_size,
                                                                      .constants = options.constants,
                                                                      .gap = options.gap});
  };
}

Rule gftpl(Schedule schedule) {
  return [schedule = std::move(schedule)](const LearnerParts& parts) {
    return std::make_unique<detail::Gftpl>(detail::Gftpl::Parts{parts.game, parts.oracle, perturber(parts), schedule});
  };
}

Rule classical() {
  return [](const LearnerParts& parts) {
    return std::make_unique<detail::Classical>(detail::Classical::Parts{parts.game, parts.oracle, perturber(parts)});
  };
}

Rule hedge(Schedule schedule, Key key) {
  return [schedule = std::move(schedule), key](const LearnerParts& parts) {
    return mixture(parts, std::make_unique<detail::ScheduledRate>(schedule), key);
  };
}

Rule adahedge(Key key) {
  return [key](const LearnerParts& parts) {
    return mixture(parts, std::make_unique<detail::AdaHedgeRate>(parts.game->ln_size()), key);
  };
}

Rule flipflop_hedge(FlipFlopConstants constants, Key key) {
  return [constants, key](const LearnerParts& parts) {
    return mixture(parts, std::make_unique<detail::FlipFlopRate>(parts.game->ln_size(), constants), key);
  };
}

}  // namespace hannan
