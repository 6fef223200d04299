#include "hannan/compare/block_bootstrap.hpp"

#include <gtest/gtest.h>

#include "hannan/core/keyed_random.hpp"

namespace hannan::detail {
namespace block_bootstrap_test {

TEST(BlockBootstrap, OfEqualBlocksIsTheTotalItself) {
  const auto sure =
      block_bootstrap({{.rounds = 10, .amount = 5}, {.rounds = 10, .amount = 5}, {.rounds = 4, .amount = 2}}, 0);
  EXPECT_NEAR(sure.lo, 12, 1e-9);
  EXPECT_NEAR(sure.hi, 12, 1e-9);
}

TEST(BlockBootstrap, SameSeedSameIntervalOtherSeedOther) {
  const std::vector<Block> blocks{{1, 1}, {1, 2}, {1, 5}, {1, 0.5}};
  EXPECT_EQ(block_bootstrap(blocks, 7).lo, block_bootstrap(blocks, 7).lo);
  EXPECT_LT(block_bootstrap(blocks, 7).lo, 8.5);
  EXPECT_GT(block_bootstrap(blocks, 7).hi, 8.5);
}

// 100 blocks of a uniform amount: the total has standard deviation sqrt(100/12) = 2.887, so an interval is
// about 2 * 1.96 * 2.887 = 11.3 wide and misses the mean 50 in about 5% of trials. 200 trials, fixed seeds:
// more than 24 misses (mean 10, standard deviation 3.1; the percentile method misses slightly more) or a mean
// width off by 15% would show.
TEST(BlockBootstrap, CoversTheMeanAboutAsOftenAsItSays) {
  int misses = 0;
  double width = 0;
  for (std::uint64_t trial = 0; trial < 200; ++trial) {
    std::vector<Block> blocks(100);
    const KeyedRandom random(Key{.seed = 11}, Purpose::kTest, trial);
    for (std::size_t k = 0; k < blocks.size(); ++k) blocks[k] = {.rounds = 1, .amount = random.uniform(k)};
    const auto sure = block_bootstrap(blocks, trial);
    misses += sure.lo > 50 || sure.hi < 50 ? 1 : 0;
    width += (sure.hi - sure.lo) / 200;
  }
  EXPECT_LE(misses, 24);
  EXPECT_NEAR(width, 11.3, 1.7);
}

}  // namespace block_bootstrap_test
}  // namespace hannan::detail
