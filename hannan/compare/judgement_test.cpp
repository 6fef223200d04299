#include "hannan/compare/judgement.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "tests/dice.hpp"

namespace hannan::detail {
namespace judgement_test {

using Gains = std::vector<double>;

void expect_range(const Interval& found, double low, double high) {
  EXPECT_NEAR(found.lo, low, 1e-9 * std::abs(low));
  EXPECT_NEAR(found.hi, high, 1e-9 * std::abs(high));
}

// The expected numbers were computed apart from this library.
TEST(Judgement, OfASteadyGainInFewRoundsCannotTell) {
  const Judgement judged = judge(Gains(39, 1.0), {.most = 1, .baseline = 300});
  EXPECT_EQ(judged.gain, 39);
  expect_range(judged.anytime, 15.597944984659577, 62.40205501534042);
  EXPECT_EQ(judged.blocks.lo, -std::numeric_limits<double>::infinity());
  EXPECT_EQ(judged.blocks.hi, std::numeric_limits<double>::infinity());
  EXPECT_EQ(judged.advice, Recommendation::kCannotTell);
}

TEST(Judgement, OfASmallSteadyLossKeepsWhatIsDone) {
  Gains gains(100);
  for (std::size_t t = 0; t < gains.size(); ++t) gains[t] = t % 2 == 0 ? -0.1 : -0.2;
  const Judgement judged = judge(gains, {.most = 5, .baseline = 1000});
  expect_range(judged.anytime, -42.73794410791305, 12.737944107913098);
  expect_range(judged.blocks, -15.592842674062265, -14.407157325937742);
  EXPECT_EQ(judged.advice, Recommendation::kKeep);
}

TEST(Judgement, OfAGainInTheFirstHalfOnlyCannotTell) {
  Gains gains(200, 1.0);
  std::fill(gains.begin() + 100, gains.end(), -0.9);
  const Judgement judged = judge(gains, {.most = 1, .baseline = 2000});
  expect_range(judged.anytime, -38.871368623160016, 58.87136862315972);
  expect_range(judged.blocks, -159.8113521906098, 179.81135219060985);
  EXPECT_EQ(judged.advice, Recommendation::kCannotTell);
}

TEST(Judgement, HasLongerBlocksFirstWhereTheRoundsDoNotDivide) {
  const Judgement judged = judge(Gains(60, 1.0), {.most = 1, .baseline = 300});
  expect_range(judged.blocks, 56.425024164408214, 63.574975835591786);
  EXPECT_EQ(judged.advice, Recommendation::kDeploy);
  EXPECT_EQ(judged.range().lo, judged.anytime.lo);
}

TEST(Judgement, OfEveryStartOfALogIsTheRangeOverTime) {
  Gains gains(205);
  for (std::size_t t = 0; t < gains.size(); ++t) gains[t] = static_cast<double>(t % 7) - 2.5;
  const JudgementTerms terms{.most = 4, .baseline = 300};
  const std::vector<std::uint64_t> at{10, 40, 97, 205};
  const std::vector<Judgement> ranges = ranges_over_time(gains, terms, at);
  ASSERT_EQ(ranges.size(), at.size());
  EXPECT_FALSE(std::isfinite(ranges[0].blocks.lo));
  for (std::size_t i = 1; i < at.size(); ++i) {
    const Judgement whole = judge(std::span(gains).first(at[i]), terms);
    expect_range(ranges[i].anytime, whole.anytime.lo, whole.anytime.hi);
    expect_range(ranges[i].blocks, whole.blocks.lo, whole.blocks.hi);
  }
}

TEST(Judgement, IsNotGivenWhereAReplaySaysNothingOrMoneyIsHidden) {
  const Gains gains(60, 1.0);
  EXPECT_EQ(judge(gains, {.baseline = 300, .replay = false}).advice, Recommendation::kCannotTell);
  EXPECT_EQ(judge(gains, {.baseline = 300, .hidden = 0.11}).advice, Recommendation::kCannotTell);
  EXPECT_EQ(judge(gains, {.baseline = 300, .hidden = 0.1}).advice, Recommendation::kDeploy);
}

// A learner that never left what is done today gains nothing for sure; other decisions may, where the log is silent.
TEST(Judgement, KeepsWhatIsDoneOnlyWhereNoFixedActionMayGain) {
  const Gains none(60, 0.0);
  EXPECT_EQ(judge(none, {.baseline = 300, .most_gains = none}).advice, Recommendation::kKeep);
  EXPECT_EQ(judge(none, {.baseline = 300, .most_gains = none, .most_fixed = 3.0}).advice, Recommendation::kKeep);
  EXPECT_EQ(judge(none, {.baseline = 300, .most_gains = none, .most_fixed = 3.1}).advice, Recommendation::kCannotTell);
}

// "2.82 more cost to 0.13 more cost": a sign would be read as that of the cost.
TEST(Judgement, SaysInWordsWhetherARangeOfCostsIsSaved) {
  const Judgement judged{.gain = -4, .anytime = {-9, 1}, .blocks = {-8, 2}, .most_blocks = {-8, 2}};
  const std::string says = sentence(judged, {.player = "a", .baseline = "b", .money = 100, .reward = false});
  EXPECT_NE(says.find("would have cost 4.00 more than b, 4.0 % (95 % range 9.00 more cost to 2.00 saved)"),
            std::string::npos)
      << says;
}

TEST(Judgement, IsStricterWhereSeveralPlayersAreJudged) {
  const Gains gains(60, 1.0);
  EXPECT_LT(judge(gains, {.players = 5}).anytime.lo, judge(gains, {}).anytime.lo);
  EXPECT_EQ(judge(gains, {.players = 5}).blocks.lo, judge(gains, {}).blocks.lo);
}

// Gains of 1, and of -49 once in 50 rounds: mean 0. A percentile bootstrap says "deploy" on one log of 100 rounds in
// eight. 1000 logs, fixed seed; by the theorem a log is wrong with probability at most 2.5 %, so that more than 50 (by
// Hoeffding beyond chance at 0.7 %) would be a fault.
TEST(Judgement, SaysDeployOnFewLogsWithoutAGain) {
  Dice dice(11);
  int wrong = 0;
  for (int log = 0; log < 1000; ++log) {
    Gains gains(300);
    for (double& gain : gains) gain = dice.below(50) == 0 ? -49.0 : 1.0;
    if (judge(gains, {.most = 49, .baseline = 1000}).advice == Recommendation::kDeploy) ++wrong;
  }
  EXPECT_LE(wrong, 50);
}

}  // namespace judgement_test
}  // namespace hannan::detail
