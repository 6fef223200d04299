// The median of a row of forecasts: the middle number, or the mean of the two middle ones.
//
// Up to 32 numbers are ordered without branches, in pairs: those at even and those at odd places are sorted side by
// side by Batcher's network of odd-even merges, whose steps are known when the program is compiled. Then the first list
// meets the second from behind: the lesser of each meeting are the P least of all 2 P, so that the middle numbers are
// the largest of these and the least of the others. An odd count is filled up with infinity, which leaves the lower of
// the two in its place. Cost: 31 steps of pairs for 20 numbers. More numbers are partly sorted, O(n).
#pragma once

#include <span>

namespace hannan::detail {

// Of at least one number, none of them NaN; their order is changed. Of zeros of both signs it is one of them.
double median_of(std::span<double> numbers);

}  // namespace hannan::detail
