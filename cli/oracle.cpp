#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <cstdio>
#include <memory>

#include "command.hpp"
#include "data.hpp"
#include "hannan/core/error.hpp"
#include "progress.hpp"

namespace hannan::cli {
namespace {

struct OracleFlags {
  ProblemFlags problem;
  std::string data;
  std::string oracle;
  std::uint64_t keep = 1;
  bool json = false;
  bool quiet = false;
};

int best_in_hindsight(const OracleFlags& flags) {
  const auto [problem, source, log] = open_data(flags.problem, flags.data);
  Json data = Json::array();
  Json outcome;
  while (source->next(outcome)) data.push_back(Json::object({{"weight", 1}, {"outcome", outcome}}));
  if (data.size() == 0) throw Error(Code::kEmpty, "found no outcome, expected at least one", flags.data);
  const Json best = problem->best({.data = data, .oracle = flags.oracle, .keep = flags.keep});
  if (flags.json) {
    std::puts(dump(best).c_str());
  } else if (!flags.quiet) {
    fmt::print("best action over {} rounds: {}, loss {} ({} a round), by {}{}\n", data.size(), dump(best.at("action")),
               brief(best.at("value").as_number()),
               brief(best.at("value").as_number() / static_cast<double>(data.size())), best.at("oracle").as_string(),
               best.at("proven").as_bool() ? best.find("claims") ? ", optimal as it claims" : ", proven optimal"
                                           : ", not proven: no action is below " + brief(best.at("floor").as_number()));
    if (flags.keep > 1) {
      for (const Json& ranked : best.at("pool").as_array()) {
        fmt::print("  {:>12}  {}\n", brief(ranked.at("value").as_number()), dump(ranked.at("action")));
      }
    }
  }
  return best.at("proven").as_bool() ? 0 : 1;
}

}  // namespace

void add_oracle(CLI::App& app, const Run& run) {
  auto* command = app.add_subcommand("oracle", "the best action in hindsight");
  auto flags = std::make_shared<OracleFlags>();
  add_problem_flags(*command, flags->problem);
  command->add_option(
      "-d,--data", flags->data,
      "outcomes: CSV, .npy or JSON lines, plain or gzipped; - is standard input; left out: those of --from");
  command->add_option("--oracle", flags->oracle, "which oracle searches; the default is the problem's first");
  command->add_option("--keep", flags->keep, "show this many of the best actions")->check(CLI::Range(1, 1000000));
  command->add_flag("--json", flags->json, "print the answer as JSON and nothing else");
  command->add_flag("-q,--quiet", flags->quiet, "print nothing; the exit status says whether it is proven");
  command->footer(
      "Examples:\n"
      "  hannan oracle experts -d losses.csv --keep 3\n"
      "  hannan oracle finite-game --params game.json -d outcomes.csv --json");
  command->callback([run, flags] { run([flags] { return best_in_hindsight(*flags); }); });
}

}  // namespace hannan::cli
