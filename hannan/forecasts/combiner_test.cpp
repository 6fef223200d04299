// Properties of the combiner on random tables: gaps, panels, delays, actuals that never come, heavy tails.
#include "hannan/forecasts/combiner.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "hannan/core/error.hpp"
#include "hannan/forecasts/certificate.hpp"
#include "hannan/io/json_archive.hpp"

namespace hannan::detail {
namespace combiner_test {

// A small generator of its own: the tables are the same everywhere.
class Coins {
 public:
  explicit Coins(std::uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15u + 1) {}
  double uniform() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return static_cast<double>(state_ >> 11) * 0x1p-53;
  }
  std::size_t below(std::size_t n) {
    return std::min(n - 1, static_cast<std::size_t>(uniform() * static_cast<double>(n)));
  }
  // Heavy tails: a ratio, without a mean.
  double cauchy() { return (uniform() - 0.5) / (uniform() + 1e-3); }

 private:
  std::uint64_t state_;
};

struct RandomTable {
  CombinerPlan plan;
  std::vector<std::vector<std::vector<double>>> x;  // rounds, rows, models
  std::vector<std::vector<double>> y, weight;
  std::vector<std::vector<std::string>> by;
  std::vector<std::vector<std::size_t>> comes;  // the round before which an actual comes; rounds + 1: never
};

RandomTable random_table(std::uint64_t seed) {
  Coins coins(seed);
  RandomTable made;
  const std::size_t K = 1 + coins.below(6), rounds = 2 + coins.below(24);
  const ForecastLoss::Kind kinds[] = {ForecastLoss::Kind::kSquared,    ForecastLoss::Kind::kAbsolute,
                                      ForecastLoss::Kind::kPercentage, ForecastLoss::Kind::kPinball,
                                      ForecastLoss::Kind::kBrier,      ForecastLoss::Kind::kLog};
  made.plan.loss = {.kind = kinds[coins.below(6)], .level = 0.1 + 0.8 * coins.uniform()};
  for (std::size_t k = 0; k < K; ++k) made.plan.models.push_back("m" + std::to_string(k));
  made.plan.patience = 1 + coins.below(7);
  if (coins.uniform() < 0.3) made.plan.by = {"site"};
  set_members(made.plan, default_members(), "members");
  const double gaps = coins.uniform() < 0.5 ? 0 : 0.4, unit = std::ldexp(1.0, static_cast<int>(coins.below(40)) - 20);
  const bool late = coins.uniform() < 0.5, heavy = coins.uniform() < 0.3,
             probability = made.plan.loss.of_probabilities();
  for (std::size_t t = 0; t < rounds; ++t) {
    made.x.emplace_back();
    made.y.emplace_back();
    made.weight.emplace_back();
    made.by.emplace_back();
    made.comes.emplace_back();
    const std::size_t rows = 1 + coins.below(3);
    for (std::size_t i = 0; i < rows; ++i) {
      const double y = probability ? (coins.uniform() < 0.5 ? 0.0 : 1.0) : unit * (coins.uniform() - 0.3);
      made.x.back().emplace_back();
      for (std::size_t k = 0; k < K; ++k) {
        const double error = heavy ? coins.cauchy() : coins.uniform() - 0.4;
        const double forecast = probability ? coins.uniform() : y + unit * error;
        made.x.back().back().push_back(coins.uniform() < gaps                   ? kNotDelivered
                                       : coins.uniform() < 0.05 && !probability ? y
                                                                                : forecast);
      }
      made.y.back().push_back(y);
      made.weight.back().push_back(coins.uniform() < 0.7 ? 1 : 0.25 + coins.uniform());
      made.by.back().push_back(coins.uniform() < 0.5 ? "a" : "b");
      made.comes.back().push_back(!late ? t + 1 : coins.uniform() < 0.1 ? rounds + 1 : t + 1 + coins.below(5));
    }
  }
  return made;
}

// Rows that count, models that are missing filled with the mixture.
struct Played {
  std::vector<double> x, y, weight;
  std::uint64_t refused = 0;
  std::string open;  // the state after the last forecast
};

std::string state_of(Combiner& combiner) {
  JsonWriter writer;
  combiner.archive(writer);
  return dump(writer.take());
}

void tell_before(Combiner& combiner, const RandomTable& table, std::size_t round, std::size_t forecast, Played& played,
                 const std::vector<std::vector<std::vector<double>>>& filled) {
  for (std::size_t t = 0; t < forecast; ++t) {
    for (std::size_t i = 0; i < table.y[t].size(); ++i) {
      if (table.comes[t][i] != round || filled[t][i].empty()) continue;  // nothing was forecast for an empty row
      try {
        combiner.tell(t + 1, i, table.y[t][i]);
      } catch (const Error& e) {
        EXPECT_EQ(e.code(), Code::kOutOfRange);
        ++played.refused;
        continue;
      }
      if (!table.plan.loss.counts(table.y[t][i])) continue;
      played.x.insert(played.x.end(), filled[t][i].begin(), filled[t][i].end());
      played.y.push_back(table.y[t][i]);
      played.weight.push_back(table.weight[t][i]);
    }
  }
}

// `stop`: the combiner is saved and loaded again before this round.
Played play(Combiner& combiner, const RandomTable& table, std::optional<std::size_t> stop = {}) {
  Played played;
  std::vector<std::vector<std::vector<double>>> filled;
  const std::size_t m = table.plan.members.size(), rounds = table.x.size();
  const auto mixture =
      static_cast<std::size_t>(table.plan.member(ForecastMember::Kind::kMixture) - table.plan.members.data());
  for (std::size_t t = 0; t < rounds; ++t) {
    if (stop == t) {
      const Json state = parse_json(state_of(combiner));
      Combiner loaded(table.plan);
      JsonReader reader(state, "state");
      loaded.archive(reader);
      combiner = loaded;
    }
    std::vector<ForecastRow> rows;
    for (std::size_t i = 0; i < table.x[t].size(); ++i)
      rows.push_back({.x = table.x[t][i], .weight = table.weight[t][i], .by = {&table.by[t][i], 1}});
    const CombinerRound& made = combiner.forecast(rows);
    filled.emplace_back();
    for (std::size_t i = 0; i < rows.size(); ++i) {
      filled.back().emplace_back();
      if (made.rows[i] == CombinerRound::Row::kEmpty) continue;
      double low = HUGE_VAL, high = -HUGE_VAL, sum = 0;
      for (std::size_t k = 0; k < table.plan.models.size(); ++k) {
        const double x = made.x[i * table.plan.models.size() + k];
        filled.back().back().push_back(std::isnan(x) ? made.members[i * m + mixture] : x);
        if (std::isnan(x)) continue;
        low = std::min(low, x);
        high = std::max(high, x);
      }
      EXPECT_GE(made.published[i], low);
      EXPECT_LE(made.published[i], high);
      std::vector<double> total(table.plan.width() + 1);
      combiner.total_weights(made, i, total);
      for (const double w : total) sum += w;
      EXPECT_NEAR(sum, 1, 1e-12);
    }
    tell_before(combiner, table, t + 1, t + 1, played, filled);
  }
  played.open = state_of(combiner);
  for (std::size_t later = rounds + 2; later < rounds + 6; ++later)
    tell_before(combiner, table, later, rounds, played, filled);
  combiner.close_all();
  return played;
}

TEST(Combiner, MeasuredIsAtMostProvenAndProvenAtMostClosedOnTenThousandTables) {
  std::size_t late = 0, refused = 0, compared = 0;
  for (std::uint64_t seed = 1; seed <= 10'000; ++seed) {
    const RandomTable table = random_table(seed);
    Combiner combiner(table.plan);
    const Played played = play(combiner, table);
    const ForecastCertificate found = certificate_of(combiner);
    ASSERT_EQ(combiner.rows(), played.y.size());
    ASSERT_EQ(combiner.too_late(), played.refused);
    late += combiner.longest_delay() > 0 ? 1 : 0;
    refused += played.refused;
    // Rounding: of the totals and of forecast times slope.
    double largest = 0;
    for (const double x : played.x) largest = std::max(largest, std::abs(x));
    const double slack = 1e-9 * std::max(combiner.total(), found.convex->proven) +
                         1e-11 * static_cast<double>(played.y.size()) * (largest + largest * largest);
    ASSERT_LE(found.convex->measured, found.convex->proven + slack) << seed;
    ASSERT_LE(found.convex->proven, found.convex->closed * (1 + 1e-12) + slack) << seed;
    ASSERT_LE(found.single_limits->measured, found.single_limits->proven + slack) << seed;
    ASSERT_LE(found.single_limits->proven, found.single_limits->closed * (1 + 1e-12) + slack) << seed;
    for (std::size_t j = 0; j < found.members.size(); ++j) {
      ASSERT_LE(found.members[j], found.members_linear[j] + slack) << seed;
      ASSERT_LE(found.members_linear[j], found.members_proven + slack) << seed;
    }
    ASSERT_LE(found.members_proven, found.members_closed * (1 + 1e-12) + slack) << seed;
    for (const auto& segments : found.segments) ASSERT_LE(segments.measured, segments.proven + slack) << seed;
    // What the certificate says, against mixtures themselves: corners, the middle, and some between.
    Coins coins(seed + 77);
    for (int n = 0; n < 3 && !played.y.empty(); ++n) {
      std::vector<double> u(table.plan.models.size());
      double sum = 0, loss = 0;
      for (double& one : u) sum += one = n == 0 ? 1 : coins.uniform();
      for (std::size_t i = 0; i < played.y.size(); ++i) {
        double mixed = 0;
        for (std::size_t k = 0; k < u.size(); ++k) mixed += u[k] / sum * played.x[i * u.size() + k];
        loss += played.weight[i] * table.plan.loss.value(mixed, played.y[i]);
      }
      ASSERT_LE(combiner.total() - loss, found.convex->measured + slack) << seed;
      ++compared;
    }
  }
  EXPECT_GT(late, 3000u);
  EXPECT_GT(refused, 1000u);
  EXPECT_GT(compared, 20'000u);
}

TEST(Combiner, ASavedRunGoesOnToTheSameBytes) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const RandomTable table = random_table(seed);
    Combiner whole(table.plan), stopped(table.plan);
    const std::string open = play(whole, table).open;
    ASSERT_EQ(open, play(stopped, table, Coins(seed).below(table.x.size())).open) << seed;
    ASSERT_EQ(state_of(whole), state_of(stopped)) << seed;
  }
}

TEST(Combiner, PowersOfTwoChangeNoBitOfTheWeights) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    RandomTable table = random_table(seed);
    if (table.plan.loss.of_probabilities() || table.plan.loss.kind == ForecastLoss::Kind::kPercentage) continue;
    RandomTable large = table;
    for (auto& round : large.x)
      for (auto& row : round)
        for (double& x : row) x *= 1024;
    for (auto& round : large.y)
      for (double& y : round) y *= 1024;
    Combiner a(table.plan), b(large.plan);
    play(a, table);
    play(b, large);
    for (std::size_t k = 0; k < table.plan.models.size(); ++k) {
      const double scale = table.plan.loss.kind == ForecastLoss::Kind::kSquared ? 1024.0 * 1024 : 1024.0;
      ASSERT_EQ(scale * a.mixture()->regret(k), b.mixture()->regret(k)) << seed;
    }
  }
}

// Two models 0 and 1, actuals 0, 1, 0, ...; the actual of the first round never comes. Without an end of patience the
// rate would stay infinite, and the loss above the best model's would be near 1,000.
TEST(Combiner, AnActualThatNeverComesCostsLittle) {
  CombinerPlan plan{.models = {"zero", "one"}};
  plan.loss = {.kind = ForecastLoss::Kind::kAbsolute};
  set_members(plan, {"single"}, "members");
  Combiner combiner(plan);
  const std::vector<double> x{0, 1};
  const std::vector<ForecastRow> rows{{.x = x}};
  for (std::uint64_t t = 1; t <= 4000; ++t) {
    combiner.forecast(rows);
    if (t > 1) combiner.tell(t, 0, t % 2 ? 1 : 0);
  }
  combiner.close_all();
  EXPECT_LT(combiner.total() - 2000, 50);
}

// One AdaHedge over the losses of K models, a row a round; some actuals are late, some never come. s, rho, d and the
// bound of F3 are worked out here from the weights that were played and from when actuals came:
//   2 Delta <= sqrt(ln K sum s (s + 2 rho)) + 2 (2 d + 1) max s
// rho: ranges of the earlier rounds that had not arrived at the forecast; d: forecasts made until the last of them had
// arrived, or was given up. The sums of losses are of the rows whose actual was taken.
struct LateGame {
  std::size_t models = 2, rounds = 0;
  std::uint64_t patience = 100;
  std::vector<std::vector<double>> x;  // rounds, models
  std::vector<double> y;
  std::vector<std::size_t> comes;  // after how many further forecasts; more than patience: never
};
struct LateBound {
  double regret = 0, proven = 0, closed = 0, f3 = 0;
};
LateBound bound_of(const LateGame& game) {
  CombinerPlan plan{.patience = game.patience};
  for (std::size_t k = 0; k < game.models; ++k) plan.models.push_back("m" + std::to_string(k));
  plan.loss = {.kind = ForecastLoss::Kind::kAbsolute};
  set_members(plan, {"single"}, "members");
  Combiner combiner(plan);
  std::vector<double> s(game.rounds, 0.0), losses(game.models, 0.0);
  std::vector<std::vector<double>> q;
  std::vector<std::size_t> taken(game.rounds);  // the forecasts that had been made by then
  double own = 0;
  for (std::size_t t = 0; t < game.rounds; ++t) {
    const ForecastRow row{.x = game.x[t]};
    q.push_back(combiner.forecast({&row, 1}).mixing);
    taken[t] = t + std::min<std::size_t>(game.comes[t], game.patience);
    for (std::size_t u = 0; u <= t; ++u) {
      if (u + game.comes[u] != t || game.comes[u] > game.patience) continue;
      combiner.tell(u + 1, 0, game.y[u]);
      double mixed = 0, low = HUGE_VAL, high = -HUGE_VAL;
      for (std::size_t k = 0; k < game.models; ++k) {
        const double loss = std::abs(game.x[u][k] - game.y[u]);
        mixed += q[u][k] * game.x[u][k];
        losses[k] += loss;
        low = std::min(low, loss);
        high = std::max(high, loss);
      }
      s[u] = high - low;
      own += std::abs(mixed - game.y[u]);
    }
  }
  combiner.close_all();
  double squares = 0, most = 0;
  std::size_t d = 0;
  for (std::size_t t = 0; t < game.rounds; ++t) {
    double rho = 0;
    for (std::size_t u = 0; u < t; ++u) rho += taken[u] >= t ? s[u] : 0;
    squares += s[t] * (s[t] + 2 * rho);
    most = std::max(most, s[t]);
    d = std::max(d, std::min(taken[t], game.rounds - 1) - t);
  }
  EXPECT_NEAR(combiner.total(), own, 1e-9 * (1 + own));
  return {.regret = own - *std::ranges::min_element(losses),
          .proven = combiner.single()->proven(),
          .closed = combiner.single()->closed(static_cast<double>(combiner.longest_delay())),
          .f3 = std::sqrt(std::log(static_cast<double>(game.models)) * squares) +
                2 * (2 * static_cast<double>(d) + 1) * most};
}

TEST(Combiner, AnActualThatNeverComesCostsWhatF3SaysAndNoMore) {
  LateGame game{.rounds = 4000, .x = {}, .y = {}, .comes = std::vector<std::size_t>(4000, 0)};
  for (std::size_t t = 0; t < game.rounds; ++t) {
    game.x.push_back({0, 1});
    game.y.push_back(t % 2 ? 0 : 1);
  }
  const double in_time = bound_of(game).f3;
  EXPECT_NEAR(in_time, std::sqrt(std::log(2.0) * 4000) + 2, 1e-9);
  game.comes[0] = 4001;
  const LateBound never = bound_of(game);
  // d is the patience, and the round that was given up has no range: 4 * 100 ranges more and one square less.
  EXPECT_NEAR(never.f3, std::sqrt(std::log(2.0) * 3999) + 402, 1e-9);
  EXPECT_LE(never.f3, never.closed);
  EXPECT_LE(never.regret, never.proven);
  EXPECT_LE(never.proven, never.f3);
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    Coins coins(seed);
    LateGame drawn{.models = 2 + coins.below(5), .rounds = 10 + coins.below(60), .patience = 1 + coins.below(12)};
    const double unit = coins.uniform() < 0.3 ? 1e6 : 1;
    for (std::size_t t = 0; t < drawn.rounds; ++t) {
      drawn.x.emplace_back();
      for (std::size_t k = 0; k < drawn.models; ++k)
        drawn.x.back().push_back(unit * (coins.uniform() < 0.1 ? coins.cauchy() : coins.uniform()));
      drawn.y.push_back(unit * coins.uniform());
      const double when = coins.uniform();
      drawn.comes.push_back(when < 0.6 ? 0 : when < 0.75 ? 1000 : coins.below(drawn.patience + 1));
    }
    const LateBound found = bound_of(drawn);
    ASSERT_LE(found.regret, found.proven * (1 + 1e-9) + 1e-9 * unit) << seed;
    ASSERT_LE(found.proven, found.f3 * (1 + 1e-9) + 1e-9 * unit) << seed;
    ASSERT_LE(found.f3, found.closed * (1 + 1e-9) + 1e-9 * unit) << seed;
  }
}

TEST(Combiner, EqualForecastsHaveEqualWeightsAndProveNothing) {
  CombinerPlan plan{.models = {"a", "b", "c"}};
  set_members(plan, default_members(), "members");
  Combiner combiner(plan);
  for (std::uint64_t t = 1; t <= 20; ++t) {
    const std::vector<double> x(3, 0.1 * static_cast<double>(t));
    const std::vector<ForecastRow> rows{{.x = x}};
    EXPECT_EQ(combiner.forecast(rows).published[0], x[0]);
    combiner.tell(t, 0, 1);
  }
  const ForecastCertificate found = certificate_of(combiner);
  EXPECT_EQ(found.convex->measured, 0);
  EXPECT_EQ(found.convex->proven, 0);
  EXPECT_EQ(found.convex->closed, 0);
}

}  // namespace combiner_test
}  // namespace hannan::detail
