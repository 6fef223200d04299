// Plans of experiments, as `hannan experiment` plays them: one rank of however many share the folder.
#pragma once

#include <atomic>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "hannan/experiment/experiment.hpp"
#include "hannan/experiment/results.hpp"
#include "hannan/report/experiment_files.hpp"
#include "learner.hpp"
#include "values.hpp"

namespace hannan::detail::python {

struct ExperimentQuery {
  std::string plan;    // a TOML file
  std::string folder;  // of the finished runs, shared by the ranks
  PlanSize size = PlanSize::kFull;
  ExperimentRun run;
};
// The files that the command writes, by name; the same whichever rank asks. None where a signal ended it.
inline py::object experiment(ExperimentQuery query) {
  std::atomic<bool> stopped = false;
  Signals signals;
  std::mutex lock;  // every thread asks
  query.run.stop = [&] {
    if (stopped) return true;
    const std::unique_lock held(lock, std::try_to_lock);
    if (held.owns_lock() && signals.stop()) stopped = true;
    return stopped.load();
  };
  std::vector<std::pair<std::string, std::string>> files;
  without_lock([&] {
    const ExperimentPlan plan = read_plan(read_toml(query.plan), query.size);
    const ExperimentCells cells(plan, OraclePrograms::kStart);
    FinishedTasks finished(query.folder, query.run.rank);
    const auto results = play_experiment(cells, finished, query.run);
    if (!results) return 0;
    const Json json = results_json(cells, *results);
    for (const auto& file : experiment_files(json)) files.emplace_back(file.name, file.content);
    files.emplace_back("results.csv", results_csv(cells, *results));
    files.emplace_back("results.json", pretty(json) + "\n");
    return 0;
  });
  signals.rethrow();
  py::dict named;
  for (const auto& [name, content] : files) named[py::str(name)] = py::bytes(content);
  return named;
}

}  // namespace hannan::detail::python
