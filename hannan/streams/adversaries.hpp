// Streams that answer the learner's actions: `adaptive` and `infer`.
//
//   adaptive  a unit loss on the expert played in the round before, expert 0 in the first round. Whoever
//             tends to repeat its last action pays for it; L* is at most T/K.
//   infer     two experts, against gftpl with matrix [[0],[1]], Laplace noise and gamma = c = 1. It plays 1
//             exactly when L_1 + z alpha < L_0, z = sqrt(L* + 1): when alpha < (L_0 - L_1)/z. With one draw
//             for all rounds the actions narrow the interval in which alpha can lie; the adversary hits the
//             likelier action given the interval. It misses about 5 times in 1000 rounds and once more for
//             every further factor 4: the learner loses nearly every round, the better expert about half of
//             them, regret T/2. With fresh draws there is nothing to learn: the interval becomes
//             contradictory, and the adversary starts again from the last action alone.
//
// Cost: constant a round, plus writing the row.
#pragma once

#include <memory>

#include "hannan/streams/loss_stream.hpp"

namespace hannan::detail {

std::unique_ptr<LossStream> make_adaptive_stream(const StreamSpec& spec);
std::unique_ptr<LossStream> make_infer_stream(const StreamSpec& spec);

}  // namespace hannan::detail
