// Learners of every kind of turn (runtime/turn.hpp).
#pragma once

#include "hannan/runtime/context_learner.hpp"
#include "hannan/runtime/delayed_learner.hpp"
#include "hannan/runtime/part_learner.hpp"
#include "hannan/runtime/plain_learner.hpp"
#include "hannan/runtime/portfolio_learner.hpp"
#include "hannan/runtime/sleeping_learner.hpp"
#include "hannan/runtime/turn.hpp"
