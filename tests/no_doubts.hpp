// Of gains that are known of a log of which nothing is in doubt.
#pragma once

#include "hannan/compare/doubts.hpp"

namespace hannan::detail {

// `most`: the largest gain of a round.
inline Doubts sure(double most = 1) {
  return {.log = doubts_of_log(Json()), .best = BestRange::exact(), .most = std::optional(most)};
}

}  // namespace hannan::detail
