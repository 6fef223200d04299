// Expected results of capped Hedge, of certificates and of least averages, computed by another program (tests/vectors).
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>

#include "hannan/io/fields.hpp"
#include "hannan/runtime/make_game.hpp"
#include "hannan/solve/active_game.hpp"
#include "hannan/solve/capped_simplex.hpp"
#include "hannan/solve/solver.hpp"

namespace hannan::detail {
namespace solve_vectors_test {

Json vectors(const std::string& kind) {
  std::ifstream file(std::string(HANNAN_GAME_VECTORS) + "/" + kind + ".json");
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  return parse_json(text).at("vectors");
}

std::vector<std::vector<double>> matrix(const Json& losses) { return to_matrix(losses, "losses"); }

// A finite game with these losses, a scenario for each column.
std::unique_ptr<ListedScenarios> columns_of(const Json& losses, std::vector<double> shares) {
  auto game = make_game("finite-game", Json::object({{"losses", losses}}), "params");
  auto scenarios = std::make_unique<ListedScenarios>(game);
  const auto outcomes = game->outcomes();
  for (const AnyOutcome& y : *outcomes) {
    const std::string text = dump(game->outcome_json(y));
    scenarios->add(text, {{scenarios->place(y, text), 1.0}});
  }
  scenarios->finish(std::move(shares));
  return scenarios;
}

TEST(SolveVectors, CappedHedgePlaysAsExpected) {
  const Json all = vectors("hedge");
  for (const Json& vector : all.as_array()) {
    SCOPED_TRACE(vector.at("id").as_string());
    const Json& inputs = vector.at("inputs");
    const double cap = to_number(inputs.at("cap"), "cap");
    const auto scenarios = static_cast<std::size_t>(to_integer(inputs.at("scenarios"), "scenarios"));
    CappedHedge hedge(scenarios, cap, 1);
    const auto gains = matrix(inputs.at("gains"));
    double gained = 0;
    for (std::size_t t = 0; t < gains.size(); ++t) {
      const Json& round = vector.at("expected").at("rounds")[t];
      const auto weights = to_numbers(round.at("weights"), "weights");
      for (std::size_t g = 0; g < scenarios; ++g) {
        EXPECT_NEAR(hedge.weights()[g], weights[g], 1e-9) << t;
        gained += hedge.weights()[g] * gains[t][g];
      }
      if (round.at("eta").is_number()) {
        EXPECT_NEAR(hedge.eta(), round.at("eta").as_number(), 1e-9 * hedge.eta()) << t;
      } else {
        EXPECT_TRUE(std::isinf(hedge.eta()) || cap * static_cast<double>(scenarios) <= 1 + 1e-12) << t;
      }
      hedge.observe(gains[t]);
      EXPECT_NEAR(hedge.gap(), round.at("gap").as_number(), 1e-9) << t;
      EXPECT_NEAR(hedge.delta(), round.at("delta").as_number(), 1e-9) << t;
    }
    const double regret = worst(hedge.totals(), cap) - gained;
    EXPECT_NEAR(regret, vector.at("expected").at("regret").as_number(), 1e-9);
    EXPECT_LE(regret, vector.at("expected").at("certified").as_number() + 1e-9);
    EXPECT_NEAR(2 * hedge.delta(), vector.at("expected").at("certified").as_number(), 1e-9);
  }
}

TEST(SolveVectors, CertificatesAreThoseOfExactArithmetic) {
  const Json all = vectors("certificate");
  for (const Json& vector : all.as_array()) {
    SCOPED_TRACE(vector.at("id").as_string());
    const Json& inputs = vector.at("inputs");
    SolveOptions options;
    options.cap = to_number(inputs.at("cap"), "cap");
    const auto scenarios = columns_of(inputs.at("losses"), {});
    const auto oracle = scenarios->game().oracles().front();
    ActiveGame game(*scenarios, *oracle, options);
    const auto strategy = to_numbers(inputs.at("strategy"), "strategy");
    for (const AnyAction& x : scenarios->game().first_actions(strategy.size())) game.met(x);
    const auto losses = game.mixed(strategy);
    const Json& expected = vector.at("expected");
    EXPECT_NEAR(worst(losses, options.cap), to_number(expected.at("upper"), "upper"), 1e-9);
    EXPECT_NEAR(game.average(losses), to_number(expected.at("average"), "average"), 1e-9);
    const Reply reply = game.ask(to_numbers(inputs.at("opponent"), "opponent"));
    EXPECT_NEAR(reply.lower, to_number(expected.at("lower"), "lower"), 1e-9);
  }
}

TEST(SolveVectors, TheSecondStageFindsTheLeastAverage) {
  const Json all = vectors("average");
  for (const Json& vector : all.as_array()) {
    SCOPED_TRACE(vector.at("id").as_string());
    const Json& inputs = vector.at("inputs");
    SolveOptions options;
    options.cap = to_number(inputs.at("cap"), "cap");
    options.slack = to_number(inputs.at("slack"), "slack");
    const auto scenarios = columns_of(inputs.at("losses"), to_numbers(inputs.at("weights"), "weights"));
    const Solved solved = solve(*scenarios, *scenarios->game().oracles().front(), options);
    const Json& expected = vector.at("expected");
    EXPECT_EQ(solved.stopped, Stopped::kClosed);
    EXPECT_NEAR(solved.lower, expected.at("value").as_number(), 1e-6);
    EXPECT_LE(solved.upper, expected.at("worst_at_most").as_number() + 1e-6);
    EXPECT_NEAR(solved.average, expected.at("average").as_number(), 1e-6);
    EXPECT_LE(solved.average_lower, expected.at("average").as_number() + 1e-8);
    EXPECT_GE(solved.average_lower, expected.at("average").as_number() - 1e-5);
  }
}

}  // namespace solve_vectors_test
}  // namespace hannan::detail
