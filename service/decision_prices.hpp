// What stands beside a decision for people and scripts: the prices that it means.
#pragma once

#include "hannan/io/json.hpp"
#include "service/learner_config.hpp"

namespace hannan::detail::service {

// The amounts of an action in money, by the names of the slots or by numbers from 1 on; null where they are no money,
// or where nothing says how much they are.
Json prices_of(const LearnerConfig& config, const Json& action);

// Of a line of a learner with contexts: the action of the segment that was picked; null where the line has none.
const Json* picked_action(const Json& line);

}  // namespace hannan::detail::service
