// What a set of runs says: means, standard errors, quantiles, differences run by run, regret over bound.
//
//   mean              sum x_i / n, in the order of the runs, so that its bits do not depend on who played when
//   standard error    sqrt(sum (x_i - mean)^2 / (n - 1) / n); 0 for one run
//   quantile p        linear between order statistics: x_(1 + p (n-1))
//   difference        the mean of x_i - y_i against the baseline's y_i on the same outcomes; its own standard error,
//   which
//                     is smaller than that of two means where the streams are what varies
//   ratio             mean regret / mean of the least closed forms
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "hannan/experiment/experiment_cells.hpp"
#include "hannan/play/mean_and_error.hpp"

namespace hannan::detail {

// Requires values; 0 <= p <= 1.
double quantile(std::vector<double> values, double p);

inline constexpr std::array<double, 5> kQuantiles{0.05, 0.25, 0.5, 0.75, 0.95};

struct CellSummary {
  std::size_t cell = 0;
  std::uint64_t runs = 0;
  MeanAndError regret;
  std::array<double, kQuantiles.size()> quantiles{};
  std::optional<MeanAndError> difference;  // to the table's baseline
  double total = 0;
  double best = 0;
  std::optional<double> bound;  // mean of the least closed forms, where every run has one
  std::optional<double> ratio;
  std::optional<double> printed;    // mean of Theorem 1 as printed
  std::optional<double> corrected;  // and as corrected
  std::optional<double> run;        // means of the certificates of the run
  std::optional<double> limit;
  std::optional<double> covered;  // share of the runs whose limit was never below the conditional regret
  std::optional<MeanAndError>
      excess;  // regret less run, or bound where there is no run, run by run: above chance_limit errors it is no chance
  std::uint64_t beyond = 0;  // runs beyond a bound of theirs; bounds are on expected regret
  double calls_a_round = 0;
  double nodes_a_round = 0;
  double gap = 0;
  std::vector<double> path;  // mean regret after rounds 1, 2, 4, ... and the last; empty where not followed
  struct Tracked {           // against the best sequences with at most so many switches
    std::uint64_t switches;
    double best;
    MeanAndError regret;
  };
  std::vector<Tracked> tracked;  // those of the table
};

// The least total of a run's sequences with so many switches, which its cell must ask for.
double tracked_best(const ExperimentCell& cell, const SimulatedRun& run, std::uint64_t switches);

// By how many standard errors a mean may be above 0 by chance, so that of this many cells, all with a true mean of at
// most 0, one or more is above with probability at most 1 %: P[normal > q] <= exp(-q^2/2)/2 = 0.01/cells.
double chance_limit(std::size_t cells);

// The cells of a table, problem by problem, stream by stream, learner by learner.
std::vector<CellSummary> summarise(const ExperimentCells& cells, const PlannedTable& table,
                                   const std::vector<SimulatedRun>& results);

}  // namespace hannan::detail
