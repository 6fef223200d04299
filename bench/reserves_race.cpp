// Eager reserves, n = 4 bidders, m = 16 levels, K = 65,536: over NumPy Hedge on all of them
// (rivals/reserves_hedge.py), and over ourselves with the lazy leader off.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench/instances.hpp"
#include "bench/rival.hpp"
#include "bench/row.hpp"
#include "bench/stopwatch.hpp"
#include "hannan/runtime/registry.hpp"
#include "hannan/runtime/turns.hpp"

namespace hannan::detail::bench {
namespace {

struct Played {
  double rate = 0;  // rounds/s
  std::uint64_t rounds = 0;
  double calls = 0;  // a round
  double total = 0;
};

// Plays rows of bids through the learner's own interface, as a user of the library would.
struct Player {
  const AnyProblem& problem;
  const std::vector<std::vector<double>>& bids;

  Played play(const std::string& learner_kind, const Json& params, std::uint64_t rounds) const {
    const auto learner = problem.learner(learner_kind, params);
    Played played{.rounds = std::min<std::uint64_t>(rounds, bids.size())};
    Figures seen;
    AnyOutcome outcome;
    const Stopwatch watch;
    for (std::uint64_t t = 0; t < played.rounds; ++t) {
      learner->act();
      problem.game().read_row(bids[t], outcome);
      seen = learner->observe(outcome);
    }
    played.rate = static_cast<double>(played.rounds) / watch.seconds();
    played.calls = static_cast<double>(seen.oracle_calls) / static_cast<double>(played.rounds);
    played.total = seen.total;
    return played;
  }
};

struct Racer {
  std::string name, kind, draw;

  Json params(const std::string& oracle, std::uint64_t pool) const {
    Json all = Json::object({{"track", "end"}, {"oracle", oracle}, {"pool", pool}});
    return draw.empty() ? all : all.set("draw", draw);
  }
};
const Racer kRacers[] = {
    {"leader", "leader", ""}, {"flipflop", "flipflop", "fresh"}, {"flipflop-once", "flipflop", "once"}};

// Rounds of NumPy are few, since each costs K steps; ours are many, and both are stated as rounds a second.
void add_hedge(const Setting& setting, const Player& player, std::vector<Row>& rows, const std::vector<Played>& best) {
  const std::uint64_t rounds = setting.pick<std::uint64_t>(200, 3);
  Json bids = Json::array();
  for (std::uint64_t t = 0; t < rounds; ++t) bids.push_back(Json(player.bids[t]));
  setting.say("reserves: NumPy Hedge");
  for (const char* way : {"listed", "broadcast"}) {
    const Json twin = ask_rival(setting, {.program = "reserves_hedge.py",
                                          .question = Json::object({{"bids", bids}, {"levels", 16}, {"way", way}})});
    const Played own = player.play("hedge", Json::object({{"track", "end"}, {"oracle", "tabulate"}}), rounds);
    const auto add = [&](const std::string& name, const Played& ours, std::optional<Goal> goal) {
      Row row{.name = name, .unit = "rounds/s", .ours = ours.rate, .rival = {}, .goal = goal, .note = {}};
      if (const Json* error = twin.find("error")) {
        row.note = error->as_string();
      } else {
        row.rival = static_cast<double>(rounds) / twin.at("seconds").as_number();
        row.note =
            fmt::format("NumPy Hedge, reserves {}; ours T = {}, {:.3f} calls a round", way, ours.rounds, ours.calls);
        const bool same = std::abs(twin.at("total").as_number() - own.total) <= 1e-6 * (1 + own.total);
        if (name.ends_with("hedge")) row.note += same ? ", same total loss" : ", ANOTHER TOTAL LOSS";
      }
      rows.push_back(std::move(row));
    };
    const std::string group = std::string("reserves/") + way + "/";
    for (std::size_t i = 0; i < best.size(); ++i) add(group + kRacers[i].name, best[i], Goal{.ratio = 1000});
    add(group + "hedge", own, std::nullopt);
  }
}

}  // namespace

// For each learner the fastest oracle and pool that played all rounds; the rows of pools compare with and without.
std::vector<Row> reserves_race(const Setting& setting) {
  const auto problem = make_problem("vcg-reserves", Json::object({{"bidders", 4}, {"levels", 16}}), "bench");
  std::vector<std::vector<double>> bids;
  for (const Json& card : deck(*problem, {.count = setting.pick<std::uint64_t>(100'000, 20), .seed = 13}))
    bids.push_back(row_of(*problem, card));
  const Player player{*problem, bids};

  std::vector<Row> pools;
  std::vector<Played> best;
  for (const Racer& racer : kRacers) {
    Played fastest;
    for (const char* oracle : {"tabulate", "branch_bound"}) {
      // A search call grows with the number of different profiles: without pools 100,000 rounds would take days.
      const std::uint64_t rounds =
          oracle == std::string_view("tabulate") ? bids.size() : setting.pick<std::uint64_t>(800, 5);
      setting.say(fmt::format("reserves: {} by {}", racer.name, oracle));
      const Played off = player.play(racer.kind, racer.params(oracle, 0),
                                     std::min<std::uint64_t>(rounds, 20'000));  // flat: no need for more
      Played on;
      std::uint64_t pool = 0;
      for (const std::uint64_t size : {std::uint64_t{64}, std::uint64_t{256}, std::uint64_t{1024}}) {
        const Played played = player.play(racer.kind, racer.params(oracle, size), rounds);
        if (played.rate > on.rate) on = played, pool = size;
      }
      pools.push_back({.name = fmt::format("reserves/pool/{}/{}", racer.name, oracle),
                       .unit = "rounds/s",
                       .ours = on.rate,
                       .rival = off.rate,
                       .goal = Goal{.ratio = 20},
                       .note = fmt::format("pool {} over none, T = {}, {:.3f} over {:.3f} calls a round", pool,
                                           on.rounds, on.calls, off.calls)});
      for (const Played& played : {on, off}) {
        if (played.rate > fastest.rate && played.rounds == bids.size()) fastest = played;
      }
    }
    best.push_back(fastest);
  }
  std::vector<Row> rows;
  add_hedge(setting, player, rows, best);
  rows.insert(rows.end(), pools.begin(), pools.end());
  return rows;
}

}  // namespace hannan::detail::bench
