// Summaries of cells; the definitions are in experiment_summary.hpp. Runs of a cell are consecutive results from
// first_task(cell) on, in the order of their numbers.
#include "hannan/experiment/experiment_summary.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "hannan/core/elementary.hpp"

namespace hannan::detail {
namespace {

double mean(std::span<const double> values) { return mean_and_error(values).mean; }

// Empty where runs have paths of different lengths.
std::vector<double> mean_path(std::span<const SimulatedRun> runs) {
  std::vector<double> path(runs.front().path.size());
  for (const auto& run : runs) {
    if (run.path.size() != path.size()) return {};
    for (std::size_t i = 0; i < path.size(); ++i) path[i] += run.path[i] / static_cast<double>(runs.size());
  }
  return path;
}

// Of what every run has.
std::optional<double> mean_of_all(std::span<const SimulatedRun> runs, std::optional<double> SimulatedRun::* what) {
  std::vector<double> values;
  for (const auto& run : runs) {
    if (!(run.*what)) return std::nullopt;
    values.push_back(*(run.*what));
  }
  return mean(values);
}

std::optional<double> share_covered(std::span<const SimulatedRun> runs) {
  double covered = 0;
  for (const auto& run : runs) {
    if (!run.covered) return std::nullopt;
    covered += *run.covered ? 1 : 0;
  }
  return covered / static_cast<double>(runs.size());
}

}  // namespace

double tracked_best(const ExperimentCell& cell, const SimulatedRun& run, std::uint64_t switches) {
  const auto place = std::ranges::lower_bound(cell.switches, switches) - cell.switches.begin();
  return run.tracked.at(static_cast<std::size_t>(place));
}

// sqrt(2 ln(50 n)): the largest of n standard normal numbers is above it with probability below 1/50, as P[Z > x] <=
// exp(-x^2/2) for each.
double chance_limit(std::size_t cells) {
  return std::sqrt(2 * portable_log(50 * std::max(1.0, static_cast<double>(cells))));
}

// Linear between the order statistics around p (n - 1).
double quantile(std::vector<double> values, double p) {
  assert(!values.empty());
  std::sort(values.begin(), values.end());
  // 0 <= at <= n - 1, so low and high are valid places.
  const double at = p * static_cast<double>(values.size() - 1);
  const auto low = static_cast<std::size_t>(at);
  const std::size_t high = std::min(low + 1, values.size() - 1);
  return values[low] + (at - static_cast<double>(low)) * (values[high] - values[low]);
}

// Differences from the baseline are taken run by run: both sides met the same outcomes, and the error of the mean is
// that of paired differences.
std::vector<CellSummary> summarise(const ExperimentCells& cells, const PlannedTable& table,
                                   const std::vector<SimulatedRun>& results) {
  const auto runs_of = [&](std::size_t cell) {
    return std::span(results).subspan(cells.first_task(cell), table.seeds);
  };
  const auto column = [](std::span<const SimulatedRun> runs, auto what) {
    std::vector<double> values;
    for (const auto& run : runs) values.push_back(static_cast<double>(what(run)));
    return values;
  };
  const auto regret = [](const SimulatedRun& run) { return run.regret; };
  std::vector<CellSummary> all;
  for (const std::size_t p : table.problems) {
    for (const std::size_t s : table.streams) {
      for (const std::size_t l : table.learners) {
        CellSummary summary{.cell = cells.cell(p, s, l), .runs = table.seeds};
        const auto runs = runs_of(summary.cell);
        const auto rounds = static_cast<double>(cells.cells()[summary.cell].scene->rounds());
        const auto regrets = column(runs, regret);
        summary.regret = mean_and_error(regrets);
        for (std::size_t q = 0; q < kQuantiles.size(); ++q) summary.quantiles[q] = quantile(regrets, kQuantiles[q]);
        if (table.baseline && *table.baseline != l) {
          auto differences = regrets;
          const auto others = column(runs_of(cells.cell(p, s, *table.baseline)), regret);
          for (std::size_t i = 0; i < differences.size(); ++i) differences[i] -= others[i];
          summary.difference = mean_and_error(differences);
        }
        summary.total = mean(column(runs, [](const SimulatedRun& run) { return run.total; }));
        summary.best = mean(column(runs, [](const SimulatedRun& run) { return run.best; }));
        summary.bound = mean_of_all(runs, &SimulatedRun::bound);
        summary.printed = mean_of_all(runs, &SimulatedRun::printed);
        summary.corrected = mean_of_all(runs, &SimulatedRun::corrected);
        summary.run = mean_of_all(runs, &SimulatedRun::run);
        summary.limit = mean_of_all(runs, &SimulatedRun::limit);
        summary.covered = share_covered(runs);
        if (summary.run || summary.bound) {
          const auto certified = summary.run ? &SimulatedRun::run : &SimulatedRun::bound;
          summary.excess =
              mean_and_error(column(runs, [&](const SimulatedRun& run) { return run.regret - *(run.*certified); }));
        }
        if (summary.bound && *summary.bound > 0) summary.ratio = summary.regret.mean / *summary.bound;
        summary.beyond = static_cast<std::uint64_t>(
            std::count_if(runs.begin(), runs.end(), [](const SimulatedRun& run) { return !run.holds; }));
        summary.calls_a_round = mean(column(runs, [](const SimulatedRun& run) { return run.oracle_calls; })) / rounds;
        summary.nodes_a_round = mean(column(runs, [](const SimulatedRun& run) { return run.search_nodes; })) / rounds;
        summary.gap = mean(column(runs, [](const SimulatedRun& run) { return run.gap; }));
        summary.path = mean_path(runs);
        for (const std::uint64_t n : table.switches) {
          const ExperimentCell& cell = cells.cells()[summary.cell];
          const auto best = [&](const SimulatedRun& run) { return tracked_best(cell, run, n); };
          const auto above = column(runs, [&](const SimulatedRun& run) { return run.total - best(run); });
          summary.tracked.push_back({.switches = n, .best = mean(column(runs, best)), .regret = mean_and_error(above)});
        }
        all.push_back(std::move(summary));
      }
    }
  }
  return all;
}

}  // namespace hannan::detail
