// The files for reading that stand in the folder of a finished experiment, all made from its results.json.
//
//   tables.md        the tables of the plan
//   figure-N-M.svg   regret over the rounds: table N, pair M of problem and stream
//   report.html      tables and charts on one page, as `hannan report FOLDER` makes it
#pragma once

#include <string>
#include <vector>

#include "hannan/io/json.hpp"

namespace hannan::detail {

struct ReportFile {
  std::string name;
  std::string content;
};

// The same results give the same bytes, in whatever folder.
std::vector<ReportFile> experiment_files(const Json& results);

}  // namespace hannan::detail
