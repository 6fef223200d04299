// The results of a finished plan as data: results.csv, a line per run, and results.json, a summary per cell.
//
// Both are functions of the plan and the results alone: the same bytes whichever process played which runs, in
// whatever order. docs/experiments.md says what the fields mean; hannan/report makes tables and pages of results.json.
#pragma once

#include <string>
#include <vector>

#include "hannan/experiment/experiment_cells.hpp"

namespace hannan::detail {

// `results` has an entry per task of `cells`, in their order.
std::string results_csv(const ExperimentCells& cells, const std::vector<SimulatedRun>& results);
Json results_json(const ExperimentCells& cells, const std::vector<SimulatedRun>& results);

}  // namespace hannan::detail
