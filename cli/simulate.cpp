#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <memory>

#include "command.hpp"
#include "hannan/core/error.hpp"
#include "hannan/engine/simulation.hpp"
#include "outputs.hpp"
#include "progress.hpp"

namespace hannan::cli {
namespace {

struct SimulateFlags {
  std::string problem = "experts";
  StreamSpec stream;
  std::vector<std::string> learners{"flipflop"};
  std::uint64_t runs = 1;
  unsigned threads = 1;
  std::string out;
  bool json = false;
  bool quiet = false;
};

// The outcomes of one run as CSV.
int write_stream(const SimulateFlags& flags) {
  const auto stream = make_loss_stream(flags.stream);
  if (stream->adaptive()) {
    throw Error(Code::kUnavailable, "stream \"" + flags.stream.name + "\" answers the learner; it has no data of its own to write", "-o");
  }
  OutputFile file(flags.out, OutputFile::Mode::kNew);
  std::vector<double> row(stream->experts());
  std::string text;
  for (std::uint64_t t = 1; t <= stream->rounds(); ++t) {
    stream->losses(t, row);
    text.clear();
    for (std::size_t k = 0; k < row.size(); ++k) text += (k ? "," : "") + number_text(row[k]);
    file.write(text + "\n");
  }
  file.close();
  if (!flags.quiet) fmt::print("wrote {} rounds of {} losses to {}\n", stream->rounds(), stream->experts(), flags.out);
  return 0;
}

Json mean_json(const SimulatedMean& mean) {
  Json runs = Json::array();
  for (const auto& run : mean.runs) runs.push_back(run.regret);
  return Json::object({{"learner", mean.label}, {"best", mean.best}, {"regret", mean.regret},
                       {"standard_error", mean.standard_error}, {"bound", mean.bound ? Json(*mean.bound) : Json()},
                       {"bounds_hold", mean.holds}, {"calls_a_round", mean.calls_a_round}, {"regrets", std::move(runs)}});
}

int simulate_command(const SimulateFlags& flags) {
  if (flags.problem != "experts") {
    throw Error(Code::kUnavailable, "found \"" + flags.problem + "\", expected experts: other problems have no simulated streams yet", "problem");
  }
  if (!flags.out.empty()) return write_stream(flags);
  SimulationPlan plan{.stream = flags.stream, .learners = {}, .runs = flags.runs, .threads = flags.threads};
  for (const auto& text : flags.learners) {
    plan.learners.push_back(parse_simulated_learner(text));
    auto& params = plan.learners.back().params;
    const auto& kind = plan.learners.back().kind;
    // The yardsticks that are tuned to the length of the run get to know it.
    const bool tuned = kind == "uniform-gftpl" || kind == "fake-data";
    if (tuned && !params.find("rounds") && !params.find("beta") && !params.find("epsilon")) params.set("rounds", flags.stream.rounds);
  }
  const auto means = simulate(plan);
  if (flags.json) {
    Json all = Json::array();
    for (const auto& mean : means) all.push_back(mean_json(mean));
    std::puts(dump(Json::object({{"stream", flags.stream.name}, {"rounds", flags.stream.rounds}, {"runs", flags.runs}, {"learners", std::move(all)}})).c_str());
  } else if (!flags.quiet) {
    fmt::print("{}, {} rounds, {} runs\n{:<28} {:>10} {:>18} {:>10} {:>8}\n", flags.stream.name, flags.stream.rounds,
               flags.runs, "learner", "best", "regret", "bound", "calls/t");
    for (const auto& mean : means) {
      fmt::print("{:<28} {:>10} {:>18} {:>10} {:>8.2f}\n", mean.label, brief(mean.best),
                 brief(mean.regret) + (flags.runs > 1 ? " +- " + brief(mean.standard_error) : ""), brief(mean.bound), mean.calls_a_round);
    }
  }
  return 0;
}

}  // namespace

void add_simulate(CLI::App& app, const Run& run) {
  auto* command = app.add_subcommand("simulate", "play learners on a simulated stream, or write one to a file");
  auto flags = std::make_shared<SimulateFlags>();
  std::string streams;
  for (const auto& fact : loss_streams()) streams += "\n      " + std::string(fact.name) + ": " + std::string(fact.about);
  command->add_option("problem", flags->problem, "the game")->capture_default_str();
  command->add_option("--stream", flags->stream.name, "who generates the outcomes:" + streams)->capture_default_str();
  command->add_option("--experts", flags->stream.experts, "number of experts")->capture_default_str();
  command->add_option("--rounds", flags->stream.rounds, "number of rounds")->capture_default_str();
  command->add_option("--best", flags->stream.best, "mean loss of the best expert (iid, drift)")->capture_default_str();
  command->add_option("--others", flags->stream.others, "mean loss of the others (iid, drift)")->capture_default_str();
  command->add_option("--hits", flags->stream.hits, "small-loss: L*; elimination: full passes")->capture_default_str();
  command->add_option("--period", flags->stream.period, "drift: rounds from one good expert to the next")->capture_default_str();
  command->add_option("-l,--learner", flags->learners, "kind or kind:name=value,name=value; may be given again")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)->allow_extra_args(false)->capture_default_str();
  command->add_option("--runs", flags->runs, "independent runs of stream and noise")->capture_default_str();
  command->add_option("--threads", flags->threads, "threads; the results do not depend on it")->check(CLI::Range(1, 1024))->capture_default_str();
  command->add_option("--seed", flags->stream.key.seed, "seed of all randomness")->capture_default_str();
  command->add_option("-o,--out", flags->out, "write the outcomes of one run to this CSV file instead of playing");
  command->add_flag("--json", flags->json, "print the results as JSON and nothing else");
  command->add_flag("-q,--quiet", flags->quiet, "print nothing");
  command->footer("Examples:\n"
                  "  hannan simulate experts --stream iid -l leader -l gftpl -l flipflop --runs 20 --threads 2\n"
                  "  hannan simulate experts --stream infer -l gftpl:draw=once -l gftpl --rounds 4000\n"
                  "  hannan simulate experts --stream small-loss --hits 10 -o losses.csv");
  command->callback([run, flags] { run([flags] { return simulate_command(*flags); }); });
}

}  // namespace hannan::cli
