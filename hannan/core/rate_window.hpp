// When a rate ln K / stability means something: the stability is a sum of differences of totals of about this size.
//
// Totals that tie differ by rounding alone, up to the tie window, and a rate ln K / stability weighs them
// exp(ln K * difference / stability) apart: from a stability within the window it would be rounding that is weighed.
// Such a stability counts as 0, the rate as infinite, at which ties share the weight (docs/theory-run.md, rates and
// rounding).
#pragma once

#include "hannan/core/tolerance.hpp"

namespace hannan::detail {

inline bool makes_rate(double stability, double total, double unit = 1) { return stability > tie_window(total, unit); }

}  // namespace hannan::detail
