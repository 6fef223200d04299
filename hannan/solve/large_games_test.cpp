// Games whose actions cannot be listed, against values that are known otherwise: patrols by a closed form, disruptions
// of routes by the linear programme of their flow. Work is counted in rounds, which a seed fixes; seconds are in
// bench/README.md (robust decisions).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>

#include "hannan/certify/linear_program.hpp"
#include "hannan/core/keyed_random.hpp"
#include "hannan/runtime/make_game.hpp"
#include "hannan/solve/solve_request.hpp"
#include "hannan/verify/solution_check.hpp"

namespace hannan::detail {
namespace large_games_test {

KeyedRandom random_of(std::uint64_t game) { return {{.seed = 38, .run = 0}, Purpose::kTest, game}; }

// Solved, closed, and verified with nothing on trust.
Json solved(const std::shared_ptr<const Game>& game, const ScenarioSet& set, const SolveRequest& request) {
  Json solution = answer_request(game, {.set = set, .request = request, .prefix = "", .program = "test", .watch = {}});
  EXPECT_EQ(solution.at("stopped").as_string(), "closed") << dump(solution.at("work"));
  const SolutionVerification found = verify_solution(solution, "solution", {});
  EXPECT_TRUE(found.trusted.empty()) << found.trusted.front();
  return solution;
}

double rounds_of(const Json& solution) { return solution.at("work").at("rounds").as_number(); }

// The bracket holds the value, and is at most so wide.
void expect_value(const Json& solution, double value, double width) {
  const double lower = solution.at("lower").as_number(), upper = solution.at("upper").as_number();
  EXPECT_LE(lower, value + 1e-9 * std::max(1.0, value));
  EXPECT_GE(upper, value - 1e-9 * std::max(1.0, value));
  EXPECT_LE(upper - lower, width);
}

// 30 guards over 100 targets; an attack on target i loses open[i], or covered[i] where a guard is. The value is the
// least level that the guards suffice for: sum over i of (open - level) / (open - covered) <= 30.
TEST(LargeGames, PatrolsOfThirtyOverAHundredTargetsHaveTheValueOfTheClosedForm) {
  constexpr std::size_t kTargets = 100, kGuards = 30;
  const auto game =
      make_game("multi-unit", Json::object({{"bidders", kTargets}, {"units", kGuards}, {"range", "all"}}), "params");
  const KeyedRandom random = random_of(1);
  std::vector<double> open, covered;
  Json list = Json::array();
  for (std::size_t i = 0; i < kTargets; ++i) {
    open.push_back(0.3 + 0.7 * random.uniform(2 * i));
    covered.push_back(0.5 * open.back() * random.uniform(2 * i + 1));
    Json values = Json::array();
    for (std::size_t j = 0; j < kTargets; ++j) {
      values.push_back(j != i ? Json::array()
                              : Json::array({Json::array({0, 1 - open[i]}), Json::array({1, 1 - covered[i]})}));
    }
    list.push_back(Json::object({{"name", std::to_string(i)},
                                 {"data", Json::array({Json::object({{"weight", kTargets}, {"outcome", values}})})}}));
  }
  double low = 0, high = 1;
  for (int step = 0; step < 60; ++step) {
    const double level = (low + high) / 2;
    double needed = 0;
    for (std::size_t i = 0; i < kTargets; ++i)
      needed += level >= open[i] ? 0 : level < covered[i] ? 1e9 : (open[i] - level) / (open[i] - covered[i]);
    (needed <= static_cast<double>(kGuards) ? high : low) = level;
  }
  SolveRequest request;
  const ScenarioSet set = scenarios_of_list(game, list, "scenarios");
  const Json solution = solved(game, set, request);
  // The loss is n - 1 more as it is written. The second stage may use 1e-9 of the unit, which is n here.
  expect_value(solution, high + static_cast<double>(kTargets - 1), 2e-7);
  EXPECT_LE(rounds_of(solution), 150);
}

// min B t + sum s + <base, x> over unit flows x with t + s_e >= rise_e x_e: the worst B edges of a flow.
double flow_value(const Json& edges, std::span<const double> base, std::size_t nodes, double budget) {
  const std::size_t count = base.size();
  Programme made;
  made.costs.assign(base.begin(), base.end());
  made.costs.resize(2 * count, 1.0);
  made.costs.push_back(budget);
  made.column_low.assign(2 * count + 1, 0.0);
  made.column_high.assign(2 * count + 1, kNoBound);
  made.row_low.assign(nodes + count, 0.0);
  made.row_high.assign(nodes, 0.0);
  made.row_high.resize(nodes + count, kNoBound);
  made.row_low[0] = made.row_high[0] = 1;
  made.row_low[nodes - 1] = made.row_high[nodes - 1] = -1;
  for (std::size_t e = 0; e < count; ++e) {
    made.entries.push_back({static_cast<std::size_t>(edges[e][0].as_number()), e, 1.0});
    made.entries.push_back({static_cast<std::size_t>(edges[e][1].as_number()), e, -1.0});
    made.entries.push_back({nodes + e, e, -(1 - base[e])});
    made.entries.push_back({nodes + e, count + e, 1.0});
    made.entries.push_back({nodes + e, 2 * count, 1.0});
  }
  return LinearProgram(made).solve_afresh().value;
}

TEST(LargeGames, RoutesThroughAGridOfFortyWithTwentyDisruptionsHaveTheValueOfTheFlow) {
  constexpr std::size_t kSide = 40;
  constexpr std::int64_t kBudget = 20;
  Json edges = Json::array();
  for (std::size_t i = 0; i < kSide; ++i) {
    for (std::size_t j = 0; j < kSide; ++j) {
      if (j + 1 < kSide) edges.push_back(Json::array({i * kSide + j, i * kSide + j + 1}));
      if (i + 1 < kSide) edges.push_back(Json::array({i * kSide + j, (i + 1) * kSide + j}));
    }
  }
  const KeyedRandom random = random_of(2);
  std::vector<double> base;
  for (std::size_t e = 0; e < edges.size(); ++e) base.push_back(0.2 + 0.6 * random.uniform(e));
  const auto game =
      make_game("routing", Json::object({{"edges", edges}, {"source", 0}, {"target", kSide * kSide - 1}}), "params");
  const ScenarioSet set = scenarios_of_budget(game, {.budget = kBudget, .base = base, .rise = {}});
  SolveRequest request;
  request.cap = 1.0 / static_cast<double>(kBudget);
  request.options.tolerance = 1e-8;
  const Json solution = solved(game, set, request);
  const double path = 2.0 * (kSide - 1);  // edges of a route: losses are over their number
  expect_value(solution, flow_value(edges, base, kSide * kSide, static_cast<double>(kBudget)) / path, 1e-6);
  EXPECT_LE(rounds_of(solution), 600);
}

TEST(LargeGames, EagerReservesOfTwoToTheFortyEightOverSixGroupsClose) {
  const auto game = make_game("vcg-reserves", Json::object({{"bidders", 8}, {"levels", 64}}), "params");
  EXPECT_NEAR(game->ln_size() / std::log(2.0), 48, 1e-9);
  const KeyedRandom random = random_of(3);
  Json list = Json::array();
  std::uint64_t place = 0;
  for (int g = 0; g < 6; ++g) {
    Json data = Json::array();
    for (int i = 0; i < 40; ++i) {
      std::vector<double> bids;
      for (int b = 0; b < 8; ++b) bids.push_back(std::min(1.0, (0.6 + 0.2 * g) * random.uniform(place++)));
      data.push_back(Json::object({{"weight", 1.0 / 40}, {"outcome", Json(bids)}}));
    }
    list.push_back(Json::object({{"name", std::to_string(g)}, {"data", std::move(data)}}));
  }
  const ScenarioSet set = scenarios_of_list(game, list, "scenarios");
  const Json solution = solved(game, set, {});
  EXPECT_LE(solution.at("upper").as_number() - solution.at("lower").as_number(), 2e-9);
  EXPECT_LE(rounds_of(solution), 20);
}

}  // namespace large_games_test
}  // namespace hannan::detail
