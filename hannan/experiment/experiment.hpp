// Plays the tasks of a plan, on threads and on ranks (processes, maybe on many machines).
//
// Tasks that meet the same outcomes are a batch and are played in step (play/learner_group.hpp).
// Ranks share a folder and nothing else: no messages, no master, no library. Rank r of n plays batches r, r+n, r+2n,
// ...; when they are finished it looks at what the others have written and plays what is still missing, theirs
// backwards, each rank from another place, until nothing is. So the last batches may be played twice, which changes no
// result; a rank that dies, or never starts, is made good by those that live; and every rank ends with the complete
// set. A batch that another rank finishes meanwhile is dropped.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "hannan/experiment/experiment_cells.hpp"
#include "hannan/experiment/finished_tasks.hpp"

namespace hannan::detail {

struct ExperimentProgress {
  std::uint64_t tasks;     // of the plan
  std::uint64_t finished;  // by any process, as far as is known here
  double share_left;       // of the rounds of the plan
  double share_played;     // of the rounds of the plan, here and now
};

struct ExperimentRun {
  unsigned threads = 1;
  std::uint64_t rank = 0;
  std::uint64_t ranks = 1;
  std::function<bool()> stop;                               // asked every round, from every thread
  std::function<void(const ExperimentProgress&)> progress;  // at most twice a second, one call at a time; may be empty
};

// The results in the order of cells.tasks(); nothing if it was stopped. Throws what a task throws; what was finished is
// kept.
std::optional<std::vector<SimulatedRun>> play_experiment(const ExperimentCells& cells, FinishedTasks& finished,
                                                         const ExperimentRun& run);

}  // namespace hannan::detail
