// Functions of the closed forms that cancel at small arguments, by + - * / and core/elementary.hpp alone, so that
// every machine gives the same bits. Relative error: a few 2^-52.
#pragma once

namespace hannan::detail::forms {

// e^u - 1.
double exp_less_one(double u);

// ln(1 + x), x > -1.
double log_one_plus(double x);

// half_stability (docs/theory-run.md), u >= 0:
//   h(u) = 1 - (1 - e^-u)/u    at most this part of a loss is its gap, in the mean
//   g(u) = u/(1 - e^-u) - 1    the same, of the mix loss
// Both are 0 at 0.
double h(double u);
double g(double u);

}  // namespace hannan::detail::forms
