// Rounds that are seen in part: looks over 65,536 reserves over rounds of full feedback; oracle calls of elements on a
// grid of roads over their limit, d + 4; and elements on a list of ten over the bandits Exp3-IX and Tsallis-INF in
// NumPy (rivals/bandit_loop.py), which keep a number for each action, on the same losses.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "bench/instances.hpp"
#include "bench/rival.hpp"
#include "bench/row.hpp"
#include "bench/stopwatch.hpp"
#include "hannan/play/hindsight.hpp"
#include "hannan/runtime/registry.hpp"
#include "hannan/runtime/turns.hpp"

namespace hannan::detail::bench {
namespace {

constexpr std::size_t kArms = 10;
constexpr std::uint64_t kArmDeck = 4096;  // rows of losses, dealt round and round

// The same numbers on both sides: 0 or 1, of mean 0.3 for the first arm and 0.5 for the others.
double arm_loss(std::uint64_t i, std::uint64_t k) {
  std::uint64_t x = (i * 2'654'435'761U + k * 40'503U + 12'345U) % (std::uint64_t{1} << 32U);
  x = (x ^ (x >> 15U)) * 2'246'822'519U % (std::uint64_t{1} << 32U);
  x ^= x >> 13U;
  return static_cast<double>(x % 1000) < (k == 0 ? 300 : 500) ? 1 : 0;
}

struct PlayedInPart {
  double seconds = 0;
  double calls = 0;   // a round
  double regret = 0;  // in hindsight
  std::uint64_t looks = 0;
};

template <class OutcomeOf>
PlayedInPart play_part(const AnyProblem& problem, PartLearner& learner, std::uint64_t rounds, const OutcomeOf& of) {
  PlayedInPart played;
  std::vector<AnyAction> actions;
  const Stopwatch watch;
  for (std::uint64_t t = 0; t < rounds; ++t) {
    learner.act();
    const Round& round = learner.observe(learner.shown(of(t)));
    actions.push_back(*round.action);
    played.calls = static_cast<double>(round.oracle_calls) / static_cast<double>(rounds);
    if (round.looked) played.looks = round.looked->looks;
  }
  played.seconds = watch.seconds();
  Hindsight hindsight(problem.game());
  for (std::uint64_t t = 0; t < rounds; ++t) hindsight.round(actions[t], of(t));
  played.regret = hindsight.regret();
  return played;
}

Row looks_row(const Setting& setting) {
  setting.say("part: looks over reserves");
  const auto problem = make_problem("vcg-reserves", Json::object({{"bidders", 4}, {"levels", 16}}), "bench");
  const auto rounds = setting.pick<std::uint64_t>(20'000, 20);
  std::vector<AnyOutcome> outcomes;
  for (const Json& card : deck(*problem, {.count = rounds, .seed = 13})) {
    outcomes.emplace_back();
    problem->game().read_row(row_of(*problem, card), outcomes.back());
  }
  // The same oracle and the same noise; full rounds look for the best of all rounds at the end alone, as looks do.
  double least_full = 1e300, least_looks = 1e300;
  std::uint64_t looks = 0;
  for (int time = 0; time < setting.pick(3, 1); ++time) {
    const auto full =
        problem->learner("flipflop", Json::object({{"track", "end"}, {"pool", 0}, {"oracle", "tabulate"}}));
    const Stopwatch watch;
    for (const AnyOutcome& y : outcomes) {
      full->act();
      full->observe(y);
    }
    least_full = std::min(least_full, watch.seconds());
    const auto learner = problem->learner<PartLearner>(
        "flipflop",
        Json::object({{"feedback", "looks"}, {"look", nullptr}, {"pool", 0}, {"oracle", "tabulate"}, {"share", 0.1}}));
    const PlayedInPart played =
        play_part(*problem, *learner, rounds, [&](std::uint64_t t) -> const AnyOutcome& { return outcomes[t]; });
    least_looks = std::min(least_looks, played.seconds);
    looks = played.looks;
  }
  const double each = 1e6 / static_cast<double>(rounds);
  return {.name = "part/looks",
          .unit = "us/round",
          .ours = each * least_looks,
          .rival = each * least_full,
          .goal = Goal{.sense = Goal::Sense::kAtMost, .ratio = 1.3},
          .note = fmt::format("flipflop with looks, share 0.1, over full feedback; K = 65536, T = {}, {} looks", rounds,
                              looks)};
}

// A grid of crossings with ways to the right and down.
Row calls_row(const Setting& setting) {
  setting.say("part: elements on roads");
  constexpr int kSide = 6;
  Json edges = Json::array();
  const auto crossing = [](int row, int column) { return Json(row * kSide + column); };
  for (int r = 0; r < kSide; ++r) {
    for (int c = 0; c < kSide; ++c) {
      if (c + 1 < kSide) edges.push_back(Json::array({crossing(r, c), crossing(r, c + 1)}));
      if (r + 1 < kSide) edges.push_back(Json::array({crossing(r, c), crossing(r + 1, c)}));
    }
  }
  const double elements = static_cast<double>(edges.size());
  const auto problem =
      make_problem("routing", Json::object({{"edges", edges}, {"source", 0}, {"target", kSide * kSide - 1}}), "bench");
  const auto rounds = setting.pick<std::uint64_t>(2000, 20);
  std::vector<AnyOutcome> outcomes;
  for (std::uint64_t t = 0; t < rounds; ++t) {
    std::vector<double> costs(edges.size());
    for (std::size_t e = 0; e < costs.size(); ++e)
      costs[e] = 0.5 * arm_loss(t % kArmDeck, e) + 0.5 * static_cast<double>(e % 7) / 7;
    outcomes.emplace_back();
    problem->game().read_row(costs, outcomes.back());
  }
  const auto learner = problem->learner<PartLearner>("ada", Json::object({{"feedback", "elements"}}));
  const PlayedInPart played =
      play_part(*problem, *learner, rounds, [&](std::uint64_t t) -> const AnyOutcome& { return outcomes[t]; });
  return {.name = "part/elements-calls",
          .unit = "calls/round",
          .ours = played.calls,
          .rival = elements + 4,
          .goal = Goal{.sense = Goal::Sense::kAtMost, .ratio = 1},
          .note = fmt::format("roads, d = {} edges, T = {}, {:.1f} us a round; the second figure is d + 4", elements,
                              rounds, 1e6 * played.seconds / static_cast<double>(rounds))};
}

std::vector<Row> bandit_rows(const Setting& setting) {
  setting.say("part: elements on a list, and bandits in NumPy");
  const auto problem = make_problem("experts", Json::object({{"experts", kArms}}), "bench");
  const auto rounds = setting.pick<std::uint64_t>(20'000, 200);
  std::vector<AnyOutcome> outcomes;
  for (std::uint64_t i = 0; i < kArmDeck; ++i) {
    std::vector<double> losses(kArms);
    for (std::size_t k = 0; k < kArms; ++k) losses[k] = arm_loss(i, k);
    outcomes.emplace_back();
    problem->game().read_row(losses, outcomes.back());
  }
  const auto learner = problem->learner<PartLearner>("ada", Json::object({{"feedback", "elements"}}));
  const PlayedInPart ours = play_part(*problem, *learner, rounds,
                                      [&](std::uint64_t t) -> const AnyOutcome& { return outcomes[t % kArmDeck]; });
  std::vector<Row> rows;
  for (const char* rival : {"exp3-ix", "tsallis-inf"}) {
    Row row{.name = std::string("part/elements/") + rival,
            .unit = "us/round",
            .ours = 1e6 * ours.seconds / static_cast<double>(rounds),
            .rival = {},
            .goal = {},
            .note = {}};
    const Json answer = ask_rival(
        setting,
        {.program = "bandit_loop.py",
         .question = Json::object({{"arms", kArms}, {"deck", kArmDeck}, {"rounds", rounds}, {"rule", rival}})});
    if (const Json* error = answer.find("error")) {
      row.note = error->as_string();
    } else {
      row.rival = 1e6 * answer.at("seconds").as_number() / static_cast<double>(rounds);
      row.note = fmt::format("the same list in NumPy, K = {}, T = {}: regret {:.0f}, theirs {:.0f} in one run each",
                             kArms, rounds, ours.regret, answer.at("regret").as_number());
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace

std::vector<Row> part_race(const Setting& setting) {
  std::vector<Row> rows{looks_row(setting), calls_row(setting)};
  for (Row& row : bandit_rows(setting)) rows.push_back(std::move(row));
  return rows;
}

}  // namespace hannan::detail::bench
