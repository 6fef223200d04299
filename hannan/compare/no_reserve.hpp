// What the outcomes of `vcg-reserves` bring where nothing is asked for: every bid may win, and the best losing one sets
// the price.
//
// With levels the lowest reserve is 1/m of the cap, and with ceilings in money the first ceiling may bind: neither is
// "no reserve", which is then no action of the problem. With prices in money and with shares the first entry is.
#pragma once

#include <functional>

#include "hannan/runtime/any_problem.hpp"

namespace hannan::detail {

// The loss of a round without any reserve or ceiling; empty for other problems. Opening bids of the outcome stay.
std::function<double(const AnyOutcome&)> no_reserve_loss(const AnyProblem& problem);

// Whether the first action of the problem is no reserve at all. Of vcg-reserves.
bool lowest_is_no_reserve(const AnyProblem& problem);

}  // namespace hannan::detail
