// Every problem of the registry, on its small instances: solved, verified, and unchanged by what must not change it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "hannan/core/error.hpp"
#include "hannan/core/keyed_random.hpp"
#include "hannan/runtime/registry.hpp"
#include "hannan/solve/solve_request.hpp"
#include "hannan/verify/solution_check.hpp"

namespace hannan::detail {
namespace solve_registry_test {

class Draws final : public MarketDraws {
 public:
  explicit Draws(const KeyedRandom& random) : random_(random) {}
  double value(std::uint64_t place) const override { return std::floor(5 * random_.uniform(place)) / 4; }
  double lasting(std::uint64_t place) const override { return random_.uniform(1'000'000 + place); }
  std::uint64_t below(std::uint64_t place, std::uint64_t n) const override {
    return random_.below(2'000'000 + place, n);
  }

 private:
  KeyedRandom random_;
};

// Outcome i of a fixed list: one of all, a row of numbers, or one of a simulated market; none: the problem has neither.
Json outcome(const Game& game, std::uint64_t i) {
  const KeyedRandom random({.seed = 3, .run = 0}, Purpose::kTest, i);
  if (const auto all = game.outcomes()) return game.outcome_json((*all)[random.below(0, all->size())]);
  AnyOutcome y;
  if (game.row_width() > 0) {
    std::vector<double> row(game.row_width());
    for (std::size_t k = 0; k < row.size(); ++k) row[k] = (1 + std::floor(8 * random.uniform(k))) / 8;
    game.read_row(row, y);
    return game.outcome_json(y);
  }
  if (!game.simulates()) return {};
  game.simulate(Draws(random), y);
  return game.outcome_json(y);
}

Json scenario(const std::string& name, const Game& game, std::uint64_t i) {
  Json data = Json::array();
  for (std::uint64_t k = 0; k < 3; ++k)
    data.push_back(Json::object({{"weight", 1.0 / 3}, {"outcome", outcome(game, 3 * i + k)}}));
  return Json::object({{"name", name}, {"data", std::move(data)}});
}

Json solved(const std::shared_ptr<const Game>& game, const Json& scenarios, SolveRequest request = {}) {
  request.scenarios = &scenarios;
  const ScenarioSet set = scenarios_of(game, request, Rows::kOther);
  const Json solution =
      answer_request(game, {.set = set, .request = request, .prefix = "", .program = "test", .watch = {}});
  const SolutionVerification found = verify_solution(solution, "solution", {});
  EXPECT_TRUE(found.trusted.empty()) << found.trusted.front();
  EXPECT_EQ(solution.at("stopped").as_string(), "closed") << dump(solution.at("work"));
  return solution;
}

double value(const Json& solution) { return solution.at("upper").as_number(); }

TEST(SolveRegistry, EveryProblemIsSolvedAndVerifiesAndOrderAndRepetitionChangeNothing) {
  std::size_t played = 0;
  for (const ProblemKind& kind : problem_kinds()) {
    for (const std::string_view params : kind.instances.tested) {
      SCOPED_TRACE(std::string(kind.name) + " " + std::string(params));
      const std::shared_ptr<const AnyProblem> problem = kind.make(parse_json(params), "params");
      const std::shared_ptr<const Game> game(problem, &problem->game());
      if (game->sleeps() || outcome(*game, 0).is_null()) continue;
      ++played;
      Json list = Json::array(), backwards = Json::array();
      for (std::uint64_t g = 0; g < 4; ++g) list.push_back(scenario("s" + std::to_string(g), *game, g));
      for (std::size_t g = 4; g-- > 0;) backwards.push_back(list[g]);
      const Json plain = solved(game, list);
      const double unit = plain.at("unit").as_number(), window = 2e-6 * unit + 1e-12 * std::abs(value(plain));
      EXPECT_NEAR(value(solved(game, backwards)), value(plain), window);
      Json twice = list;
      Json again = list[0];
      twice.push_back(again.set("name", "again"));
      EXPECT_NEAR(value(solved(game, twice)), value(plain), window);

      // A cap of 1/n is the mean: what one search over all rows finds.
      SolveRequest mean;
      mean.cap = 0.25;
      Json data = Json::array();
      for (std::uint64_t i = 0; i < 12; ++i)
        data.push_back(Json::object({{"weight", 1.0 / 12}, {"outcome", outcome(*game, i)}}));
      const Json best = problem->best({.data = data, .oracle = "", .keep = 1});
      EXPECT_NEAR(value(solved(game, list, mean)), best.at("value").as_number(), window);

      Json alone = Json::array();
      alone.push_back(list[0]);
      const Json one = solved(game, alone);
      EXPECT_NEAR(value(one), one.at("best_single").at("worst").as_number(), window);

      SolveRequest regret;
      regret.options.base = Base::kLeastLoss;
      EXPECT_GE(solved(game, list, regret).at("lower").as_number(), -window);
    }
  }
  EXPECT_GE(played, 12u);
}

TEST(SolveRegistry, ListedOutcomesAreScenariosAndOthersAreAskedFor) {
  for (const ProblemKind& kind : problem_kinds()) {
    if (kind.instances.tested.empty()) continue;
    SCOPED_TRACE(kind.name);
    const std::shared_ptr<const AnyProblem> problem = kind.make(parse_json(kind.instances.tested.front()), "params");
    const std::shared_ptr<const Game> game(problem, &problem->game());
    if (game->outcomes()) {
      const ScenarioSet set = scenarios_of(game, {}, Rows::kOther);
      EXPECT_EQ(set.scenarios->size(), game->outcomes()->size());
      continue;
    }
    try {
      scenarios_of(game, {}, Rows::kOther);
      ADD_FAILURE() << "scenarios of a problem that cannot list its outcomes";
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), Code::kMissingField);
    }
  }
}

}  // namespace solve_registry_test
}  // namespace hannan::detail
