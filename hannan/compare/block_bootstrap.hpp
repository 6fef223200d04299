// How sure a total over rounds is: percentile intervals of a bootstrap over blocks of rounds.
//
// Rounds that follow each other are alike, so whole blocks are drawn again, with replacement, as many
// as there are; the total is T * (sum of the drawn blocks' amounts) / (sum of their rounds), which a
// shorter last block does not distort. The interval holds the middle 95% of 2000 such totals. It says
// how much the figure depends on which stretches of the log happened; the decisions are taken as given.
//
// Draws are keyed (core/keyed_random.hpp): the same seed gives the same interval on every machine.
// Cost: 2000 * blocks draws.
#pragma once

#include <cstdint>
#include <vector>

#include "hannan/core/interval.hpp"

namespace hannan::detail {

struct Block {
  std::uint64_t rounds = 0;
  double amount = 0;
};

inline constexpr std::uint64_t kResamples = 2000;
inline constexpr double kLevel = 0.95;

// With a single block there is nothing to draw from: both ends are the total itself.
Interval block_bootstrap(const std::vector<Block>& blocks, std::uint64_t seed);

}  // namespace hannan::detail
