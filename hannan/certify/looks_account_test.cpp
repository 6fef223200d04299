// The account of looks against tests/vectors/partial (of what the pipe has no request for: losses of a range of 100,
// and decisions that count in order), and its limits over many runs.
#include "hannan/certify/looks_account.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "hannan/certify/deviations.hpp"
#include "hannan/core/keyed_random.hpp"
#include "hannan/io/json.hpp"
#include "hannan/runtime/make_game.hpp"

namespace hannan::detail {
namespace looks_account_test {

std::shared_ptr<const Game> experts(int count, bool known_range = true) {
  Json params = Json::object({{"experts", count}});
  if (!known_range) params.set("range", "unknown");
  return make_game("experts", params, "params");
}

AnyOutcome row(std::vector<double> losses) { return AnyOutcome::of(std::move(losses)); }

AnyAction expert(const Game& game, std::uint64_t k) {
  AnyAction x;
  game.set_action(k, x);
  return x;
}

void expect_close(const std::optional<double>& found, double wanted, const std::string& what) {
  ASSERT_TRUE(found) << what;
  EXPECT_NEAR(*found, wanted, 1e-9 * std::max(1.0, std::abs(wanted))) << what;
}

// Three decisions of 60, 40 and 10 rounds with shares 1/20, 1/20 and 1/5, as tests/vectors/partial/client.json has
// them.
TEST(LooksAccount, AddsUpWhatDecisionsThatCountHaveShown) {
  const auto game = experts(3);
  LooksAccount account(
      *game,
      {.look = expert(*game, 2), .against = {expert(*game, 0), expert(*game, 1), expert(*game, 2)}, .range = 1.0});
  account.pass(0.05, 60);
  account.look(expert(*game, 0), row({0.933582, 0.405397, 0.429463}), 0.05);
  account.look(expert(*game, 0), row({0.331587, 0.284732, 0.261804}), 0.05);
  account.lose(0.05);
  account.pass(0.05, 40);
  EXPECT_EQ(account.looks(), 2u);
  EXPECT_EQ(account.lost(), 1u);
  expect_close(account.looks_expected(), 5, "looks expected");
  expect_close(account.look_cost(), 0.426098, "look cost");
  expect_close(account.own_estimate(), 45.30338, "own estimate");
  constexpr double kBest = 13.80258;
  expect_close(account.estimate(kBest), 31.926898, "estimate");
  expect_close(account.limit(kBest), 288.4376158187134, "limit");
  const double intervals[3][3] = {{-0.573902, -261.90812951761245, 260.76032551761244},
                                  {10.926898, -253.60893635925214, 275.46273235925213},
                                  {10.904138, -253.37926650977812, 275.1875425097781}};
  for (std::size_t k = 0; k < 3; ++k) {
    const auto gain = account.gain(k);
    expect_close(gain.estimate, intervals[k][0], "estimate");
    expect_close(gain.low, intervals[k][1], "low");
    expect_close(gain.high, intervals[k][2], "high");
  }
  account.pass(0.2, 10);
  account.look(expert(*game, 1), row({0.383778, 0.65035, 0.317668}), 0.2);
  account.look(expert(*game, 1), row({0.953205, 0.833537, 0.324245}), 0.2);
  expect_close(account.look_cost(), -0.415876, "look cost");
  expect_close(account.limit(17.034905), 291.79367522338663, "limit");
}

// The first three rounds of tests/vectors/partial/looks_range.json.
TEST(LooksAccount, MeasuresLossesInTheirRange) {
  const auto game = experts(4, false);
  LooksAccount account(*game, {.look = expert(*game, 3), .against = {expert(*game, 0)}, .range = 100.0});
  account.pass(1, 1);
  account.look(expert(*game, 0), row({1.2137, 10.9006, 92.2701, 12.7614}), 1);
  expect_close(account.limit(1.2137), 11.5477, "limit");
  account.pass(0.7071067811865475, 1);
  expect_close(account.limit(1.2137), 1581.1002074947216, "limit");
  account.pass(0.5773502691896258, 1);
  account.look(expert(*game, 0), row({80.5287, 21.4476, 10.6549, 8.1662}), 0.5773502691896258);
  expect_close(account.look_cost(), -60.8148, "look cost");
  expect_close(account.own_estimate(), 140.69349986747181, "own estimate");
  expect_close(account.limit(26.90567330476896), 1742.3411405904094, "limit");
}

TEST(LooksAccount, SaysNothingCertainWhereTheRangeIsNotKnown) {
  const auto game = experts(2, false);
  LooksAccount account(*game, {.look = {}, .against = {expert(*game, 0)}, .range = {}});
  account.pass(0.5, 1);
  account.look(expert(*game, 0), row({3, 5}), 0.5);
  expect_close(account.own_estimate(), 6, "own estimate");
  EXPECT_FALSE(account.limit(6));
  EXPECT_FALSE(account.gain(0).low);
  account.lose(0.5);
  EXPECT_FALSE(account.own_estimate());
  EXPECT_FALSE(account.estimate(6));
}

TEST(LooksAccount, StatesNoLimitWhereTheCoinsDoNotLookFair) {
  const auto game = experts(2);
  LooksAccount account(*game, {.look = {}, .against = {expert(*game, 0)}});
  account.pass(0.5, 100);
  EXPECT_FALSE(account.coins_look_fair());
  EXPECT_FALSE(account.gain(0).low);
  for (int i = 0; i < 40; ++i) account.look(expert(*game, 0), row({0, 1}), 0.5);
  EXPECT_TRUE(account.coins_look_fair());
}

// What was not seen may be large: a limit of 0 while no look has shown a loss broke in 159 of 500 runs of rare losses.
TEST(SignedUpper, IsNotZeroWhereNothingWasSeen) {
  EXPECT_GT(SignedUpper(50, 0.05)(0), 50);
  EXPECT_EQ(SignedUpper(0, 0.05)(7), 0);
}

// 500 runs of each stream: the realised regret exceeds the limit at some round in no more than 5 % of them.
TEST(LooksAccount, ItsLimitHoldsAtEveryRoundOfNearlyAllRuns) {
  const auto game = experts(2);
  const AnyAction first = expert(*game, 0), second = expert(*game, 1);
  constexpr int kRuns = 500, kRounds = 300;
  for (const double share : {0.02, 0.2}) {
    for (const char* stream : {"coin", "rare", "change"}) {
      int broken = 0;
      for (std::uint64_t run = 0; run < kRuns; ++run) {
        LooksAccount account(*game, {.look = {}, .against = {}, .range = 1.0});
        double own = 0, totals[2] = {0, 0}, seen[2] = {0, 0};
        bool above = false;
        for (std::uint64_t t = 1; t <= kRounds; ++t) {
          const KeyedRandom dice({.seed = 5, .run = run}, Purpose::kTest, t);
          const double u = dice.uniform(0);
          double losses[2] = {u < 0.5 ? 0.0 : 1.0, u < 0.5 ? 1.0 : 0.0};
          if (stream[0] == 'r') losses[0] = u < 0.05 ? 1 : 0, losses[1] = 0;
          if (stream[1] == 'h') losses[0] = t > 100 ? 1 : 0, losses[1] = t > 100 ? 0 : 1;
          const std::size_t choice = seen[1] < seen[0] ? 1 : 0;  // the leader on what was seen
          account.pass(share, 1);
          if (dice.uniform(1) < share) {
            account.look(choice == 0 ? first : second, row({losses[0], losses[1]}), share);
            for (int k = 0; k < 2; ++k) seen[k] += losses[k] / share;
          }
          own += losses[choice];
          for (int k = 0; k < 2; ++k) totals[k] += losses[k];
          const auto limit = account.limit(std::min(seen[0], seen[1]));
          above = above || (limit && own - std::min(totals[0], totals[1]) > *limit + 1e-9);
        }
        broken += above ? 1 : 0;
      }
      EXPECT_LE(broken, kRuns / 20) << stream << " at " << share;
    }
  }
}

}  // namespace looks_account_test
}  // namespace hannan::detail
