// Percentile intervals by drawing blocks anew (block_bootstrap.hpp). Resample i uses the stream of round i of a run of
// its own, draw k its column k, so the interval depends on the seed and the blocks alone. O(2000 blocks).
#include "hannan/compare/block_bootstrap.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "hannan/core/interruption.hpp"
#include "hannan/core/keyed_random.hpp"

namespace hannan::detail {
namespace {

// A run of the seed that no learner plays: its draws are the bootstrap's own.
constexpr std::uint64_t kOwnRun = std::uint64_t{1} << 62;

}  // namespace

Interval block_bootstrap(const std::vector<Block>& blocks, std::uint64_t seed) {
  if (blocks.empty()) return {};
  const double rounds = std::accumulate(blocks.begin(), blocks.end(), 0.0,
                                        [](double sum, const Block& b) { return sum + static_cast<double>(b.rounds); });
  std::vector<double> totals(kResamples);
  for (std::uint64_t i = 0; i < kResamples; ++i) {
    interruption_point();
    const KeyedRandom random(Key{.seed = seed, .run = kOwnRun}, Purpose::kMonteCarlo, i);
    double drawn = 0, amount = 0;
    for (std::size_t k = 0; k < blocks.size(); ++k) {
      const Block& block = blocks[static_cast<std::size_t>(random.below(k, blocks.size()))];
      drawn += static_cast<double>(block.rounds);
      amount += block.amount;
    }
    totals[i] = rounds * amount / drawn;
  }
  std::sort(totals.begin(), totals.end());
  // cut = 50: fifty totals lie outside at each end, 1900 of 2000 within.
  const auto cut = static_cast<std::size_t>(std::floor((1 - kLevel) / 2 * static_cast<double>(kResamples)));
  return {.lo = totals[cut], .hi = totals[kResamples - 1 - cut]};
}

}  // namespace hannan::detail
