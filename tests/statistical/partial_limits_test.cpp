// Limits of learners that see a part of their rounds, over many runs of friendly, hostile and reacting data: the regret
// of a run is above its limit at some round in at most 5 % of the runs. 250 runs a cell; with HANNAN_RUNS=all 2,000.
//
// A limit that holds with exactly 95 % would break in more than 13 of 250 runs, 5 % and 13 more, about half of the
// time; those here are conservative (none of 30,000 runs broke, docs/theory-partial.md), so a failure is a fault. What
// it catches: a limit of 0 while no look has shown a difference, the trap below, breaks in a third of the runs of rare
// losses.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "hannan/certify/deviations.hpp"
#include "hannan/core/keyed_random.hpp"
#include "hannan/play/simulation.hpp"
#include "hannan/runtime/registry.hpp"

namespace hannan::detail {
namespace partial_limits_test {

std::uint64_t runs_asked(std::uint64_t all) {
  const char* asked = std::getenv("HANNAN_RUNS");
  return asked && std::string_view(asked) == "all" ? all : all / 8;
}

struct Cell {
  StreamSpec stream;
  const char* learner;
  const char* params;
};

// Runs whose regret was above the limit at some round.
std::uint64_t broken(const Cell& cell, std::uint64_t runs) {
  std::uint64_t count = 0;
  for (std::uint64_t run = 0; run < runs; ++run) {
    StreamSpec spec = cell.stream;
    spec.key = {.seed = 77, .run = run};
    auto stream = make_loss_stream(spec);
    const auto problem = make_loss_problem(stream->experts(), "stream");
    const auto source = simulated_source(std::move(stream), problem->game(), {});
    Json params = parse_json(cell.params);
    params.set("seed", 77).set("run", run);
    LearnerGroup group;
    group.join(problem->turn<ReplayTurn>(cell.learner, params));
    const auto result = run_to_end(group, *source, {.rounds = spec.rounds, .stop = {}, .follow_limit = {true}});
    EXPECT_TRUE(result->front().covered) << "no limit was stated";
    if (!result->front().covered.value_or(false)) ++count;
  }
  return count;
}

TEST(PartialLimits, HoldOnFriendlyHostileAndReactingDataInNearlyAllRuns) {
  const StreamSpec streams[] = {
      {.name = "iid", .experts = 4, .rounds = 300, .best = 0.3, .others = 0.5},
      {.name = "iid", .experts = 2, .rounds = 300, .best = 0.01, .others = 0.01},  // rare losses
      {.name = "killer", .experts = 2, .rounds = 300},
      {.name = "adaptive", .experts = 4, .rounds = 300}};
  const std::pair<const char*, const char*> learners[] = {
      {"ada", R"({"feedback":"looks","look":null,"share":0.02})"},
      {"ada", R"({"feedback":"looks","look":1,"share":0.2})"},
      {"flipflop", R"({"feedback":"looks","look":1})"},
      {"leader", R"({"feedback":"looks","look":null,"share":0.1,"delta":0.05})"},
      {"ada", R"({"feedback":"elements"})"}};
  const std::uint64_t runs = runs_asked(2000);
  for (const StreamSpec& stream : streams) {
    for (const auto& [kind, params] : learners)
      EXPECT_LE(broken({.stream = stream, .learner = kind, .params = params}, runs), runs / 20)
          << stream.name << " of " << stream.others << ": " << kind << " " << params;
  }
}

// Two experts that rarely lose: for a long time no look shows a difference (Q = 0), and a limit that is 0 until then is
// wrong as soon as an unseen round has lost. The learner plays; the sums of its limit are taken here a second time,
// with the fault and without. With it a third of the runs break at some round; those of the learner itself are the ones
// without.
TEST(PartialLimits, OfALearnerThatSawNoDifferenceAreNotZeroAndWithThatTrapWouldBreak) {
  constexpr double kShare = 0.02, kRate = 0.01;
  const std::uint64_t runs = runs_asked(2000);
  const auto problem = make_problem("experts", parse_json(R"({"experts":2})"), "params");
  const SignedUpper upper(1 / kShare, 0.05 / 2);
  std::uint64_t trapped = 0, broken_ones = 0;
  for (std::uint64_t run = 0; run < runs; ++run) {
    Json params = parse_json(R"({"feedback":"looks","look":null,"share":0.02})");
    params.set("seed", 78).set("run", run);
    const auto learner = problem->learner<PartLearner>("ada", params);
    double own = 0, lost[2] = {}, difference[2] = {}, square[2] = {};
    bool above_trap = false, above = false;
    for (std::uint64_t t = 1; t <= 1000; ++t) {
      const KeyedRandom dice({.seed = 78, .run = run}, Purpose::kTest, t);
      const std::vector<double> losses{dice.uniform(0) < kRate ? 1.0 : 0.0, dice.uniform(1) < kRate ? 1.0 : 0.0};
      const auto choice = static_cast<std::size_t>(learner->act().action_json().as_number());
      const AnyOutcome y = AnyOutcome::of(std::vector<double>(losses));
      const Round& round = learner->observe(learner->shown(y));
      own += losses[choice];
      double limit = -1e300, trap = -1e300;
      for (std::size_t k = 0; k < 2; ++k) {
        lost[k] += losses[k];
        const double term = *round.looked->look ? (losses[choice] - losses[k]) / kShare : 0.0;
        difference[k] += term;
        square[k] += term * term;
        limit = std::max(limit, difference[k] + upper(square[k]));
        trap = std::max(trap, difference[k] + (square[k] > 0 ? upper(square[k]) : 0));
      }
      ASSERT_TRUE(round.limit);
      ASSERT_NEAR(*round.limit, limit, 1e-9 * std::max(1.0, limit)) << "run " << run << ", round " << t;
      const double regret = own - std::min(lost[0], lost[1]);
      above_trap = above_trap || regret > trap + 1e-9;
      above = above || regret > *round.limit + 1e-9;
    }
    trapped += above_trap ? 1 : 0;
    broken_ones += above ? 1 : 0;
  }
  EXPECT_LE(broken_ones, runs / 20);
  EXPECT_GT(trapped, runs / 4) << "rare losses no longer tell the two apart";
}

// A client throws the coins and sends looks late: only closed decisions count, in the order of issue. The loss of what
// a decision plays is 1 in each of its rounds, that of the other expert 0.
struct Late {
  std::uint64_t rounds, decisions, late;
};

bool breaks(const Late& of, std::uint64_t run) {
  constexpr double kShare = 0.02;
  const auto problem = make_problem("experts", parse_json(R"({"experts":2})"), "params");
  Json params = parse_json(R"({"feedback":"looks","look":null,"share":0.02,"coin":"client"})");
  params.set("seed", 79).set("run", run);
  const auto learner = problem->learner<PartLearner>("ada", params);
  struct Waiting {
    std::uint64_t number;
    std::size_t choice;
    std::uint64_t looks;
  };
  std::vector<Waiting> all;
  const auto tell = [&](ClientMessage message) {
    PartLearner::Seen seen;
    seen.message = message;
    learner->observe(seen);
  };
  const auto send_looks = [&](const Waiting& one) {
    std::vector<double> losses(2, 0.0);
    losses[one.choice] = 1;
    const AnyOutcome y = AnyOutcome::of(std::vector<double>(losses));
    for (std::uint64_t i = 0; i < one.looks; ++i)
      tell({.decision = one.number, .kind = ClientMessage::Kind::kLook, .outcome = &y, .rounds = 0, .looks = 0});
  };
  bool above = false;
  for (std::uint64_t d = 1; d <= of.decisions + of.late; ++d) {
    if (d <= of.decisions) {
      const Round& decided = learner->act();
      Waiting one{
          .number = decided.number, .choice = static_cast<std::size_t>(decided.action_json().as_number()), .looks = 0};
      const KeyedRandom dice({.seed = 80, .run = run}, Purpose::kTest, d);
      for (std::uint64_t t = 0; t < of.rounds; ++t) one.looks += dice.uniform(t) < kShare ? 1 : 0;
      tell({.decision = one.number,
            .kind = ClientMessage::Kind::kClose,
            .outcome = nullptr,
            .rounds = of.rounds,
            .looks = one.looks});
      all.push_back(one);
    }
    if (d > of.late) send_looks(all[d - of.late - 1]);
    const std::uint64_t counted = learner->decisions()->counted();
    double total[2] = {0, 0};
    for (std::uint64_t i = 0; i < counted; ++i) total[all[i].choice] += static_cast<double>(of.rounds);
    const double own = total[0] + total[1];
    const auto limit = learner->said_of_regret().limit;
    EXPECT_EQ(learner->rounds(), counted * of.rounds);
    above = above || (limit && own - std::min(total[0], total[1]) > *limit + 1e-9);
  }
  return above;
}

TEST(PartialLimits, HoldWhereTheLooksOfAClientComeDecisionsLate) {
  const std::uint64_t runs = runs_asked(1000);
  for (const Late& of : {Late{.rounds = 700, .decisions = 6, .late = 1}, Late{.rounds = 400, .decisions = 6, .late = 2},
                         Late{.rounds = 35, .decisions = 200, .late = 60}}) {
    std::uint64_t count = 0;
    for (std::uint64_t run = 0; run < runs; ++run) count += breaks(of, run) ? 1 : 0;
    EXPECT_LE(count, runs / 20) << of.rounds << " rounds a decision";
  }
}

}  // namespace partial_limits_test
}  // namespace hannan::detail
