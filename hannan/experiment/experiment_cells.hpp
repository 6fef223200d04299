// A plan spread into what has to be done: cells (problem, stream, learner) and their runs.
//
// Spreading makes every problem, stream and learner of the plan once and passes over every data file, so
// that a mistake is one error, with the plan's file and line, before any work starts.
//
// Run r of a cell plays run r of the stream and draws its noise under run r of the seed: learners of one
// table meet the same outcomes and can be compared run by run. A task is (cell, run); its key is a fingerprint of all
// that decides its result (problem, outcomes, learner, seed, run, version), so a result that was kept is used again
// exactly where it is still the answer. A cell that stands in several tables is played once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "hannan/experiment/experiment_plan.hpp"
#include "hannan/play/simulation.hpp"
#include "hannan/runtime/any_problem.hpp"
#include "hannan/streams/source.hpp"

namespace hannan::detail {

// A problem and where its outcomes come from.
class ExperimentScene {
 public:
  ExperimentScene(const PlannedProblem& problem, const PlannedStream& stream);

  std::unique_ptr<AnyProblem> problem() const;
  // The outcomes of a run; the problem must outlive them.
  std::unique_ptr<Source> source(const AnyProblem& problem, std::uint64_t run) const;
  bool same_in_every_run() const;
  std::uint64_t rounds() const { return rounds_; }
  Json facts() const;  // all that decides the outcomes, but for the run

 private:
  Simulation simulation() const;
  void fit_actions();
  void settle_data();
  std::unique_ptr<ContextTable> context_table() const;
  // Throws H213 where the file is to hold losses and looks like forecasts.
  void ask_about_losses(const AnyProblem& problem) const;
  std::unique_ptr<Source> file_source(const Game& game) const;

  const PlannedProblem& problem_;
  const PlannedStream& stream_;
  StreamSpec spec_;
  Json params_;
  std::shared_ptr<const std::vector<Json>> recorded_;  // outcomes of the problem's own file
  std::uint64_t rounds_ = 0;
  std::string digest_;  // of recorded data
};

struct ExperimentCell {
  std::size_t problem, stream, learner;  // places in the plan
  std::shared_ptr<const ExperimentScene> scene;
  Json params;  // of the learner, formulas worked out
  std::uint64_t runs = 0;
  bool follow_limit = false;            // a table shows certificates
  std::vector<std::uint64_t> switches;  // that its tables ask for, in order
  std::string facts;                    // all that decides the results, but for the run
};

// Tasks that meet the same outcomes, to be played in step: places among the tasks, in order.
using ExperimentBatch = std::vector<std::size_t>;

struct ExperimentTask {
  std::size_t cell;
  std::uint64_t run;
  std::string key;
};

// Whether the oracle programs of a plan (external:COMMAND) are started while it is spread. Where they are left alone,
// their names are checked and their learners are made with the problem's own oracle: enough to find every mistake
// that does not come from the program itself, but not to play.
enum class OraclePrograms { kStart, kLeaveAlone };

class ExperimentCells {
 public:
  // Throws with the place in the plan.
  explicit ExperimentCells(const ExperimentPlan& plan, OraclePrograms programs = OraclePrograms::kStart);

  const ExperimentPlan& plan() const { return plan_; }
  const std::vector<ExperimentCell>& cells() const { return cells_; }
  const std::vector<ExperimentTask>& tasks() const { return tasks_; }  // cell by cell, run by run
  std::size_t cell(std::size_t problem, std::size_t stream, std::size_t learner) const;
  // The first task of a cell; its runs follow.
  std::size_t first_task(std::size_t cell) const { return first_[cell]; }

  // Every task once.
  const std::vector<ExperimentBatch>& batches() const { return batches_; }

  // Plays tasks of one batch; nothing where `stop` said so. Any number of threads may.
  std::optional<std::vector<SimulatedRun>> play(const ExperimentBatch& some, const std::function<bool()>& stop) const;

 private:
  // What a table asks of a cell beside its runs.
  void ask_more(ExperimentCell& cell, const PlannedTable& table) const;
  std::size_t add_cell(std::size_t problem, std::size_t stream, std::size_t learner);
  std::shared_ptr<const ExperimentScene> scene_of(std::size_t problem, std::size_t stream);
  void gather_batches();
  ReplayTurn learner(const AnyProblem& problem, const ExperimentTask& task) const;
  Json settled(const PlannedLearner& learner, const AnyProblem& problem, std::uint64_t rounds) const;

  const ExperimentPlan& plan_;
  OraclePrograms programs_;
  std::vector<ExperimentCell> cells_;
  std::vector<ExperimentTask> tasks_;
  std::vector<std::size_t> first_;
  std::vector<ExperimentBatch> batches_;
  // M of a cell's learner once it is known: a fact of the problem, but it may cost thousands of searches.
  mutable std::mutex sizes_lock_;
  mutable std::vector<std::optional<NoiseSize>> sizes_;
};

}  // namespace hannan::detail
