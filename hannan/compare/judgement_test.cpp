#include "hannan/compare/judgement.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "hannan/compare/comparison.hpp"
#include "tests/dice.hpp"
#include "tests/no_doubts.hpp"

namespace hannan::detail {
namespace judgement_test {

using Gains = std::vector<double>;

void expect_range(const Interval& found, double low, double high) {
  EXPECT_NEAR(found.lo, low, 1e-9 * std::abs(low));
  EXPECT_NEAR(found.hi, high, 1e-9 * std::abs(high));
}

// Each doubt that the rounds do not show, alone.
std::vector<std::pair<Doubts, Doubt>> every_doubt() {
  std::vector<std::pair<Doubts, Doubt>> all;
  const auto add = [&](Doubt kind) -> Doubts& { return all.emplace_back(sure(), kind).first; };
  add(Doubt::kNoReplay).log.no_replay = std::string("nothing is replayed");
  add(Doubt::kQuestion).log.question = std::string("what winners pay is not said");
  add(Doubt::kCensored).log.censored = std::string("only buyers are logged");
  add(Doubt::kUnreadableCells).log.unreadable = UnreadableCells{.cells = 7, .share = 0.011};
  add(Doubt::kHidden).log.hidden = 0.11;
  add(Doubt::kUnknownRange).most = std::optional<double>();
  add(Doubt::kUnprovenBest).best = BestRange{.money = {290, 301}, .currency = "EUR"};
  return all;
}

// The expected numbers were computed apart from this library.
TEST(Judgement, OfASteadyGainInFewRoundsCannotTell) {
  const Judgement judged = judge(Gains(39, 1.0), {.doubts = sure(), .baseline = 300});
  EXPECT_EQ(judged.gain, 39);
  expect_range(judged.anytime, 15.597944984659577, 62.40205501534042);
  EXPECT_EQ(judged.blocks.lo, -std::numeric_limits<double>::infinity());
  EXPECT_EQ(judged.blocks.hi, std::numeric_limits<double>::infinity());
  EXPECT_EQ(judged.advice, Recommendation::kCannotTell);
}

TEST(Judgement, OfASmallSteadyLossKeepsWhatIsDone) {
  Gains gains(100);
  for (std::size_t t = 0; t < gains.size(); ++t) gains[t] = t % 2 == 0 ? -0.1 : -0.2;
  const Judgement judged = judge(gains, {.doubts = sure(5), .baseline = 1000});
  expect_range(judged.anytime, -42.73794410791305, 12.737944107913098);
  expect_range(judged.blocks, -15.592842674062265, -14.407157325937742);
  EXPECT_EQ(judged.advice, Recommendation::kKeep);
}

TEST(Judgement, OfAGainInTheFirstHalfOnlyCannotTell) {
  Gains gains(200, 1.0);
  std::fill(gains.begin() + 100, gains.end(), -0.9);
  const Judgement judged = judge(gains, {.doubts = sure(), .baseline = 2000});
  expect_range(judged.anytime, -38.871368623160016, 58.87136862315972);
  expect_range(judged.blocks, -159.8113521906098, 179.81135219060985);
  EXPECT_EQ(judged.advice, Recommendation::kCannotTell);
}

TEST(Judgement, HasLongerBlocksFirstWhereTheRoundsDoNotDivide) {
  const Judgement judged = judge(Gains(60, 1.0), {.doubts = sure(), .baseline = 300});
  expect_range(judged.blocks, 56.425024164408214, 63.574975835591786);
  EXPECT_EQ(judged.advice, Recommendation::kDeploy);
  EXPECT_EQ(judged.range().lo, judged.anytime.lo);
}

TEST(Judgement, OfEveryStartOfALogIsTheRangeOverTime) {
  Gains gains(205);
  for (std::size_t t = 0; t < gains.size(); ++t) gains[t] = static_cast<double>(t % 7) - 2.5;
  const JudgementTerms terms{.doubts = sure(4), .baseline = 300};
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

// A steady gain, on which the answer is "deploy" as soon as nothing is in doubt.
TEST(Judgement, IsNotGivenWhereAnythingIsInDoubt) {
  const Gains gains(60, 1.0);
  EXPECT_EQ(judge(gains, {.doubts = sure(), .baseline = 300}).advice, Recommendation::kDeploy);
  for (const auto& [doubts, kind] : every_doubt()) {
    const Judgement judged = judge(gains, {.doubts = doubts, .baseline = 300});
    EXPECT_EQ(judged.advice, Recommendation::kCannotTell) << doubt_name(kind);
    ASSERT_EQ(judged.doubts.size(), 1U) << doubt_name(kind);
    EXPECT_EQ(judged.doubts[0].doubt, kind);
    EXPECT_EQ(judged.reason, judged.doubts[0].says);
    EXPECT_FALSE(judged.reason.empty());
    const std::string says = sentence(judged, {.player = "a", .baseline = "b", .money = 300, .reward = true});
    EXPECT_TRUE(says.starts_with("this log cannot tell: " + judged.reason)) << says;
  }
}

TEST(Judgement, ListsEveryDoubtAndGivesTheFirstAsItsReason) {
  Doubts all = sure();
  for (const auto& [doubts, kind] : every_doubt()) {
    if (kind == Doubt::kNoReplay) all.log.no_replay = doubts.log.no_replay;
    if (kind == Doubt::kQuestion) all.log.question = doubts.log.question;
    if (kind == Doubt::kCensored) all.log.censored = doubts.log.censored;
    if (kind == Doubt::kUnreadableCells) all.log.unreadable = doubts.log.unreadable;
    if (kind == Doubt::kHidden) all.log.hidden = doubts.log.hidden;
    if (kind == Doubt::kUnknownRange) all.most = doubts.most;
    if (kind == Doubt::kUnprovenBest) all.best = doubts.best;
  }
  const Judgement judged = judge(Gains(39, 1.0), {.doubts = all, .baseline = 300});
  ASSERT_EQ(judged.doubts.size(), kDoubts);
  for (std::size_t i = 0; i < kDoubts; ++i) EXPECT_EQ(judged.doubts[i].doubt, static_cast<Doubt>(i));
  EXPECT_EQ(judged.reason, "nothing is replayed");
  EXPECT_EQ(doubts_json(stated(judged.doubts))[0],
            Json::object({{"doubt", "no replay"}, {"says", "nothing is replayed"}}));
}

TEST(Judgement, TakesSharesOfHiddenAndUnreadableMoneyUpToTheirLimits) {
  const Gains gains(60, 1.0);
  Doubts at_limit = sure();
  at_limit.log.hidden = kMostHidden;
  at_limit.log.unreadable = UnreadableCells{.cells = 6, .share = kMostUnreadable};
  EXPECT_EQ(judge(gains, {.doubts = at_limit, .baseline = 300}).advice, Recommendation::kDeploy);
}

TEST(Judgement, ReadsTheDoubtsOfALogFromItsSummary) {
  const LogDoubts found = doubts_of_log(parse_json(
      R"({"unreadable":{"cells":7,"share":0.02},"hidden":{"share":0.3},)"
      R"("as_logged":{"asks":["who paid","what was paid"],"censored":"one price","no_replay":"own bids"}})"));
  EXPECT_EQ(found.unreadable->cells, 7U);
  EXPECT_EQ(found.unreadable->share, 0.02);
  EXPECT_EQ(*found.hidden, 0.3);
  EXPECT_EQ(*found.question, "who paid; what was paid");
  EXPECT_EQ(*found.censored, "one price");
  EXPECT_EQ(*found.no_replay, "own bids");
}

TEST(Judgement, DoesNotCompileWithoutEveryDoubt) {
  EXPECT_FALSE(std::is_default_constructible_v<Doubts>);
  EXPECT_FALSE(std::is_default_constructible_v<LogDoubts>);
  EXPECT_FALSE(std::is_default_constructible_v<JudgementTerms>);
  EXPECT_FALSE(std::is_default_constructible_v<MoneyScale>);
}

// Where gains are judged as shares, a gain in shares that loses money is none.
TEST(Judgement, OfSharesThatGainWhileMoneyIsLostCannotTell) {
  const Gains gains(60, 1.0);
  const Judgement judged = judge(gains, {.doubts = sure(), .baseline = 300, .money = -1.0});
  EXPECT_EQ(judged.advice, Recommendation::kCannotTell);
  EXPECT_EQ(judged.reason, "as a share it gains, in money it does not");
}

// A learner that never left what is done today gains nothing for sure; other decisions may, where the log is silent.
TEST(Judgement, KeepsWhatIsDoneOnlyWhereNoFixedActionMayGain) {
  const Gains none(60, 0.0);
  EXPECT_EQ(judge(none, {.doubts = sure(), .baseline = 300, .most_gains = none}).advice, Recommendation::kKeep);
  EXPECT_EQ(judge(none, {.doubts = sure(), .baseline = 300, .most_gains = none, .most_fixed = 3.0}).advice,
            Recommendation::kKeep);
  EXPECT_EQ(judge(none, {.doubts = sure(), .baseline = 300, .most_gains = none, .most_fixed = 3.1}).advice,
            Recommendation::kCannotTell);
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
  EXPECT_LT(judge(gains, {.doubts = sure(), .players = 5}).anytime.lo, judge(gains, {.doubts = sure()}).anytime.lo);
  EXPECT_EQ(judge(gains, {.doubts = sure(), .players = 5}).blocks.lo, judge(gains, {.doubts = sure()}).blocks.lo);
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
    if (judge(gains, {.doubts = sure(49), .baseline = 1000}).advice == Recommendation::kDeploy) ++wrong;
  }
  EXPECT_LE(wrong, 50);
}

}  // namespace judgement_test
}  // namespace hannan::detail
