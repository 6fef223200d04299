// `hannan experiment`: plays a plan, resumes what is finished, and writes tables, figures and the page. Several
// processes may work on one folder.
#include <fmt/format.h>
#include <unistd.h>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>

#include "command.hpp"
#include "hannan/core/error.hpp"
#include "hannan/core/printable.hpp"
#include "hannan/experiment/experiment.hpp"
#include "hannan/experiment/results.hpp"
#include "hannan/report/experiment_files.hpp"
#include "interrupt.hpp"
#include "output_file.hpp"
#include "ranks.hpp"

namespace hannan::detail::cli {
namespace {

struct ExperimentFlags {
  std::string plan;
  std::string out;
  unsigned threads = 1;
  RankFlags ranks;
  bool small = false;
  bool check = false;
  bool json = false;
  bool quiet = false;
};

std::string time_text(double seconds) {
  const auto s = static_cast<std::uint64_t>(seconds + 0.5);
  return s < 120    ? fmt::format("{} s", s)
         : s < 7200 ? fmt::format("{} min", (s + 30) / 60)
                    : fmt::format("{:.1f} h", static_cast<double>(s) / 3600);
}

// From the second second on, a line on standard error: written over on a terminal, every ten seconds elsewhere.
class TaskTicker {
 public:
  void show(const ExperimentProgress& now) {
    const double elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    if (elapsed < next_) return;
    next_ = elapsed + (terminal_ ? 0.5 : 10);
    const double left = now.share_played > 0 ? elapsed * now.share_left / now.share_played : 0;
    const std::string text = fmt::format("{} of {} runs, {} left", now.finished, now.tasks, time_text(left));
    fmt::print(stderr, "{}", terminal_ ? fmt::format("{:60}\r", text) : text + "\n");
    std::fflush(stderr);
    shown_ = true;
  }
  ~TaskTicker() {
    if (shown_ && terminal_) fmt::print(stderr, "{:60}\r", "");
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  bool terminal_ = ::isatty(2) != 0;
  double next_ = 2;
  bool shown_ = false;
};

class ExperimentCommand {
 public:
  explicit ExperimentCommand(const ExperimentFlags& flags) : flags_(flags) {}

  int operator()() {
    const Ranks ranks = flags_.ranks.read();
    const auto plan = read_plan(read_toml(flags_.plan), flags_.small ? PlanSize::kSmall : PlanSize::kFull);
    const ExperimentCells cells(plan, flags_.check ? OraclePrograms::kLeaveAlone : OraclePrograms::kStart);
    if (flags_.check) {
      if (!flags_.quiet)
        fmt::print("{}: {} tables, {} cells, {} runs, {} rounds\n", printable(plan.name), plan.tables.size(),
                   cells.cells().size(), cells.tasks().size(), rounds(cells));
      return 0;
    }
    const std::string folder =
        flags_.out.empty() ? std::filesystem::path(flags_.plan).stem().string() + ".out" : flags_.out;
    FinishedTasks finished(folder + "/finished", ranks.rank);
    catch_interrupts();
    const auto results = play(cells, finished, ranks);
    if (!results) {
      std::uint64_t done = 0;
      for (const auto& task : cells.tasks()) done += finished.has(task.key) ? 1 : 0;
      throw Error(Code::kWorkLimit,
                  fmt::format("interrupted after {} of {} runs; the same command goes on from there", done,
                              cells.tasks().size()),
                  folder);
    }
    // Every rank that gets here has all results and would write the same bytes: each puts its files in place whole.
    const Json json = results_json(cells, *results);
    auto files = experiment_files(json);
    files.push_back({"results.csv", results_csv(cells, *results)});
    files.push_back({"results.json", pretty(json) + "\n"});
    for (const auto& file : files) write_whole_file(folder + "/" + file.name, file.content);
    if (ranks.rank == 0) print(json, files, folder);
    return 0;
  }

 private:
  static std::uint64_t rounds(const ExperimentCells& cells) {
    std::uint64_t sum = 0;
    for (const auto& task : cells.tasks()) sum += cells.cells()[task.cell].scene->rounds();
    return sum;
  }

  std::optional<std::vector<SimulatedRun>> play(const ExperimentCells& cells, FinishedTasks& finished,
                                                const Ranks& ranks) const {
    TaskTicker ticker;
    ExperimentRun run{
        .threads = flags_.threads, .rank = ranks.rank, .ranks = ranks.ranks, .stop = interrupted, .progress = {}};
    if (!flags_.quiet && ranks.rank == 0) run.progress = [&](const ExperimentProgress& now) { ticker.show(now); };
    return play_experiment(cells, finished, run);
  }

  void print(const Json& json, const std::vector<ReportFile>& files, const std::string& folder) const {
    if (flags_.json) {
      std::puts(dump(json).c_str());
    } else if (!flags_.quiet) {
      std::string names;
      for (const auto& file : files) {
        if (file.name == "tables.md") fmt::print("{}\n", printable_lines(file.content));
        if (!file.name.starts_with("figure-")) names += (names.empty() ? "" : ", ") + file.name;
      }
      fmt::print("wrote {}/{}\n", printable(folder), names);
    }
  }

  const ExperimentFlags& flags_;
};

}  // namespace

void define_experiment(Command& command) {
  auto flags = std::make_shared<ExperimentFlags>();
  command.add("plan", &flags->plan, "the plan, a TOML file (docs/experiments.md)").required();
  command.add("-o,--out", &flags->out, "folder of the results, default PLAN.out; one that was begun is gone on with");
  command.add("--threads", &flags->threads, "threads of this process; the results do not depend on it")
      .range(1, 1024)
      .show_default();
  add_rank_flags(command, flags->ranks);
  command.add("--small", &flags->small, "the plan as its `small` keys cut it down");
  command.add("--check", &flags->check,
              "say what the plan would do, or what is wrong with it; plays nothing and starts no program");
  command.add("--json", &flags->json, "print the results as JSON and nothing else");
  command.add("-q,--quiet", &flags->quiet, "print nothing");
  command.examples = {"hannan experiment plans/first.toml --threads 2", "hannan experiment plans/first.toml --check",
                      "mpirun -n 4 hannan experiment plans/first.toml -o shared/first",
                      "srun -n 64 hannan experiment plans/first.toml -o shared/first"};
  command.run = [flags] { return ExperimentCommand(*flags)(); };
}

}  // namespace hannan::detail::cli
