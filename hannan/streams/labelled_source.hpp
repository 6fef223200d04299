// The threshold streams (threshold_streams.hpp) as outcomes of `classification`: point and label of each round.
//
// On points 0, 1, ..., m-1 in ascending order the class `thresholds` is that of the streams, K = m + 1, and a learner
// meets the same losses as among experts; its code `outcomes` is the paper's matrix, `one-hot` the indicator matrix.
#pragma once

#include <memory>

#include "hannan/streams/source.hpp"

namespace hannan::detail {

// Does this stream label points?
bool labels_points(std::string_view stream);

// Takes the number of points from the problem, which must outlive the source. Throws kUnavailable where a round has no
// point, which is no outcome there, and kOutOfRange where the problem has no points, at "stream.<field>".
std::unique_ptr<Source> labelled_source(const Game& game, StreamSpec spec);

}  // namespace hannan::detail
