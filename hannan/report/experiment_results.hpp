// What results.json of an experiment holds, read back: the one source of tables.md, of the figures and of the page.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hannan/experiment/experiment_summary.hpp"
#include "hannan/io/json.hpp"

namespace hannan::detail {

struct ResultCell {
  std::string problem, stream, learner;
  std::string pair;  // problem and stream, without the part that is the same in the whole table
  double rounds, runs;
  MeanAndError regret;
  std::optional<MeanAndError> difference;     // to the table's baseline
  std::optional<double> low, median, high;    // quantiles 5 %, 50 %, 95 %
  std::optional<double> total;                // loss
  std::optional<double> best;                 // L*
  std::optional<double> bound;                // the least closed form
  std::optional<double> printed, corrected;   // Theorem 1
  std::optional<double> run, limit, covered;  // certificates of the run; the share of runs within the limit
  std::optional<MeanAndError> excess;         // regret less run (or bound), run by run
  double beyond, calls, nodes;
  std::vector<double> path;                   // mean regret after 1, 2, 4, ... rounds and at the end; may be empty
  std::vector<CellSummary::Tracked> tracked;  // by numbers of switches
};

struct ResultTable {
  std::string title, about;
  double seeds;
  std::vector<std::string> show;    // measures
  std::vector<std::string> figure;  // learners that are drawn
  std::string baseline;             // empty: none
  std::vector<ResultCell> cells;

  // In the order in which they first come.
  std::vector<std::string> pairs() const;
  std::vector<std::string> learners() const;
  // Null where the table has no such cell.
  const ResultCell* find(const std::string& pair, const std::string& learner) const;
};

struct ExperimentResults {
  std::string plan, about;
  std::string seed;
  double tasks;
  std::vector<ResultTable> tables;
};

// Throws with the path of the field that is missing or of another type.
ExperimentResults read_results(const Json& results);

}  // namespace hannan::detail
