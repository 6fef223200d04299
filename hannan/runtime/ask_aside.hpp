// A report asks the oracle for more than the rounds did, and must not change the rounds to come. A search with a work
// limit is changed by what was asked before (its hints, oracles/warm_start.hpp): where it stops early it may then find
// another action. So the state of such a learner is kept before a report and taken back after it. A state holds no
// decision; the one of the open round is made again from the same state, and is the same.
//
// Cost: a state written and read, for learners whose oracle has a limit; nothing for others.
#pragma once

#include <functional>

namespace hannan::detail {

class AnyLearner;

void ask_aside(AnyLearner& learner, const std::function<void()>& questions);

}  // namespace hannan::detail
