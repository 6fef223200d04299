#include "service/gain_stretches.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "hannan/core/error.hpp"
#include "tests/dice.hpp"
#include "tests/no_doubts.hpp"

namespace hannan::detail::service {
namespace gain_stretches_test {

struct GainRun {
  std::vector<double> gains;
  GainStretches stretches;
  double squares = 0;
  GainSums sums() const {
    return {.rounds = gains.size(),
            .gain = std::accumulate(gains.begin(), gains.end(), 0.0),
            .squares = squares,
            .blocks = stretches.blocks()};
  }
};

GainRun run_of(std::size_t rounds) {
  GainRun run;
  Dice dice(7);
  for (std::size_t t = 0; t < rounds; ++t) {
    const double gain = dice.unit() - 0.4;
    run.gains.push_back(gain);
    run.stretches.add(gain);
    run.squares += gain * gain;
  }
  return run;
}

void expect_near(const Interval& found, const Interval& expected, double within) {
  EXPECT_NEAR(found.lo, expected.lo, within);
  EXPECT_NEAR(found.hi, expected.hi, within);
}

TEST(GainStretches, GiveTheJudgementOfTheSingleGainsWhileTheyAreFew) {
  for (const std::size_t rounds : {1U, 39U, 40U, 41U, 200U, 511U, 512U}) {
    const GainRun run = run_of(rounds);
    const Judgement all = judge(run.gains, {.doubts = sure(), .baseline = 100}),
                    sums = judge_sums(run.sums(), {.doubts = sure(), .baseline = 100});
    EXPECT_EQ(sums.advice, all.advice) << rounds;
    EXPECT_EQ(sums.reason, all.reason) << rounds;
    expect_near(sums.anytime, all.anytime, 1e-9);
    if (rounds >= kLeastRounds) expect_near(sums.blocks, all.blocks, 1e-9);
  }
}

// A block of 1,250 rounds may end 8 rounds too late: its total is off by at most 8 times the largest gain, 0.6.
TEST(GainStretches, OfManyRoundsGiveBlocksOfNearlyEqualLength) {
  const GainRun run = run_of(10'000);
  const auto blocks = run.stretches.blocks();
  double all = 0;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const auto begin = run.gains.begin() + static_cast<std::ptrdiff_t>(1250 * i);
    EXPECT_NEAR(blocks[i], std::accumulate(begin, begin + 1250, 0.0), 2 * 16 * 0.6) << i;
    all += blocks[i];
  }
  EXPECT_NEAR(all, run.sums().gain, 1e-9) << "every gain is in one block";
}

TEST(GainStretches, GoOnFromTheirStateAsIfTheyHadNotStopped) {
  for (const std::size_t rounds : {1U, 512U, 513U, 5000U}) {
    GainStretches whole = run_of(rounds).stretches;
    GainStretches again = GainStretches::of(parse_json(dump(whole.json())), "stretches");
    for (int i = 0; i < 2000; ++i) {
      whole.add(0.25);
      again.add(0.25);
    }
    EXPECT_EQ(dump(whole.json()), dump(again.json()));
  }
  EXPECT_THROW(GainStretches::of(parse_json(R"({"width":2,"rounds":5,"gains":[1,2]})"), "stretches"), Error);
}

}  // namespace gain_stretches_test
}  // namespace hannan::detail::service
