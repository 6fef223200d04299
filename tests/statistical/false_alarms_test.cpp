// How often the judgement says "deploy" where nothing is gained (docs/judgement.md has the table of 1000 runs).
//
// A run is a log without a gain: every conditional mean gain is 0, or, of regimes, the mean over time. HANNAN_NULL_RUNS
// sets the runs (scripts/false_alarms); the tests below have fewer. By the theorem a log of the first kind is wrong
// with probability at most 2.5 %, so that more than 2.5 % + sqrt(ln(1000)/(2 runs)) of the runs would be a fault
// (Hoeffding: beyond chance at 0.1 %).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "hannan/compare/block_bootstrap.hpp"
#include "hannan/compare/judgement.hpp"
#include "hannan/runtime/registry.hpp"
#include "hannan/runtime/turns.hpp"
#include "tests/dice.hpp"
#include "tests/no_doubts.hpp"

namespace hannan::detail {
namespace false_alarms_test {

using Gains = std::vector<double>;

struct NullLog {
  std::string name;
  double most;  // b
  std::function<Gains(Dice&)> draw;
  std::optional<double> at_risk{};  // of a portfolio
};

std::size_t runs_wanted(std::size_t otherwise) {
  const char* asked = std::getenv("HANNAN_NULL_RUNS");
  return asked ? std::strtoul(asked, nullptr, 10) : otherwise;
}
bool wants_table() { return std::getenv("HANNAN_NULL_RUNS") != nullptr; }

struct Shares {
  double rule = 0, anytime = 0, bootstrap = 0, keep = 0, tried = 0;
};

Shares shares_of(const NullLog& null, std::size_t runs) {
  Shares shares;
  for (std::size_t run = 0; run < runs; ++run) {
    Dice dice(run, 16);
    const Gains gains = null.draw(dice);
    const Judgement judged = judge(
        gains, {.doubts = sure(null.most), .baseline = static_cast<double>(gains.size()), .at_risk = null.at_risk});
    const double one = 1.0 / static_cast<double>(runs);
    if (judged.advice == Recommendation::kDeploy) shares.rule += one;
    if (judged.advice == Recommendation::kKeep) shares.keep += one;
    if (judged.advice == Recommendation::kTry) shares.tried += one;
    if (judged.anytime.lo > 0) shares.anytime += one;
    if (!wants_table()) continue;
    const std::size_t length = std::max<std::size_t>(1, gains.size() / 100);
    std::vector<Block> blocks;
    for (std::size_t t = 0; t < gains.size(); t += length) {
      const std::size_t end = std::min(t + length, gains.size());
      const auto at = [&](std::size_t i) { return gains.begin() + static_cast<std::ptrdiff_t>(i); };
      blocks.push_back({.rounds = end - t, .amount = std::accumulate(at(t), at(end), 0.0)});
    }
    if (block_bootstrap(blocks, run).lo > 0) shares.bootstrap += one;
  }
  if (wants_table())
    std::printf("%-44s rule %5.1f %%  keep %5.1f %%  anytime alone %5.1f %%  bootstrap %5.1f %%\n", null.name.c_str(),
                100 * shares.rule, 100 * shares.keep, 100 * shares.anytime, 100 * shares.bootstrap);
  if (wants_table() && null.at_risk) std::printf("%-44s try %5.1f %%\n", "", 100 * shares.tried);
  return shares;
}

Gains drawn(std::size_t rounds, const std::function<double()>& gain) {
  Gains gains(rounds);
  for (double& g : gains) g = gain();
  return gains;
}

NullLog rare_losses(std::size_t rounds) {
  return {"+1, and -49 with 2 %, " + std::to_string(rounds) + " rounds", 49,
          [=](Dice& dice) { return drawn(rounds, [&] { return dice.below(50) == 0 ? -49.0 : 1.0; }); }};
}
NullLog coin(std::size_t rounds) {
  return {"coin, " + std::to_string(rounds) + " rounds", 1,
          [=](Dice& dice) { return drawn(rounds, [&] { return dice.below(2) == 0 ? -1.0 : 1.0; }); }};
}
// Both signs alike, P(|D| > x) = x^-1.5 from 1 up, cut at 100.
NullLog heavy_tails(std::size_t rounds) {
  return {"heavy tails, " + std::to_string(rounds) + " rounds", 100, [=](Dice& dice) {
            return drawn(rounds, [&] {
              const double size = std::min(100.0, std::pow(dice.unit(), -1 / 1.5));
              return dice.below(2) == 0 ? -size : size;
            });
          }};
}
// Regimes of this mean length, good and bad in turn: 0.5 up or down, and a coin of 0.5.
NullLog regimes(std::size_t length) {
  return {"regimes of mean length " + std::to_string(length) + ", 1000 rounds", 1, [=](Dice& dice) {
            double mean = dice.below(2) == 0 ? -0.5 : 0.5;
            return drawn(1000, [&] {
              if (dice.below(static_cast<int>(length)) == 0) mean = -mean;
              return mean + (dice.below(2) == 0 ? -0.5 : 0.5);
            });
          }};
}
// A learner with prices of one bidder against a fixed position. `bids` draws those of a round.
NullLog learned(const std::string& name, std::size_t rounds, int fixed, const std::function<Json(Dice&)>& bids) {
  const std::shared_ptr<const AnyProblem> problem =
      make_problem("vcg-reserves", parse_json(R"({"bidders":1,"prices":[0,1,2,4,8]})"), "params");
  return {name + ", " + std::to_string(rounds) + " rounds", 8, [=](Dice& dice) {
            const auto learner =
                problem->learner("ada", Json::object({{"seed", dice.below(1 << 30)}, {"track", "end"}}));
            const Game& game = problem->game();
            const AnyAction today = game.parse_action(Json::array({Json(fixed)}), "action");
            AnyOutcome outcome;
            return drawn(rounds, [&] {
              game.read_outcome(bids(dice), "outcome", outcome);
              learner->act();
              return game.loss(today, outcome) - learner->observe(outcome).loss;
            });
          }};
}
// Earns 1 in the mean at every price of the list but 0: P(bid >= p) = 1/p.
NullLog equal_revenue(std::size_t rounds) {
  return learned("equal-revenue bidder, ada against price 1", rounds, 1,
                 [](Dice& dice) { return Json::array({Json(std::min(1e6, 1 / dice.unit()))}); });
}
NullLog equal_bids(std::size_t rounds) {
  return learned("two equal bids, ada against no reserve", rounds, 0, [](Dice& dice) {
    const double bid = 8 * dice.unit();
    return Json::object({{"bids", Json::array({Json(bid)})}, {"others", Json::array({Json(bid)})}});
  });
}

// A portfolio whose first strategy is today's decision; `outcome` draws that of a round. Its gain of a round is that of
// its mean over the pick.
struct PortfolioLog {
  std::string name, kind, params, strategies;
  double most = 1;
  double risk = 5;
  std::size_t rounds = 500;
  std::function<std::function<Json(Dice&)>()> outcomes;  // a new market for every run
};
NullLog portfolio(const PortfolioLog& of) {
  const std::shared_ptr<const AnyProblem> problem = make_problem(of.kind, parse_json(of.params), "params");
  return {.name = of.name + ", " + std::to_string(of.rounds) + " rounds",
          .most = of.most,
          .draw =
              [=](Dice& dice) {
                const PromptTurn turn =
                    problem->turn<PromptTurn>("portfolio", Json::object({{"seed", dice.below(1 << 30)},
                                                                         {"strategies", parse_json(of.strategies)},
                                                                         {"risk", of.risk},
                                                                         {"largest", of.most}}));
                auto& learner = *turn.as<PortfolioLearner>();
                const auto next = of.outcomes();
                AnyOutcome outcome;
                return drawn(of.rounds, [&] {
                  problem->game().read_outcome(next(dice), "outcome", outcome);
                  learner.act();
                  const Round& round = learner.observe(outcome);
                  return round.strategies.front().loss - round.loss;
                });
              },
          .at_risk = of.risk};
}
const char* const kPrices = R"({"bidders":1,"prices":[0,1,2,4,8]})";
// Today asks for 1, which earns as much in the mean as any other price but 0.
NullLog portfolio_on_equal_revenue() {
  return portfolio(
      {.name = "equal-revenue bidder, portfolio against price 1",
       .kind = "vcg-reserves",
       .params = kPrices,
       .strategies = R"([{"name":"today","kind":"fixed","action":[1]},"monopoly","flipflop"])",
       .most = 8,
       .risk = 5,
       .outcomes = [] { return [](Dice& dice) { return Json::array({Json(std::min(1e6, 1 / dice.unit()))}); }; }});
}
// Losses of three ways by coins of their own: none is better.
NullLog portfolio_on_coins() {
  return portfolio({.name = "coins of three ways, portfolio against the first",
                    .kind = "experts",
                    .params = R"({"experts":3})",
                    .strategies = R"([{"name":"today","kind":"fixed","action":0},{"name":"b","kind":"fixed","action":1},
                                      {"name":"c","kind":"fixed","action":2},"leader"])",
                    .most = 1,
                    .risk = 5,
                    .rounds = 1000,
                    .outcomes = [] {
                      return [](Dice& dice) {
                        return Json::array({Json(dice.below(2)), Json(dice.below(2)), Json(dice.below(2))});
                      };
                    }});
}
// Regimes in which the second way is better or worse than the first by a half, in turn.
NullLog portfolio_on_regimes(std::size_t length) {
  return portfolio({.name = "regimes of mean length " + std::to_string(length) + ", portfolio",
                    .kind = "experts",
                    .params = R"({"experts":2})",
                    .strategies = R"([{"name":"today","kind":"fixed","action":0},{"name":"b","kind":"fixed","action":1},
                                      "leader"])",
                    .most = 1,
                    .risk = 5,
                    .rounds = 1000,
                    .outcomes = [=] {
                      return [=, better = 0](Dice& dice) mutable {
                        if (dice.below(static_cast<int>(length)) == 0) better = 1 - better;
                        const double other = (better + dice.below(2)) / 2.0;
                        return Json::array({Json(0.5), Json(other)});
                      };
                    }});
}

double limit_of(std::size_t runs) { return 0.025 + std::sqrt(std::log(1000.0) / (2 * static_cast<double>(runs))); }

TEST(FalseAlarms, AreRareOnGainsOfMeanNothing) {
  const std::size_t runs = runs_wanted(400);
  for (const NullLog& null :
       {rare_losses(100), rare_losses(300), rare_losses(1000), coin(100), coin(1000), heavy_tails(1000)}) {
    const Shares shares = shares_of(null, runs);
    EXPECT_LE(shares.rule, limit_of(runs)) << null.name;
    EXPECT_LE(shares.anytime, limit_of(runs)) << null.name;
  }
}

TEST(FalseAlarms, AreRareOfALearnerThatCannotGain) {
  const std::size_t runs = runs_wanted(60);
  for (const NullLog& null : {equal_revenue(500), equal_bids(500)})
    EXPECT_LE(shares_of(null, runs).rule, limit_of(runs)) << null.name;
}

TEST(FalseAlarms, AreRareOfAPortfolioThatCannotGain) {
  const std::size_t runs = runs_wanted(60);
  for (const NullLog& null : {portfolio_on_equal_revenue(), portfolio_on_coins()})
    EXPECT_LE(shares_of(null, runs).rule, limit_of(runs)) << null.name;
}

// A portfolio follows a market that turns: in long regimes it does gain, so that "deploy" is no false alarm there.
TEST(FalseAlarms, AreRareOfAPortfolioInShortRegimes) {
  const std::size_t runs = runs_wanted(60);
  EXPECT_LE(shares_of(portfolio_on_regimes(5), runs).rule, 0.12);
  if (!wants_table()) return;
  for (const std::size_t length : {20, 60}) shares_of(portfolio_on_regimes(length), runs);
}

// No theorem: a market that turns. Blocks refuse most of what the anytime limit alone would take for a gain.
TEST(FalseAlarms, AreFewerAcrossRegimesThanByTheAnytimeLimitAlone) {
  const std::size_t runs = runs_wanted(400);
  for (const std::size_t length : {5, 20, 60}) {
    const Shares shares = shares_of(regimes(length), runs);
    EXPECT_LE(shares.rule, shares.anytime);
    EXPECT_LE(shares.rule, 0.12);
    if (length > 5) {
      EXPECT_LT(2 * shares.rule, shares.anytime);
    }
  }
}

// It can say "deploy": gains of 1 in 9 of 10 rounds, of -1 otherwise.
TEST(Deploy, IsSaidOfALargeGainIn300Rounds) {
  const std::size_t runs = runs_wanted(100);
  const auto gain = [](std::size_t rounds) {
    return NullLog{"a gain of 0.8 a round, " + std::to_string(rounds) + " rounds", 1,
                   [=](Dice& dice) { return drawn(rounds, [&] { return dice.below(10) == 0 ? -1.0 : 1.0; }); }};
  };
  shares_of(gain(100), runs);
  EXPECT_EQ(std::lround(100 * shares_of(gain(300), runs).rule), 100);
}

}  // namespace false_alarms_test
}  // namespace hannan::detail
