// Streams without randomness: `elimination` and `killer`.
//
//   elimination   n = 10 (K p + K - 1) unit losses, hit i = 0 .. n-1 in round floor(i (T-1)/(n-1)) + 1
//                 on expert (i div 10) mod K; all other rounds are zero. Expert K-1 ends with 10 p, every
//                 other one with 10 (p+1), so L* = 10 p and the best expert is the last.
//   killer        (0.5, 0), then (0, 1) in even rounds and (1, 0) in odd ones: from round 2 on the leader
//                 loses every time. After T rounds the losses are 0.5 + floor((T-1)/2) and floor(T/2).
//
// The spacing is computed in integers, hence exactly; floating point would fall one short where
// i (T-1)/(n-1) is an integer and its computed value is below.
#pragma once

#include <memory>

#include "hannan/streams/loss_stream.hpp"

namespace hannan::detail {

// Throws kOutOfRange unless the n hits fit in T rounds, one each.
std::unique_ptr<LossStream> make_elimination_stream(const StreamSpec& spec);

std::unique_ptr<LossStream> make_killer_stream(const StreamSpec& spec);

}  // namespace hannan::detail
