// Robust decisions over linear programmes that see the whole game: Clp here, HiGHS in Python where SciPy is there
// (rivals/robust_highs.py), in the same run and in seconds of the processor. Sizes at which no programme of the whole
// game can be written down have no rival: their rows are seconds alone.
#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <ctime>

#include "bench/rival.hpp"
#include "bench/row.hpp"
#include "hannan/certify/linear_program.hpp"
#include "hannan/core/keyed_random.hpp"
#include "hannan/io/table.hpp"
#include "hannan/runtime/make_game.hpp"
#include "hannan/solve/solve_request.hpp"

namespace hannan::detail::bench {
namespace {

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

struct Found {
  Solved solved;
  double seconds;
};

Found timed(const Scenarios& scenarios, const SolveOptions& options) {
  const auto oracle = scenarios.game().oracles().front();
  const double begin = processor_seconds();
  Solved solved = solve(scenarios, *oracle, options);
  return {std::move(solved), processor_seconds() - begin};
}

std::string told(const Found& found) {
  return fmt::format("{} rounds, value {:.9f}, gap {:.1e}", found.solved.rounds, found.solved.upper,
                     std::max(0.0, found.solved.upper - found.solved.lower));
}

// min v over all actions at once.
double whole_programme(const std::vector<std::vector<double>>& losses) {
  const std::size_t n = losses.size(), actions = losses.front().size();
  Programme made;
  made.costs.assign(actions + 1, 0.0);
  made.costs[actions] = 1;
  made.column_low.assign(actions + 1, 0.0);
  made.column_low[actions] = -kNoBound;
  made.column_high.assign(actions + 1, kNoBound);
  made.row_low.assign(n + 1, 0.0);
  made.row_high.assign(n + 1, kNoBound);
  made.row_low[n] = made.row_high[n] = 1;
  made.entries.reserve((n + 1) * (actions + 1));
  for (std::size_t g = 0; g < n; ++g) {
    for (std::size_t x = 0; x < actions; ++x) made.entries.push_back({g, x, -losses[g][x]});
    made.entries.push_back({g, actions, 1.0});
  }
  for (std::size_t x = 0; x < actions; ++x) made.entries.push_back({n, x, 1.0});
  return LinearProgram(made).solve_afresh().value;
}

struct MatrixCase {
  std::uint64_t actions;
  std::optional<Goal> goal;  // over HiGHS
  bool whole;                // whether Clp is given all of it
};

void race_matrix(const Setting& setting, const MatrixCase& of, std::vector<Row>& rows) {
  constexpr std::uint64_t kScenarios = 50;
  const std::string path = setting.scratch + "/matrix.npy";
  setting.say(fmt::format("robust: {} x {} losses", of.actions, kScenarios));
  const Json made = ask_rival(
      setting, {.program = "robust_highs.py",
                .question = Json::object({{"make", path}, {"actions", of.actions}, {"scenarios", kScenarios}})});
  Row highs{.name = fmt::format("robust/matrix-{}", of.actions),
            .unit = "solves/s",
            .ours = {},
            .rival = {},
            .goal = of.goal,
            .note = {}};
  if (const Json* error = made.find("error")) {
    highs.note = error->as_string();
    rows.push_back(std::move(highs));
    return;
  }
  const auto game = make_game("experts", Json::object({{"experts", of.actions}}), "bench");
  ListedScenarios scenarios(game);
  std::vector<std::vector<double>> losses;
  const auto table = open_table(path);
  AnyOutcome y;
  for (std::vector<double> row; table->next(row);) {
    game->read_row(row, y);
    const std::string name = std::to_string(scenarios.size());
    scenarios.add(name, {{scenarios.place(y, name), 1.0}});
    losses.push_back(row);
  }
  scenarios.finish();
  const Found found = timed(scenarios, {});
  highs.ours = 1 / found.seconds;
  const Json answer = ask_rival(setting, {.program = "robust_highs.py", .question = Json::object({{"matrix", path}})});
  if (const Json* error = answer.find("error")) {
    highs.note = error->as_string();
  } else {
    highs.rival = 1 / answer.at("seconds").as_number();
    highs.note =
        fmt::format("over one linear programme of the whole matrix (SciPy, HiGHS), {}; values differ by {:.0e}",
                    told(found), std::abs(answer.at("value").as_number() - found.solved.upper));
  }
  rows.push_back(std::move(highs));
  if (of.whole) {
    const double begin = processor_seconds();
    const double value = whole_programme(losses);
    const double seconds = processor_seconds() - begin;
    rows.push_back({.name = fmt::format("robust/matrix-{}-clp", of.actions),
                    .unit = "solves/s",
                    .ours = 1 / found.seconds,
                    .rival = 1 / seconds,
                    .goal = {},
                    .note = fmt::format("over the same programme by Clp; values differ by {:.0e}",
                                        std::abs(value - found.solved.upper))});
  }
  std::remove(path.c_str());
}

KeyedRandom draws(std::uint64_t of) { return {{.seed = 7, .run = 0}, Purpose::kTest, of}; }

// r guards over n targets: an attack on i loses u_i, or c_i where it is covered.
Row patrols(std::uint64_t targets, std::uint64_t guards) {
  const auto game =
      make_game("multi-unit", Json::object({{"bidders", targets}, {"units", guards}, {"range", "all"}}), "bench");
  const KeyedRandom random = draws(targets);
  std::vector<double> open, covered;
  Json list = Json::array();
  for (std::uint64_t i = 0; i < targets; ++i) {
    open.push_back(0.3 + 0.7 * random.uniform(2 * i));
    covered.push_back(0.5 * open.back() * random.uniform(2 * i + 1));
    Json values = Json::array();
    for (std::uint64_t j = 0; j < targets; ++j)
      values.push_back(j != i ? Json::array()
                              : Json::array({Json::array({0, 1 - open[i]}), Json::array({1, 1 - covered[i]})}));
    list.push_back(Json::object({{"name", std::to_string(i)},
                                 {"data", Json::array({Json::object({{"weight", targets}, {"outcome", values}})})}}));
  }
  const ScenarioSet set = scenarios_of_list(game, list, "bench");
  const Found found = timed(*set.scenarios, {});
  // The least level that the guards suffice for, by bisection.
  double low = 0, high = 1;
  for (int step = 0; step < 60; ++step) {
    const double level = (low + high) / 2;
    double needed = 0;
    for (std::uint64_t i = 0; i < targets; ++i)
      needed += level >= open[i] ? 0 : level < covered[i] ? 1e9 : (open[i] - level) / (open[i] - covered[i]);
    (needed <= static_cast<double>(guards) ? high : low) = level;
  }
  return {
      .name = fmt::format("robust/patrols-{}-of-{}", guards, targets),
      .unit = "s",
      .ours = found.seconds,
      .rival = {},
      .goal = {},
      .note = fmt::format("no rival, {} rounds; {:.9f} where the closed form is {:.9f}; at most 0.5 s for 30 of 100",
                          found.solved.rounds, found.solved.upper - static_cast<double>(targets - 1), high)};
}

Row routes(const Setting& setting, std::uint64_t m, std::int64_t budget) {
  Json edges = Json::array();
  for (std::uint64_t i = 0; i < m; ++i) {
    for (std::uint64_t j = 0; j < m; ++j) {
      if (j + 1 < m) edges.push_back(Json::array({i * m + j, i * m + j + 1}));
      if (i + 1 < m) edges.push_back(Json::array({i * m + j, (i + 1) * m + j}));
    }
  }
  const KeyedRandom random = draws(1000 + m);
  std::vector<double> base;
  for (std::size_t e = 0; e < edges.size(); ++e) base.push_back(0.2 + 0.6 * random.uniform(e));
  const auto game =
      make_game("routing", Json::object({{"edges", edges}, {"source", 0}, {"target", m * m - 1}}), "bench");
  const ScenarioSet set = scenarios_of_budget(game, {.budget = budget, .base = base, .rise = {}});
  const Found found = timed(*set.scenarios, {.cap = 1 / static_cast<double>(budget)});
  Row row{.name = fmt::format("robust/routes-{}", m),
          .unit = "solves/s",
          .ours = 1 / found.seconds,
          .rival = {},
          .goal = {},
          .note = {}};
  const Json answer =
      ask_rival(setting, {.program = "robust_highs.py",
                          .question = Json::object({{"routes", m}, {"budget", budget}, {"base", Json(base)}})});
  if (const Json* error = answer.find("error")) {
    row.note = told(found) + "; " + error->as_string();
    return row;
  }
  row.rival = 1 / answer.at("seconds").as_number();
  row.note = fmt::format(
      "{} disruptions of {} edges, {}; over the flow programme of this very structure (HiGHS), which is {:.9f}", budget,
      edges.size(), told(found), answer.at("value").as_number());
  return row;
}

// Eager reserves of 8 bidders with 64 levels, 6 groups of 40 auctions: 2^48 actions.
Row reserves(std::uint64_t bidders, std::uint64_t levels) {
  const auto game = make_game("vcg-reserves", Json::object({{"bidders", bidders}, {"levels", levels}}), "bench");
  RowScenarios rows(game, {.group = {"group"}});
  const KeyedRandom random = draws(48);
  AnyOutcome y;
  std::uint64_t place = 0;
  for (std::uint64_t i = 0; i < 240; ++i) {
    const double strength = 0.3 + 0.1 * static_cast<double>(i % 6);
    std::vector<double> bids;
    for (std::uint64_t b = 0; b < bidders; ++b) bids.push_back(std::min(1.0, strength * 2 * random.uniform(place++)));
    game->read_row(bids, y);
    const std::string label = std::to_string(i % 6);
    rows.add(y, std::span(&label, 1));
  }
  const ScenarioSet set = rows.finish("bench");
  const Found found = timed(*set.scenarios, {});
  return {.name = fmt::format("robust/reserves-2^{:.0f}", game->ln_size() / std::log(2.0)),
          .unit = "s",
          .ours = found.seconds,
          .rival = {},
          .goal = {},
          .note = "no rival: 6 groups of 40 auctions, " + told(found)};
}

}  // namespace

std::vector<Row> robust_race(const Setting& setting) {
  std::vector<Row> rows;
  const std::uint64_t most = setting.pick<std::uint64_t>(200'000, 200);
  for (const MatrixCase& of :
       {MatrixCase{2'000, {}, true}, {20'000, Goal{.ratio = 2}, true}, {200'000, Goal{.ratio = 5}, false}}) {
    if (setting.size == Setting::Size::kQuick && of.actions > 2'000) continue;
    race_matrix(setting, {std::min(of.actions, most), of.goal, of.whole}, rows);
  }
  setting.say("robust: patrols, routes, reserves");
  rows.push_back(patrols(setting.pick<std::uint64_t>(50, 8), setting.pick<std::uint64_t>(17, 3)));
  rows.push_back(patrols(setting.pick<std::uint64_t>(100, 10), setting.pick<std::uint64_t>(30, 3)));
  rows.push_back(routes(setting, setting.pick<std::uint64_t>(25, 4), setting.pick<std::int64_t>(10, 2)));
  rows.push_back(routes(setting, setting.pick<std::uint64_t>(40, 5), setting.pick<std::int64_t>(20, 2)));
  rows.push_back(reserves(setting.pick<std::uint64_t>(8, 2), setting.pick<std::uint64_t>(64, 8)));
  return rows;
}

}  // namespace hannan::detail::bench
