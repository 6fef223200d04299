// The Python package over the program itself: the same rounds from the same .npy file, played as an array from Python
// (rivals/python_play.py) and by the loop of the program; and what a single act and observe costs from Python.
#include <fmt/format.h>

#include <cstdio>
#include <limits>

#include "bench/rival.hpp"
#include "bench/row.hpp"
#include "bench/stopwatch.hpp"
#include "hannan/io/table.hpp"
#include "hannan/play/play.hpp"
#include "hannan/runtime/registry.hpp"

namespace hannan::detail::bench {
namespace {

struct ArrayCase {
  const char* name;
  const char* problem;
  Json params;
  std::uint64_t columns;
  std::uint64_t rounds;
  std::optional<double> pair_budget;  // microseconds of an act and an observe
};

// The program's side: opening and reading the file is part of it, as reading the array is of Python's.
double total_of_file(const ArrayCase& played, const std::string& path, const std::string& kind) {
  const auto problem = make_problem(played.problem, played.params, "bench");
  const auto source = table_source(open_table(path), problem->game());
  const auto learner = problem->learner(kind, Json::object({{"track", "end"}}));
  play(*learner, *source, {}, std::numeric_limits<std::uint64_t>::max());
  return learner->facts().total;
}

}  // namespace

// The rival is the program here: a ratio of 0.8 says that Python may cost a quarter more. "pair" rows hold a cost
// against a fixed budget in microseconds, so their ratio is of costs and must be at most 1.
std::vector<Row> python_race(const Setting& setting) {
  const int times = setting.pick(3, 1);  // for both sides
  const std::string path = setting.scratch + "/array.npy";
  const ArrayCase cases[] = {{.name = "lazy",
                              .problem = "vcg-reserves",
                              .params = Json::object({{"bidders", 3}, {"levels", 10}, {"rule", "lazy"}}),
                              .columns = 3,
                              .rounds = setting.pick<std::uint64_t>(100'000, 500),
                              .pair_budget = 4},
                             {.name = "eager",
                              .problem = "vcg-reserves",
                              .params = Json::object({{"bidders", 3}, {"levels", 10}}),
                              .columns = 3,
                              .rounds = setting.pick<std::uint64_t>(30'000, 500),
                              .pair_budget = {}},
                             {.name = "experts",
                              .problem = "experts",
                              .params = Json::object({{"experts", 100}}),
                              .columns = 100,
                              .rounds = setting.pick<std::uint64_t>(100'000, 500),
                              .pair_budget = {}}};
  std::vector<Row> rows;
  for (const ArrayCase& played : cases) {
    const Json made = ask_rival(
        setting, {.program = "python_play.py",
                  .question = Json::object({{"make", path}, {"rounds", played.rounds}, {"columns", played.columns}})});
    for (const char* kind : {"leader", "flipflop"}) {
      setting.say(fmt::format("python: {} {}", played.name, kind));
      Row row{.name = fmt::format("python/{}-{}", played.name, kind),
              .unit = "rounds/s",
              .ours = {},
              .rival = {},
              .goal = Goal{.ratio = 0.8},
              .note = {}};
      Json answer = made;
      if (!made.find("error"))
        answer = ask_rival(setting, {.program = "python_play.py",
                                     .question = Json::object({{"file", path},
                                                               {"problem", played.problem},
                                                               {"params", played.params},
                                                               {"learner", kind},
                                                               {"times", times}})});
      if (const Json* error = answer.find("error")) {
        row.note = error->as_string();
        rows.push_back(std::move(row));
        continue;
      }
      double total = 0;
      const double seconds = least_seconds(times, [&] { total = total_of_file(played, path, kind); });
      const auto n = static_cast<double>(played.rounds);
      row.ours = n / answer.at("seconds").as_number();
      row.rival = n / seconds;
      row.note =
          fmt::format("play on an array over the program's own loop, its reading included, T = {}, {}", played.rounds,
                      answer.at("total").as_number() == total ? "same total loss" : "ANOTHER TOTAL LOSS");
      rows.push_back(std::move(row));
      if (!played.pair_budget) continue;
      rows.push_back({.name = fmt::format("python/{}-{}-pair", played.name, kind),
                      .unit = "us",
                      .ours = 1e6 * answer.at("pair").as_number(),
                      .rival = *played.pair_budget,
                      .goal = Goal{.sense = Goal::Sense::kAtMost, .ratio = 1},
                      .note = "an act and an observe from Python; the second figure is the most they may cost"});
    }
  }
  std::remove(path.c_str());
  return rows;
}

}  // namespace hannan::detail::bench
