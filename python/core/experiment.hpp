// Plans of experiments, as `hannan experiment` plays them: one rank of however many share the folder.
#pragma once

#include <atomic>
#include <chrono>
#include <exception>
#include <functional>
#include <future>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "hannan/experiment/experiment.hpp"
#include "hannan/experiment/results.hpp"
#include "hannan/oracles/search_threads.hpp"
#include "hannan/report/experiment_files.hpp"
#include "signals.hpp"
#include "values.hpp"

namespace hannan::detail::python {

struct ExperimentQuery {
  std::string plan;    // a TOML file
  std::string folder;  // of the finished runs, shared by the ranks
  PlanSize size = PlanSize::kFull;
  ExperimentRun run;
};
// Plays on a thread of its own, while this one, which may be the only one that gets signals, waits for them: a signal
// sets `stopped`, and its exception comes out when the rounds under way are played.
inline void play_and_watch(const std::function<void()>& play, std::atomic<bool>& stopped) {
  Signals signals;
  std::exception_ptr failure;
  {
    const py::gil_scoped_release free;
    std::promise<void> promise;
    const std::future<void> ended = promise.get_future();
    const std::jthread player([&, most = SearchThreads::most()] {
      const SearchThreads scope(most);
      try {
        play();
      } catch (...) {
        failure = std::current_exception();
      }
      promise.set_value();
    });
    using namespace std::chrono_literals;
    while (ended.wait_for(20ms) == std::future_status::timeout) {
      if (!stopped && signals.look()) stopped = true;
    }
  }
  signals.rethrow();
  if (failure) std::rethrow_exception(failure);
}

// The files that the command writes, by name; the same whichever rank asks.
inline py::object experiment(ExperimentQuery query) {
  std::atomic<bool> stopped = false;
  query.run.stop = [&] { return stopped.load(); };
  std::vector<std::pair<std::string, std::string>> files;
  const auto play = [&] {
    const ExperimentPlan plan = read_plan(read_toml(query.plan), query.size);
    const ExperimentCells cells(plan, OraclePrograms::kStart);
    FinishedTasks finished(query.folder, query.run.rank);
    const auto results = play_experiment(cells, finished, query.run);
    if (!results) return;
    const Json json = results_json(cells, *results);
    for (const auto& file : experiment_files(json)) files.emplace_back(file.name, file.content);
    files.emplace_back("results.csv", results_csv(cells, *results));
    files.emplace_back("results.json", pretty(json) + "\n");
  };
  play_and_watch(play, stopped);
  py::dict named;
  for (const auto& [name, content] : files) named[py::str(name)] = py::bytes(content);
  return named;
}

}  // namespace hannan::detail::python
