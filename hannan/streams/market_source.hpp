// Outcomes of a problem, made from a simulated market.
//
// What a market means to a problem is said in the problem's folder, by its function simulated(const MarketDraws&).
//
// "adversarial" looks at what the learner played last and picks, of 16 uniform candidates, the outcome
// on which that would have lost most.
#pragma once

#include <cstdint>
#include <memory>

#include "hannan/streams/market.hpp"
#include "hannan/streams/simulated_segments.hpp"
#include "hannan/streams/source.hpp"

namespace hannan::detail {

struct MarketSourceSpec {
  MarketSpec market;  // or the name "adversarial"
  std::uint64_t rounds = 1000;
  SegmentSpec segments = {};  // no columns: no contexts
};

// Throws kUnavailable for problems whose outcomes no market makes, and for segments of an adversary. The game must
// outlive the source.
std::unique_ptr<Source> market_source(const Game& game, const MarketSourceSpec& spec);

}  // namespace hannan::detail
