// Where a round's noise comes from: a function of the round, filled into alpha.
//
// kFresh draws anew every round (safe against adaptive data); kOnce is one draw for all rounds
// (oblivious data only). Given noise is a list, one draw for all or one a round.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

namespace hannan {

enum class Freshness { kFresh, kOnce };

// The signs that the numbers of a draw may have.
enum class DrawSigns { kBoth, kNonNegative };

struct Draw {
  std::function<void(std::uint64_t round, std::span<double> alpha)> fill;  // rounds count from 1
  Freshness freshness = Freshness::kFresh;
  DrawSigns signs = DrawSigns::kBoth;
};

}  // namespace hannan
