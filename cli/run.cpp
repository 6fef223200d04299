#include <CLI/CLI.hpp>
#include <cstdio>
#include <limits>
#include <memory>
#include <optional>

#include "command.hpp"
#include "data.hpp"
#include "hannan/core/error.hpp"
#include "hannan/engine/play.hpp"
#include "outputs.hpp"
#include "progress.hpp"

namespace hannan::cli {
namespace {

struct RunFlags {
  ProblemFlags problem;
  LearnerFlags learner;
  std::string data;
  std::string decisions;
  std::string record;
  std::string save;
  std::string resume;
  std::uint64_t rounds = std::numeric_limits<std::uint64_t>::max();
  bool json = false;
  bool quiet = false;
};

class RunCommand {
 public:
  explicit RunCommand(const RunFlags& flags) : flags_(flags) {}

  int operator()() {
    open();
    std::optional<Error> stopped;
    try {
      play(*learner_, *source_, listeners(), flags_.rounds);
    } catch (const Error& e) {
      stopped = e;  // what was played before it is kept
    }
    finish();
    if (stopped) {
      const std::string kept = "; the " + std::to_string(learner_->facts().rounds) + " rounds before it are kept" +
                               (flags_.save.empty() ? "" : " in " + flags_.save);
      throw Error(stopped->code(), stopped->message() + kept, stopped->at());
    }
    if (learner_->facts().rounds == 0) throw Error(Code::kEmpty, "found no outcome, expected at least one", flags_.data);
    return learner_->facts().gap > 0 ? 1 : 0;  // a work limit was reached, and the report says so
  }

 private:
  void open() {
    if (flags_.resume.empty()) {
      auto [problem, source] = open_data(flags_.problem, flags_.data);
      problem_ = std::move(problem);
      source_ = std::move(source);
      learner_ = problem_->learner(flags_.learner.kind, flags_.learner.params(0));
      if (!flags_.decisions.empty()) decisions_.emplace(flags_.decisions, OutputFile::Mode::kNew);
      if (!flags_.record.empty()) record_ = std::make_unique<RecordFile>(flags_.record, *problem_, *learner_);
      return;
    }
    const Json state = read_json_file(flags_.resume);
    learner_ = load_learner(state);
    const Json& problem = state.at("problem");
    if (problem.at("kind").as_string() != flags_.problem.kind) {
      throw Error(Code::kBadState, "found a run of \"" + problem.at("kind").as_string() + "\", expected one of \"" +
                  flags_.problem.kind + "\"", flags_.resume);
    }
    problem_ = make_problem(problem.at("kind").as_string(), problem.at("params"), flags_.resume);
    source_ = open_source(*problem_, flags_.data);
    const std::uint64_t played = learner_->facts().rounds;
    for (std::uint64_t t = 0; t < played; ++t) {
      if (!source_->skip()) {
        throw Error(Code::kTruncated, "found " + std::to_string(t) + " outcomes, expected at least the " +
                    std::to_string(played) + " that were played", flags_.data);
      }
    }
    if (!flags_.decisions.empty()) decisions_.emplace(flags_.decisions, OutputFile::Mode::kAppend);
    if (!flags_.record.empty()) record_ = std::make_unique<RecordFile>(flags_.record, played);
  }

  Listeners listeners() {
    Listeners to;
    if (!flags_.quiet && !flags_.json) to.progress = [this](const ProgressRow& row) { table_.show(row); };
    if (decisions_ || record_) {
      to.round = [this](const PlayedRound& played) {
        if (decisions_) decisions_->round(played);
        if (record_) record_->round(played);
      };
    }
    return to;
  }

  void finish() {
    if (decisions_) decisions_->close();
    if (record_) record_->end(*learner_);
    if (!flags_.save.empty()) write_whole_file(flags_.save, dump(learner_->save()) + "\n");
    if (learner_->facts().rounds == 0) return;
    if (flags_.json) {
      std::puts(dump(learner_->report()).c_str());
    } else if (!flags_.quiet) {
      show_report(stdout, learner_->report());
    }
  }

  const RunFlags& flags_;
  std::shared_ptr<ProblemFace> problem_;
  std::unique_ptr<Source> source_;
  std::unique_ptr<LearnerFace> learner_;
  std::optional<DecisionsFile> decisions_;
  std::unique_ptr<RecordFile> record_;
  ProgressTable table_{stdout};
};

}  // namespace

void add_run(CLI::App& app, const Run& run) {
  auto* command = app.add_subcommand("run", "play a learner on recorded outcomes");
  auto flags = std::make_shared<RunFlags>();
  add_problem_flags(*command, flags->problem);
  add_learner_flags(*command, flags->learner);
  command->add_option("-d,--data", flags->data, "outcomes: CSV, .npy or JSON lines, plain or gzipped; - is standard input")->required();
  command->add_option("-p,--decisions", flags->decisions, "write every decision to this CSV file");
  command->add_option("--record", flags->record, "write all that `hannan verify` needs to this file");
  command->add_option("--save", flags->save, "save the learner's state here at the end");
  command->add_option("--resume", flags->resume, "go on from a saved state; the data is the same file, from its beginning");
  command->add_option("--rounds", flags->rounds, "play at most this many rounds");
  command->add_flag("--json", flags->json, "print the report as JSON and nothing else");
  command->add_flag("-q,--quiet", flags->quiet, "print nothing");
  command->footer("Examples:\n"
                  "  hannan run experts -d losses.csv\n"
                  "  hannan run experts -d losses.csv.gz -l gftpl --set c=0.5 --set perturbation=one-hot --seed 7\n"
                  "  hannan run experts -d losses.csv --rounds 500 --save state.json -p decisions.csv\n"
                  "  hannan run experts -d losses.csv --resume state.json -p decisions.csv\n"
                  "  hannan run finite-game --params game.json -d outcomes.csv --json");
  command->callback([run, flags] { run([flags] { return RunCommand(*flags)(); }); });
}

}  // namespace hannan::cli
