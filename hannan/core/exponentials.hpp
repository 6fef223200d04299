// portable_exp and portable_log of many numbers at once: the same bits, in vectors.
#pragma once

#include <span>

namespace hannan::detail {

// Every number x becomes portable_exp(x).
void portable_exp_all(std::span<double> numbers);
// The same of numbers that are at most 700 and none of which is NaN: nothing is asked about them.
void portable_exp_of_bounded(std::span<double> numbers);
// Every number x, positive, finite and not subnormal, becomes portable_log(x).
void portable_log_all(std::span<double> numbers);

}  // namespace hannan::detail
