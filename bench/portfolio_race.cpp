// What choosing among strategies costs beside the strategies themselves: mixture and share of a round at K = 8, over
// the same rule in NumPy (rivals/portfolio_loop.py), and over a budget of 2 microseconds.
#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "bench/rival.hpp"
#include "bench/row.hpp"
#include "bench/stopwatch.hpp"
#include "hannan/learners/portfolio_rule.hpp"

namespace hannan::detail::bench {
namespace {

constexpr std::size_t kStrategies = 8;
constexpr std::uint64_t kStrategyDeck = 4096;  // rows of losses, dealt round and round
constexpr double kBudget = 2;                  // microseconds

// The same numbers on both sides, spread over (0,1).
double loss_of(std::uint64_t i, std::uint64_t k) {
  const std::uint64_t b = (i * 7919 + k * 104'729 + i * k * 31) % (1 << 20);
  return (static_cast<double>(b) + 0.5) / (1 << 20);
}

double total_of(const std::vector<std::vector<double>>& deck, std::uint64_t rounds) {
  PortfolioRule rule({.strategies = kStrategies, .risk = 4, .largest = 1});
  const std::vector<double> awake(kStrategies, 1.0);
  rule.begin_play();
  for (std::uint64_t t = 0; t < rounds; ++t) {
    rule.decide(awake);
    rule.observe(deck[t % kStrategyDeck], rule.pick(0.5));
  }
  return rule.total();
}

}  // namespace

std::vector<Row> portfolio_race(const Setting& setting) {
  setting.say("portfolio");
  const auto rounds = setting.pick<std::uint64_t>(200'000, 500);
  const int times = setting.pick(5, 1);
  std::vector<std::vector<double>> deck(kStrategyDeck, std::vector<double>(kStrategies));
  for (std::uint64_t i = 0; i < kStrategyDeck; ++i) {
    for (std::uint64_t k = 0; k < kStrategies; ++k) deck[i][k] = loss_of(i, k);
  }
  double total = 0;
  const double ours = 1e6 * least_seconds(times, [&] { total = total_of(deck, rounds); }) / static_cast<double>(rounds);
  const auto few = setting.pick<std::uint64_t>(20'000, 500);  // NumPy is slow, and its rounds all cost the same
  const Json answer = ask_rival(
      setting, {.program = "portfolio_loop.py",
                .question = Json::object(
                    {{"strategies", kStrategies}, {"deck", kStrategyDeck}, {"rounds", few}, {"times", times}})});
  Row race{.name = "portfolio/numpy",
           .unit = "us/round",
           .ours = ours,
           .rival = {},
           .goal = Goal{.sense = Goal::Sense::kAtMost, .ratio = 0.1},
           .note = {}};
  if (const Json* error = answer.find("error")) {
    race.note = error->as_string();
  } else {
    race.rival = 1e6 * answer.at("seconds").as_number() / static_cast<double>(few);
    const double theirs = answer.at("total").as_number(), same = total_of(deck, few);
    race.note = fmt::format("mixture and share, K = {}, T = {}, over the same rule in NumPy, {}", kStrategies, rounds,
                            std::abs(theirs - same) <= 1e-9 * same ? "same total loss" : "ANOTHER TOTAL LOSS");
  }
  return {std::move(race),
          {.name = "portfolio/budget",
           .unit = "us/round",
           .ours = ours,
           .rival = kBudget,
           .goal = Goal{.sense = Goal::Sense::kAtMost, .ratio = 1},
           .note = "the same; the second figure is the most that it may cost"}};
}

}  // namespace hannan::detail::bench
