#include <fmt/format.h>
#include <cstdio>
#include <memory>

#include "command.hpp"
#include "data.hpp"
#include "hannan/core/error.hpp"
#include "hannan/core/printable.hpp"
#include "progress.hpp"

namespace hannan::detail::cli {
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
  const auto [problem, source, log, names] = open_data(flags.problem, flags.data);
  Json data = Json::array();
  AnyOutcome outcome;
  while (source->next(outcome))
    data.push_back(Json::object({{"weight", 1}, {"outcome", problem->game().outcome_json(outcome)}}));
  if (data.size() == 0) throw Error(Code::kEmpty, "found no outcome, expected at least one", flags.data);
  const Json best = problem->best({.data = data, .oracle = flags.oracle, .keep = flags.keep});
  if (flags.json) {
    std::puts(dump(best).c_str());
  } else if (!flags.quiet) {
    fmt::print("best action over {} rounds: {}, loss {} ({} a round), by {}{}\n", data.size(),
               printable(dump(best.at("action"))), brief(best.at("value").as_number()),
               brief(best.at("value").as_number() / static_cast<double>(data.size())), best.at("oracle").as_string(),
               best.at("proven").as_bool() ? best.find("claims") ? ", optimal as it claims" : ", proven optimal"
                                           : ", not proven: no action is below " + brief(best.at("floor").as_number()));
    if (flags.keep > 1) {
      for (const Json& ranked : best.at("pool").as_array()) {
        fmt::print("  {:>12}  {}\n", brief(ranked.at("value").as_number()), printable(dump(ranked.at("action"))));
      }
    }
  }
  return best.at("proven").as_bool() ? 0 : 1;
}

}  // namespace

void define_oracle(Command& command) {
  auto flags = std::make_shared<OracleFlags>();
  add_problem_flags(command, flags->problem);
  command.add("-d,--data", &flags->data,
              "outcomes: CSV, .npy or JSON lines, plain or gzipped; - is standard input; left out: those of --from");
  command.add("--oracle", &flags->oracle, "which oracle searches; the default is the problem's first");
  command.add("--keep", &flags->keep, "show this many of the best actions").range(1, 1000000);
  command.add("--json", &flags->json, "print the answer as JSON and nothing else");
  command.add("-q,--quiet", &flags->quiet, "print nothing; the exit status says whether it is proven");
  command.examples = {"hannan oracle experts -d losses.csv --keep 3",
                      "hannan oracle finite-game --params game.json -d outcomes.csv --json"};
  command.run = [flags] { return best_in_hindsight(*flags); };
}

}  // namespace hannan::detail::cli
