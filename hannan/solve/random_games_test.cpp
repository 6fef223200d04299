// Random matrix games against one linear programme over the whole matrix, which shares nothing with the solver but
// Clp: with worst(a) = min over t and s >= 0 of t + cap sum s_g, t + s_g >= a_g, the value is
//   min t + cap sum s_g   s.t.  t + s_g - sum_x p_x F(x, g) >= 0,  sum p = 1.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "hannan/certify/linear_program.hpp"
#include "hannan/core/keyed_random.hpp"
#include "hannan/runtime/make_game.hpp"
#include "hannan/solve/solve_request.hpp"
#include "hannan/verify/solution_check.hpp"

namespace hannan::detail {
namespace random_games_test {

using Matrix = std::vector<std::vector<double>>;

KeyedRandom random_of(std::uint64_t game) { return {{.seed = 20261118, .run = 0}, Purpose::kTest, game}; }

// Of losses from 0 to 1, in which the programme is good to 1e-9.
double unit_value(const Matrix& f, double cap) {
  const std::size_t actions = f.size(), n = f.front().size(), slack = actions + 1;
  Programme made;
  made.costs.assign(slack + n, 0.0);
  made.costs[actions] = 1;
  for (std::size_t g = 0; g < n; ++g) made.costs[slack + g] = cap;
  made.column_low.assign(slack + n, 0.0);
  made.column_low[actions] = -kNoBound;
  made.column_high.assign(slack + n, kNoBound);
  made.row_low.assign(n + 1, 0.0);
  made.row_high.assign(n + 1, kNoBound);
  made.row_low[n] = made.row_high[n] = 1;
  for (std::size_t g = 0; g < n; ++g) {
    made.entries.push_back({g, actions, 1.0});
    made.entries.push_back({g, slack + g, 1.0});
    for (std::size_t x = 0; x < actions; ++x) made.entries.push_back({g, x, -f[x][g]});
  }
  for (std::size_t x = 0; x < actions; ++x) made.entries.push_back({n, x, 1.0});
  return LinearProgram(made).solve_afresh().value;
}

double value_of(Matrix f, double cap) {
  double least = f[0][0], most = f[0][0];
  for (const auto& row : f) {
    least = std::min(least, *std::min_element(row.begin(), row.end()));
    most = std::max(most, *std::max_element(row.begin(), row.end()));
  }
  if (!(most > least)) return least;
  for (auto& row : f) {
    for (double& loss : row) loss = (loss - least) / (most - least);
  }
  return least + (most - least) * unit_value(f, cap);
}

// Ways in which games are odd.
enum class Kind { kUniform, kZeroOne, kDoubled, kRankOne, kEqual, kNarrow };

Matrix drawn(Kind kind, const KeyedRandom& random, std::uint64_t actions, std::uint64_t n) {
  Matrix f(actions, std::vector<double>(n));
  std::uint64_t place = 100;
  for (auto& row : f) {
    for (double& loss : row) loss = random.uniform(place++);
  }
  for (std::size_t x = 0; x < actions; ++x) {
    for (std::size_t g = 0; g < n; ++g) {
      double& loss = f[x][g];
      if (kind == Kind::kZeroOne) loss = loss < 0.5 ? 0 : 1;
      if (kind == Kind::kRankOne) loss = f[x][0] * f[0][g];
      if (kind == Kind::kEqual) loss = 0.25;
      if (kind == Kind::kNarrow) loss = 0.5 + 1e-7 * loss;
      if (kind == Kind::kDoubled && x % 2 == 1) loss = f[x - 1][g];
      if (kind == Kind::kDoubled && g % 2 == 1) loss = f[x][g - 1];
    }
  }
  return f;
}

Json rows_json(const Matrix& f) {
  Json rows = Json::array();
  for (const auto& row : f) rows.push_back(Json(row));
  return rows;
}

Json solved(const Json& params, SolveRequest request) {
  const auto game = make_game("finite-game", params, "params");
  const ScenarioSet set = scenarios_of(game, request, Rows::kOther);
  return answer_request(game, {.set = set, .request = request, .prefix = "", .program = "test", .watch = {}});
}

TEST(RandomGames, AThousandMatrixGamesHaveTheValueOfTheLinearProgramme) {
  for (std::uint64_t i = 0; i < 1200; ++i) {
    SCOPED_TRACE(i);
    const KeyedRandom random = random_of(i);
    const Kind kind = static_cast<Kind>(i % 6);
    const std::uint64_t actions = 1 + random.below(0, 14), n = 1 + random.below(1, 11);
    Matrix f = drawn(kind, random, actions, n);
    SolveRequest request;
    request.options.tolerance = 1e-8;
    const double caps[] = {1.0, 1.0 / static_cast<double>(n), 0.5 + 0.5 / static_cast<double>(n)};
    request.cap = caps[random.below(2, 3)];
    if (i % 5 == 0) request.options.base = Base::kLeastLoss;
    const Json solution = solved(Json::object({{"losses", rows_json(f)}}), request);
    if (i % 5 == 0) {
      for (std::size_t g = 0; g < n; ++g) {
        double least = f[0][g];
        for (const auto& row : f) least = std::min(least, row[g]);
        for (auto& row : f) row[g] -= least;
      }
    }
    const double value = value_of(f, *request.cap);
    EXPECT_FALSE(solution.at("open").as_bool());
    const double lower = solution.at("lower").as_number(), upper = solution.at("upper").as_number();
    EXPECT_LE(lower, value + 1e-9);
    EXPECT_GE(upper, value - 1e-9);
    // Where all losses are within 1e-7, a gap of the least tolerance is a tenth of that.
    const double difference = std::max(std::abs(lower - value), std::abs(upper - value));
    EXPECT_LE(difference, kind == Kind::kNarrow ? 1e-8 : 1e-9);
    const SolutionVerification found = verify_solution(solution, "solution", {});
    EXPECT_TRUE(found.trusted.empty());
  }
}

TEST(RandomGames, LossesFarFromZeroKeepTheirDigits) {
  for (std::uint64_t i = 0; i < 60; ++i) {
    SCOPED_TRACE(i);
    const KeyedRandom random = random_of(5000 + i);
    const double offset = i % 2 == 0 ? 1e6 : -1e6;
    const Matrix plain = drawn(static_cast<Kind>(i % 6), random, 2 + random.below(0, 10), 2 + random.below(1, 8));
    Matrix f = plain;
    for (auto& row : f) {
      for (double& loss : row) loss += offset;
    }
    SolveRequest request;
    if (i % 3 == 0) request.worst = 2;
    const Json solution = solved(Json::object({{"losses", rows_json(f)}, {"range", "unknown"}}), request);
    const double value = value_of(plain, i % 3 == 0 ? 0.5 : 1.0) + offset;
    EXPECT_FALSE(solution.at("open").as_bool());
    EXPECT_NEAR(solution.at("lower").as_number(), value, 2e-6);
    EXPECT_NEAR(solution.at("upper").as_number(), value, 2e-6);
    EXPECT_LE(solution.at("lower").as_number(), value + 1e-8);
    EXPECT_GE(solution.at("upper").as_number(), value - 1e-8);
    EXPECT_TRUE(verify_solution(solution, "solution", {}).trusted.empty());
  }
}

TEST(RandomGames, TheValueFollowsTheScaleOfLosses) {
  const Matrix f = drawn(Kind::kUniform, random_of(9000), 8, 6);
  const double value = value_of(f, 1);
  for (const int power : {-140, -40, -3, 0, 30, 90}) {
    Matrix scaled = f;
    for (auto& row : scaled) {
      for (double& loss : row) loss = std::ldexp(loss, power);
    }
    const Json solution = solved(Json::object({{"losses", rows_json(scaled)}, {"range", "unknown"}}), {});
    EXPECT_FALSE(solution.at("open").as_bool()) << power;
    EXPECT_NEAR(std::ldexp(solution.at("upper").as_number(), -power), value, 2e-6) << power;
    EXPECT_TRUE(verify_solution(solution, "solution", {}).trusted.empty()) << power;
  }
}

}  // namespace random_games_test
}  // namespace hannan::detail
