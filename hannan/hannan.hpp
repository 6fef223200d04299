// The public C++ interface, for games of your own: write a problem and its oracle, pick a
// perturbation, a noise and a learner, play, and compare with the bound (examples/own_problem.cpp).
//
//   problem     Action, Outcome, loss, ln_size                        core/problem.hpp
//   oracle      History, empty, add, best; kSigned                    core/oracle.hpp
//   learner     act, observe; total, best, regret                     learner.hpp
//
// The built-in problems are in hannan/problems.hpp, which is included beside this one (examples/built_in_reserves.cpp).
// These two and what they include are the public headers: each states at its top what it is for, what it needs and
// throws, what it costs and who may call it. Everything in namespace hannan::detail may change.
#pragma once

#include "hannan/certify/bounds.hpp"
#include "hannan/certify/run_bounds.hpp"
#include "hannan/core/error.hpp"
#include "hannan/core/tally.hpp"
#include "hannan/learner.hpp"
#include "hannan/noise/noise.hpp"
#include "hannan/oracles/tabulate.hpp"
#include "hannan/perturbations/coded_columns.hpp"
#include "hannan/perturbations/outcome_columns.hpp"
#include "hannan/schedules/schedules.hpp"
