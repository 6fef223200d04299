// The files of a finished experiment. All of them are functions of the plan and the results: the same bytes whoever
// played what, in whatever order.
//
//   results.csv    a line per run             results.json   a summary per cell
//   tables.md      the tables of the plan     figure-N-M.svg regret over the rounds: table N, pair M of problem and
//   stream report.html    tables and figures on one page
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "hannan/experiment/experiment_summary.hpp"

namespace hannan::cli {

struct ExperimentFile {
  std::string name;
  std::string content;
};

std::vector<ExperimentFile> experiment_files(const ExperimentCells& cells, const std::vector<SimulatedRun>& results);

// results.json.
Json experiment_json(const ExperimentCells& cells, const std::vector<SimulatedRun>& results);
// tables.md.
std::string experiment_tables(const ExperimentCells& cells, const std::vector<SimulatedRun>& results);

}  // namespace hannan::cli
