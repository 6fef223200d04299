// Streams of independent Bernoulli losses: `iid`, `small-loss`, `drift`.
//
// Loss of expert k in round t: 1 if u(t, k) < mean(t, k), with u(t, k) = column k of round t. What is
// drawn once is in round 0: column 0 the best expert, columns 1 .. K the rates, columns K+1 ... the
// rounds in which the best expert of small-loss is hit (Floyd's sampling without replacement).
#pragma once

#include <memory>

#include "hannan/streams/loss_stream.hpp"

namespace hannan::detail {

// Throws kOutOfRange unless 0 <= best <= others <= 1.
std::unique_ptr<LossStream> make_iid_stream(const StreamSpec& spec);

// Throws kOutOfRange unless hits <= rounds. Memory: O(K + hits).
std::unique_ptr<LossStream> make_small_loss_stream(const StreamSpec& spec);

// Regime r = (t-1) div period, w = ((t-1) mod period) / period in [0,1); g_r uniform, independent. The mean
// of g_r is others - (others-best)(1-w), that of g_{r+1} others - (others-best) w; if they are the same
// expert it stays at best. At w = 0 there is one good expert, at w = 1/2 two that are equally good.
// Throws kOutOfRange unless 0 <= best <= others <= 1 and period >= 1.
std::unique_ptr<LossStream> make_drift_stream(const StreamSpec& spec);

}  // namespace hannan::detail
