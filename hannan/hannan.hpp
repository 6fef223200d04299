// The public C++ interface, for games of your own: write a problem and its oracle, pick a
// perturbation, a noise and a learner, play, and compare with the bound (examples/own_problem.cpp).
//
//   problem     Action, Outcome, loss, ln_size                        core/problem.hpp
//   oracle      History, empty, add, best; kSigned                    core/oracle.hpp
//   learner     act, observe; total, best, regret                     learner.hpp
//
// The built-in problems are classes too (problems.hpp, examples/typed_reserves.cpp).
#pragma once

#include "hannan/certify/anytime.hpp"
#include "hannan/certify/bounds.hpp"
#include "hannan/certify/emax.hpp"
#include "hannan/certify/run_bounds.hpp"
#include "hannan/core/error.hpp"
#include "hannan/core/tally.hpp"
#include "hannan/learner.hpp"
#include "hannan/noise/noise.hpp"
#include "hannan/noise/seeded.hpp"
#include "hannan/oracles/tabulate.hpp"
#include "hannan/perturbations/coded_columns.hpp"
#include "hannan/perturbations/outcome_columns.hpp"
#include "hannan/problems.hpp"
#include "hannan/problems/price_list.hpp"
#include "hannan/schedules/schedules.hpp"
