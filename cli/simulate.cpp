// `hannan simulate`: learners on simulated streams or markets, means over independent runs with standard errors; or the
// outcomes of one run as a file. Runs are spread over threads and do not depend on their number.
#include <fmt/format.h>
#include <cstdio>
#include <memory>
#include <utility>
#include <vector>

#include "command.hpp"
#include "data.hpp"
#include "hannan/core/error.hpp"
#include "hannan/core/printable.hpp"
#include "hannan/io/amount_text.hpp"
#include "hannan/io/text_cell.hpp"
#include "hannan/learners/learner_params.hpp"
#include "hannan/play/simulation.hpp"
#include "hannan/report/chart.hpp"
#include "hannan/runtime/registry.hpp"
#include "output_file.hpp"

namespace hannan::detail::cli {
namespace {

struct SimulateFlags {
  ProblemFlags problem;
  StreamSpec stream;
  ContextFlags contexts;
  std::string segments = "matter";
  std::uint64_t fan = 4;
  std::vector<std::string> learners{default_learner()};
  std::uint64_t runs = 1;
  unsigned threads = 1;
  std::string out;
  std::string svg;
  bool json = false;
  bool quiet = false;
};

// Whether outcomes are rows of losses, of a loss stream; of other problems they are drawn from a market.
bool of_losses(const SimulateFlags& flags) {
  return problem_kind(flags.problem.kind).simulation == Simulation::kLosses;
}

SegmentSpec segment_spec(const SimulateFlags& flags) {
  return {.kind = flags.segments,
          .by = all_columns(flags.contexts.orders()),
          .fan = flags.fan,
          .period = flags.stream.period,
          .key = flags.stream.key};
}

MarketSourceSpec market_spec(const SimulateFlags& flags) {
  return {.market = {.name = flags.stream.name, .key = flags.stream.key, .period = flags.stream.period},
          .rounds = flags.stream.rounds,
          .segments = segment_spec(flags)};
}

// Losses as CSV, the columns of a context first and then a header; other outcomes as JSON lines.
class StreamWriter {
 public:
  StreamWriter(const std::string& path, const Game& game, const SimulateFlags& flags)
      : file_(path), game_(game), table_(of_losses(flags)), by_(segment_spec(flags).by) {
    if (!table_ || by_.empty()) return;
    std::string header;
    for (const std::string& name : by_) header += text_cell(name) + ",";
    for (std::size_t k = 1; k <= game.row_width(); ++k) header += (k > 1 ? ",expert " : "expert ") + std::to_string(k);
    file_.write(header + "\n");
  }
  void write(const AnyOutcome& outcome, std::span<const std::string> context) {
    const Json json = game_.outcome_json(outcome);
    if (by_.empty()) {
      const std::string line = dump(json);
      return file_.write((table_ ? line.substr(1, line.size() - 2) : line) + "\n");
    }
    if (!table_) {
      const Json values(std::vector<std::string>(context.begin(), context.end()));
      return file_.write(dump(Json::object({{"context", values}, {"outcome", json}})) + "\n");
    }
    std::string line;
    for (const std::string& value : context) line += text_cell(value) + ",";
    const std::string row = dump(json);
    file_.write(line + row.substr(1, row.size() - 2) + "\n");
  }
  void commit() { file_.commit(); }

 private:
  WholeFile file_;
  const Game& game_;
  bool table_;
  std::vector<std::string> by_;
};

// The outcomes of one run: CSV for rows of losses, JSON lines for the others.
int write_stream(const SimulateFlags& flags) {
  const bool lines = looks_like_json_lines(flags.out) && !flags.out.ends_with(".gz");
  if (flags.out != "-" &&
      (of_losses(flags) ? lines || flags.out.ends_with(".gz") || flags.out.ends_with(".npy") : !lines)) {
    throw Error(
        Code::kUsage,
        "found \"" + flags.out + "\", expected a name ending in " +
            (of_losses(flags) ? ".csv: losses are written as CSV" : ".jsonl: outcomes are written as JSON lines"),
        "-o");
  }
  std::unique_ptr<AnyProblem> problem;
  std::unique_ptr<Source> source;
  if (of_losses(flags)) {
    auto stream = make_loss_stream(flags.stream);
    if (stream->adaptive()) {
      throw Error(Code::kUnavailable,
                  "stream \"" + flags.stream.name + "\" answers the learner; it has no data of its own to write", "-o");
    }
    problem = make_loss_problem(stream->experts(), "stream");
    source = simulated_source(std::move(stream), problem->game(), segment_spec(flags));
  } else {
    problem = make_problem(flags.problem.kind, flags.problem.json(), "--param");
    source = market_source(problem->game(), market_spec(flags));
    if (source->answers_actions())
      throw Error(Code::kUnavailable, "an adversary answers the learner; it has no data of its own", "stream");
  }
  StreamWriter file(flags.out, problem->game(), flags);
  AnyOutcome outcome;
  std::uint64_t rounds = 0;
  for (; source->next(outcome); ++rounds) {
    file.write(outcome, source->context());
  }
  file.commit();
  if (!flags.quiet && flags.out != "-") fmt::print("wrote {} rounds to {}\n", rounds, printable(flags.out));
  return 0;
}

std::vector<SimulatedLearner> players(const SimulateFlags& flags) {
  std::vector<SimulatedLearner> all;
  for (const auto& text : flags.learners) {
    all.push_back(parse_simulated_learner(text));
    auto& [label, kind, params] = all.back();
    // Learners that are tuned to the length of the run are given it.
    const bool tuned = takes(kind, "rounds");
    if (tuned && !params.find("rounds") && !params.find("beta") && !params.find("epsilon"))
      params.set("rounds", flags.stream.rounds);
  }
  if (flags.contexts.by.empty()) return all;
  // Each again, with a decision for every segment.
  const Json segments = flags.contexts.params();
  std::string columns;
  for (const std::string& name : flags.contexts.by) columns += (columns.empty() ? "" : " and ") + name;
  for (std::size_t i = 0, alone = all.size(); i < alone; ++i) {
    SimulatedLearner tree = all[i];
    tree.label += " by " + columns;
    for (const auto& [name, value] : segments.as_object()) tree.params.set(name, value);
    all.push_back(std::move(tree));
  }
  return all;
}

// The regret of every run is in it, so that others can compute their own statistics.
Json mean_json(const SimulatedMean& mean) {
  Json runs = Json::array();
  for (const auto& run : mean.runs) runs.push_back(run.regret);
  return Json::object({{"learner", mean.label},
                       {"best", mean.best},
                       {"regret", mean.regret},
                       {"standard_error", mean.standard_error},
                       {"bound", mean.bound},
                       {"bounds_hold", mean.holds},
                       {"calls_a_round", mean.calls_a_round},
                       {"regrets", std::move(runs)}});
}

// Each plan is built by a statement of its own: g++ 12 destroys parts of such values twice where one is built within a
// conditional expression and an error ends it.
std::vector<SimulatedMean> play_all(const SimulateFlags& flags) {
  std::vector<SimulatedLearner> learners = players(flags);
  if (of_losses(flags)) {
    return simulate(SimulationPlan{.stream = flags.stream,
                                   .learners = std::move(learners),
                                   .runs = flags.runs,
                                   .threads = flags.threads,
                                   .segments = segment_spec(flags)});
  }
  return simulate(MarketPlan{.problem = flags.problem.kind,
                             .params = flags.problem.json(),
                             .market = market_spec(flags),
                             .learners = std::move(learners),
                             .runs = flags.runs,
                             .threads = flags.threads});
}

// With -o nothing is played: the outcomes are the result.
int simulate_command(const SimulateFlags& flags) {
  if (!flags.out.empty()) return write_stream(flags);
  const bool quiet = takes_standard_output({{"--json", flags.json ? "-" : ""}, {"--svg", flags.svg}}) || flags.quiet;
  const auto means = play_all(flags);
  if (!flags.svg.empty()) {
    const std::string title = flags.problem.kind + ", " + flags.stream.name + ": regret";
    write_whole_file(flags.svg, draw_svg({regret_chart(title, means, flags.stream.rounds)}));
  }
  if (flags.json) {
    Json all = Json::array();
    for (const auto& mean : means) all.push_back(mean_json(mean));
    std::puts(dump(Json::object({{"stream", flags.stream.name},
                                 {"rounds", flags.stream.rounds},
                                 {"runs", flags.runs},
                                 {"learners", std::move(all)}}))
                  .c_str());
  } else if (!quiet) {
    fmt::print("{}, {} rounds, {} runs\n{:<28} {:>10} {:>18} {:>10} {:>8}\n", flags.stream.name, flags.stream.rounds,
               flags.runs, "learner", "best", "regret", "mean <=", "calls/t");
    for (const auto& mean : means) {
      fmt::print("{:<28} {:>10} {:>18} {:>10} {:>8.2f}\n", mean.label, brief(mean.best),
                 brief(mean.regret) + (flags.runs > 1 ? " +- " + brief(mean.standard_error) : ""), brief(mean.bound),
                 mean.calls_a_round);
    }
  }
  return 0;
}

}  // namespace

void define_simulate(Command& command) {
  auto flags = std::make_shared<SimulateFlags>();
  const std::string of_rows =
      kinds_text([](const ProblemKind& kind) { return kind.simulation == Simulation::kLosses; });
  std::vector<NamedValue> streams;
  for (const auto& fact : loss_streams()) streams.push_back({std::string(fact.name), std::string(fact.about)});
  for (const auto& fact : markets())
    streams.push_back({std::string(fact.name), "(not " + of_rows + ") " + std::string(fact.about)});
  streams.push_back(
      {"adversarial", "(not " + of_rows + ") looks at the last action and picks the worst of 16 outcomes"});
  add_problem_flags(command, flags->problem);
  command
      .add("--stream", &flags->stream.name,
           "where the outcomes come from; iid for " + of_rows + ", uniform for the others")
      .such_as(std::move(streams));
  command.add("--experts", &flags->stream.experts, "number of experts").show_default();
  command.add("--rounds", &flags->stream.rounds, "number of rounds").show_default();
  command.add("--best", &flags->stream.best, "mean loss of the best expert (iid, drift)").show_default();
  command.add("--others", &flags->stream.others, "mean loss of the others (iid, drift)").show_default();
  command.add("--hits", &flags->stream.hits, "small-loss: L*; elimination: full passes").show_default();
  command.add("--period", &flags->stream.period, "drift: rounds from one good expert to the next").show_default();
  command.add("-l,--learner", &flags->learners, "kind or kind:name=value,name=value; may be given again")
      .again()
      .show_default();
  command.add("--runs", &flags->runs, "independent runs of stream and noise").show_default();
  command.add("--threads", &flags->threads, "threads; the results do not depend on it").range(1, 1024).show_default();
  command.add("--seed", &flags->stream.key.seed, "seed of all randomness").show_default();
  add_context_flags(command, flags->contexts);
  std::vector<NamedValue> kinds;
  for (const auto& fact : segment_kinds()) kinds.push_back({std::string(fact.name), std::string(fact.about)});
  command.add("--segments", &flags->segments, "with --by: what the columns mean for the outcomes")
      .such_as(std::move(kinds))
      .show_default();
  command.add("--fan", &flags->fan, "with --by: values of each column").range(1, 1'000'000).show_default();
  command.add(
      "-o,--out", &flags->out,
      "write the outcomes of one run to this file instead of playing: .csv for " + of_rows + ", .jsonl for the others");
  command.add("--svg", &flags->svg, "draw the regret over the rounds to this file");
  command.add("--json", &flags->json, "print the results as JSON and nothing else");
  command.add("-q,--quiet", &flags->quiet, "print nothing");
  command.examples = {"hannan simulate experts --stream iid -l leader -l gftpl -l flipflop --runs 20 --threads 2",
                      "hannan simulate experts --stream infer -l gftpl:draw=once -l gftpl --rounds 4000",
                      "hannan simulate experts --stream small-loss --hits 10 -o losses.csv",
                      "hannan simulate vcg-reserves --param bidders=3 --param levels=8 --stream lognormal \\\n"
                      "    --rounds 500 -l ada",
                      "hannan simulate vcg-reserves --param bidders=1 --param levels=10 --stream lognormal \\\n"
                      "    --by country,site --segments mixed"};
  command.run = [flags, &command] {
    for (const char* flag : {"--segments", "--fan", "--open", "--most"}) {
      if (command.given(flag) && flags->contexts.by.empty())
        throw Error(Code::kUsage, std::string("found ") + flag + ", expected --by COLUMNS with it", flag);
    }
    if (!command.given("--stream") && !of_losses(*flags)) flags->stream.name = "uniform";
    return simulate_command(*flags);
  };
}

}  // namespace hannan::detail::cli
