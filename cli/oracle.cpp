// `hannan oracle`: the best fixed action in hindsight by one oracle call, of outcomes, of sums of `hannan fold`, or of
// each segment. Exit status 1 where it is not proven optimal.
#include <fmt/format.h>
#include <algorithm>
#include <cstdio>
#include <memory>

#include "action_names.hpp"
#include "command.hpp"
#include "data.hpp"
#include "floors.hpp"
#include "hannan/contexts/context_values.hpp"
#include "hannan/core/error.hpp"
#include "hannan/core/printable.hpp"
#include "hannan/fold/parts.hpp"
#include "hannan/io/amount_text.hpp"
#include "hannan/oracles/search_threads.hpp"
#include "hannan/play/best_by_segment.hpp"
#include "output_file.hpp"
#include "sums.hpp"
#include "threads_flag.hpp"

namespace hannan::detail::cli {
namespace {

struct OracleFlags {
  ProblemFlags problem;
  std::string data;
  std::string sums, merged;
  MoneyFlags money;             // of the floors
  std::vector<std::string> by;  // each as it was given
  std::string timestamp;
  std::string oracle;
  std::uint64_t keep = 1;
  unsigned threads = 1;
  bool json = false;
  bool quiet = false;
};

// "de/a.com"; "all" is the root.
std::string segment_text(const Json& segment) {
  std::vector<std::string> values;
  for (const Json& value : segment.as_array()) values.push_back(value.as_string());
  return values.empty() ? "all" : printable(shown_segment(values));
}

// The problem and its outcomes, with these columns of the context.
ProblemAndData open_outcomes_of(const OracleFlags& flags, std::vector<std::string> by) {
  DataFlags data{.path = flags.data, .log = {}, .by = std::move(by)};
  data.log.timestamp = flags.timestamp;
  ProblemFlags problem = flags.problem;
  if (!problem.from.empty() && flags.data.empty() && !flags.timestamp.empty()) problem.drop.push_back(flags.timestamp);
  return open_data({.problem = problem, .data = data, .money = MoneyFlags{}});
}

// Every segment at every depth, and the best prunings of the tree for a few penalties a leaf.
int best_of_segments(const OracleFlags& flags) {
  ColumnOrders orders;
  for (const std::string& given : flags.by) orders.push_back(split_columns(given));
  check_orders(orders, "--by");
  const auto opened = open_outcomes_of(flags, all_columns(orders));
  SegmentSearch search{.depths = {}, .oracle = flags.oracle};
  for (const auto& order : orders) search.depths.push_back(order.size());
  const Json best = best_by_segment(*opened.problem, *opened.source, search);
  const ActionNames known(opened.problem->kind(), opened.names);
  if (flags.json) {
    std::puts(dump(best).c_str());
  } else if (!flags.quiet) {
    constexpr std::size_t kShown = 20;
    fmt::print("best over {} rounds: loss {} with one action for all, {} with one for each of the {} finest segments\n",
               best.at("rounds").as_number(), brief(best.at("value").as_number()),
               brief(best.at("per_segment").at("loss").as_number()), best.at("per_segment").at("leaves").as_number());
    for (const Json& pruning : best.at("prunings").as_array()) {
      fmt::print("best pruning with {} a leaf: loss {} with {} leaves\n", brief(pruning.at("penalty").as_number()),
                 brief(pruning.at("loss").as_number()), pruning.at("leaves").as_number());
    }
    fmt::print("in hindsight: overfits small segments\n{:>10} {:>12}  {}\n", "rounds", "loss", "segment, best action");
    const auto& segments = best.at("segments").as_array();
    for (std::size_t i = 0; i < std::min(kShown, segments.size()); ++i) {
      fmt::print("{:>10} {:>12}  {}: {}\n", segments[i].at("rounds").as_number(),
                 brief(segments[i].at("value").as_number()), segment_text(segments[i].at("segment")),
                 known.text(segments[i].at("action")));
    }
    if (segments.size() > kShown) fmt::print("and {} more: --json lists them\n", segments.size() - kShown);
  }
  return best.at("proven").as_bool() ? 0 : 1;
}

// The answer as JSON or in words; returns the exit status.
int print_best(const OracleFlags& flags, Json best, const ActionNames& known, std::uint64_t rounds) {
  if (const std::string name = known.name(best.at("action")); !name.empty()) best.set("action_name", name);
  if (flags.json) {
    std::puts(dump(best).c_str());
  } else if (!flags.quiet) {
    const double value = best.at("value").as_number();
    if (best.at("proven").as_bool()) {
      fmt::print("best action over {} rounds: {}, loss {} ({} a round), by {}, {}\n", rounds,
                 known.text(best.at("action")), brief(value), brief(value / static_cast<double>(rounds)),
                 best.at("oracle").as_string(), best.find("claims") ? "optimal as it claims" : "proven optimal");
    } else {
      fmt::print("best loss over {} rounds: from {} to {}, not proven, by {}; found was {} with {}\n", rounds,
                 brief(best.at("floor").as_number()), brief(value), best.at("oracle").as_string(),
                 known.text(best.at("action")), brief(value));
    }
    if (flags.keep > 1) {
      for (const Json& ranked : best.at("pool").as_array()) {
        fmt::print("  {:>12}  {}\n", brief(ranked.at("value").as_number()), known.text(ranked.at("action")));
      }
    }
  }
  return best.at("proven").as_bool() ? 0 : 1;
}

// The reserves of the best fixed action, as the ad server reads them.
void write_floors(const OracleFlags& flags, const Folded& folded, const Json& best) {
  const AnyProblem& problem = folded.summary.problem();
  const LogFacts log = flags.money.facts_of_table(folded.columns, flags.sums);
  FloorsFile file({.flags = flags.money, .problem = FloorProblem::of(problem.game()), .orders = {}}, log);
  file.write(Json::object({{"best_action", best.at("action")}, {"rounds", folded.summary.rounds()}}), log);
}

// The outcomes are gone; the sums are the oracle's own history, and its answer is the one over all of them.
int best_of_sums(const OracleFlags& flags) {
  const Folded folded = read_sums(flags.sums);
  check_problem_of_sums(flags.problem, folded.summary, flags.sums);
  if (!flags.merged.empty()) write_whole_file(flags.merged, sums_text(folded.summary));
  const ActionNames known(folded.summary.problem().kind(), folded.columns);
  const Json best = folded.summary.best(flags.keep, flags.oracle);
  if (!flags.money.floors.empty()) write_floors(flags, folded, best);
  return print_best(flags, best, known, folded.summary.rounds());
}

// All outcomes are sent as one weighted list, as the pipe's `best` takes them.
int best_in_hindsight(const OracleFlags& flags) {
  if (!flags.sums.empty()) return best_of_sums(flags);
  if (!flags.by.empty()) return best_of_segments(flags);
  const ProblemAndData opened = open_outcomes_of(flags, {});
  const auto& problem = opened.problem;
  Json data = Json::array();
  AnyOutcome outcome;
  while (opened.source->next(outcome))
    data.push_back(Json::object({{"weight", 1}, {"outcome", problem->game().outcome_json(outcome)}}));
  if (data.size() == 0) throw Error(Code::kEmpty, "found no outcome, expected at least one", flags.data);
  return print_best(flags, problem->best({.data = data, .oracle = flags.oracle, .keep = flags.keep}),
                    ActionNames(problem->kind(), opened.names), data.size());
}

}  // namespace

void define_oracle(Command& command) {
  auto flags = std::make_shared<OracleFlags>();
  add_problem_flags(command, flags->problem);
  command.add("-d,--data", &flags->data,
              "outcomes: CSV, .npy or JSON lines, plain or gzipped; - is standard input; left out: those of --from");
  command.add(
      "--sums", &flags->sums,
      "instead of outcomes: the folder of `hannan fold`, or a file of sums; what the parameters leave open it says");
  command.add("--merged", &flags->merged, "write the sums of the whole folder to this file");
  command
      .add("--by", &flags->by,
           "columns of the context, coarse first: the best action of every segment, and the best prunings; as for "
           "`hannan run`")
      .again();
  command.add("--timestamp", &flags->timestamp, "column of times, which is no number; that of @hour and @weekday");
  add_column_flags(command, flags->problem);
  command.add("--oracle", &flags->oracle, "which oracle searches; the default is the problem's first");
  command.add("--keep", &flags->keep, "show this many of the best actions").range(1, 1000000);
  add_threads_flag(command, flags->threads);
  add_money_flags(command, flags->money);
  command.add("--json", &flags->json, "print the answer as JSON and nothing else");
  command.add("-q,--quiet", &flags->quiet, "print nothing; the exit status says whether it is proven");
  command.examples = {"hannan oracle experts -d losses.csv --keep 3",
                      "hannan oracle finite-game --params game.json -d outcomes.csv --json",
                      "hannan oracle vcg-reserves --param levels=10 -d bids.csv --by country,site",
                      "hannan oracle experts --sums sums --keep 3"};
  command.run = [flags, &command] {
    if (!flags->by.empty() && command.given("--keep"))
      throw Error(Code::kUsage, "found --keep with --by, expected one of them", "--keep");
    for (const char* other : {"--data", "--by", "--timestamp", "--drop"}) {
      if (!flags->sums.empty() && command.given(other))
        throw Error(Code::kUsage,
                    "found --sums with " + std::string(other) + ", expected one of them: sums hold no single rounds",
                    "--sums");
    }
    if (flags->sums.empty() && !flags->merged.empty())
      throw Error(Code::kUsage, "found --merged without --sums, expected both", "--merged");
    const SearchThreads threads(flags->threads);
    for (const char* money :
         {"--floors", "--log", "--cap", "--currency", "--floors-field", "--floors-drop-empty", "--floors-schema"}) {
      if (command.given(money) && (flags->sums.empty() || flags->money.floors.empty()))
        throw Error(Code::kUsage,
                    "found " + std::string(money) +
                        ", expected it with --sums and --floors; of outcomes, `hannan run` writes the floors",
                    money);
    }
    return best_in_hindsight(*flags);
  };
}

}  // namespace hannan::detail::cli
